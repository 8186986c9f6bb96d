// Expressions.
#include <array>
#include <bit>
#include <limits>

#include "compiler/differential/method_generator.h"

#include "compiler/differential/opcodes.h"

namespace yp::compiler {
namespace {

// Of the operations in the order of their opcodes.
constexpr uint32_t kFirstDivision = 3;
// One in so many operations that can throw is left to throw.
constexpr uint32_t kRarely = 60;
constexpr const char* kHelperClass = "yieldpoint/generated/Helper";

}  // namespace

void MethodGenerator::PushInt(int32_t value) {
  if (value >= -1 && value <= 5) {
    code_.Op(static_cast<uint8_t>(kIconst0 + value));
  } else if (value >= -128 && value < 128) {
    code_.Op(kBipush, static_cast<uint8_t>(value));
  } else if (value >= -32768 && value < 32768) {
    code_.Op2(kSipush, static_cast<uint16_t>(value));
  } else {
    code_.Op2(kLdcW, constants_.Int(value));
  }
}

void MethodGenerator::Constant(Value type) {
  switch (type) {
    case Value::kInt: {
      constexpr std::array kInts = {0, 1, -1, 7, 255, -128, 65535, INT32_MAX, INT32_MIN, 1000003};
      return PushInt(OneIn(3) ? static_cast<int32_t>(random_.Next()) : kInts[Below(kInts.size())]);
    }
    case Value::kLong: {
      if (OneIn(4)) return code_.Op(static_cast<uint8_t>(9 + Below(2)));
      constexpr std::array<int64_t, 6> kLongs = {-1,        INT64_MAX, INT64_MIN, int64_t{1} << 32,
                                                 INT32_MIN, 1000000007};
      return code_.Op2(kLdc2W, constants_.Long(OneIn(3) ? static_cast<int64_t>(random_.Next())
                                                        : kLongs[Below(kLongs.size())]));
    }
    case Value::kFloat: {
      if (OneIn(3)) return code_.Op(static_cast<uint8_t>(11 + Below(3)));
      constexpr std::array kFloats = {-0.0f,
                                      1.5f,
                                      3.0e10f,
                                      -1.0e-40f,
                                      2147483648.0f,
                                      -1.0e20f,
                                      std::numeric_limits<float>::quiet_NaN(),
                                      std::numeric_limits<float>::infinity()};
      return code_.Op2(kLdcW,
                       constants_.Float(std::bit_cast<uint32_t>(kFloats[Below(kFloats.size())])));
    }
    case Value::kDouble: {
      if (OneIn(3)) return code_.Op(static_cast<uint8_t>(14 + Below(2)));
      constexpr std::array kDoubles = {-0.0,
                                       0.1,
                                       1.0e300,
                                       -4.9e-324,
                                       9.3e18,
                                       -3.0e10,
                                       std::numeric_limits<double>::quiet_NaN(),
                                       -std::numeric_limits<double>::infinity()};
      return code_.Op2(
          kLdc2W, constants_.Double(std::bit_cast<uint64_t>(kDoubles[Below(kDoubles.size())])));
    }
    default:
      return code_.Op(kAconstNull);
  }
}

void MethodGenerator::Load(Value type) {
  switch (type) {
    case Value::kInt:
      return code_.Local(kIload, OneIn(2)   ? local::kInt
                                 : OneIn(2) ? local::kInt2
                                            : local::kWideInt);
    case Value::kLong:
      return code_.Local(kLload, OneIn(2)   ? local::kLong
                                 : OneIn(2) ? local::kLong2
                                            : local::kWideLong);
    case Value::kFloat:
      return code_.Local(kFload, OneIn(2) ? local::kFloat : local::kFloat2);
    case Value::kDouble:
      return code_.Local(kDload, OneIn(2) ? local::kDouble : local::kDouble2);
    case Value::kHelper:
      return code_.Local(kAload, OneIn(3) ? local::kHelper2 : local::kHelper);
    default:
      return code_.Local(kAload, OneIn(3)   ? local::kObject
                                 : OneIn(2) ? local::kInts
                                            : local::kHelper);
  }
}

void MethodGenerator::Expression(Value type, int depth) {
  switch (type) {
    case Value::kInt:
      return IntExpression(depth);
    case Value::kLong:
      return LongExpression(depth);
    case Value::kHelper:
      return HelperExpression(depth);
    case Value::kObject:
      return ObjectExpression(depth);
    default:
      return FloatExpression(type, depth);
  }
}

// One of two values, with whatever else is on the stack below the join.
void MethodGenerator::Select(Value type, int depth) {
  const CodeBuilder::Label otherwise = code_.NewLabel(), done = code_.NewLabel();
  Condition(otherwise);
  Expression(type, depth);
  code_.Jump(kGoto, done);
  code_.Bind(otherwise);
  Expression(type, depth);
  code_.Bind(done);
}

// A method with a lower number, of that type; a local where there is none.
void MethodGenerator::CallOwn(Value type, int depth) {
  for (int callee = number_ - 1; callee >= 0; --callee) {
    if (ClassConstants::ReturnType(callee) != type || OneIn(3)) continue;
    IntExpression(depth);
    LongExpression(depth);
    FloatExpression(Value::kDouble, depth);
    FloatExpression(Value::kFloat, depth);
    HelperExpression(depth);
    code_.Local(kAload, local::kInts);
    return code_.Op2(kInvokestatic, constants_.OwnMethod(callee));
  }
  Load(type);
}

// In bounds nearly always.
void MethodGenerator::Index(int depth) {
  IntExpression(depth);
  PushInt(OneIn(kRarely) ? 15 : 7);
  code_.Op(kIand);
}

void MethodGenerator::ArrayLoad(Value type, int depth) {
  struct Array {
    uint16_t local;
    uint8_t load;
  };
  if (type == Value::kInt) {
    constexpr std::array<Array, 5> kArrays = {{{local::kInts, kIaload},
                                               {local::kBytes, kBaload},
                                               {local::kBooleans, kBaload},
                                               {local::kChars, kCaload},
                                               {local::kShorts, kSaload}}};
    const Array& array = kArrays[Below(kArrays.size())];
    code_.Local(kAload, array.local);
    Index(depth);
    return code_.Op(array.load);
  }
  const Array array = type == Value::kLong     ? Array{local::kLongs, kLaload}
                      : type == Value::kFloat  ? Array{local::kFloats, kFaload}
                      : type == Value::kDouble ? Array{local::kDoubles, kDaload}
                                               : Array{local::kObjects, kAaload};
  code_.Local(kAload, array.local);
  Index(depth);
  code_.Op(array.load);
}

void MethodGenerator::IntFromField(int depth) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kFields = {
      {{"i", "I"}, {"b", "B"}, {"s", "S"}, {"c", "C"}, {"z", "Z"}}};
  if (OneIn(4)) return code_.Op2(kGetstatic, constants_.Field("si", "I"));
  HelperExpression(depth);
  const auto& [name, descriptor] = kFields[Below(kFields.size())];
  code_.Op2(kGetfield, constants_.Field(name, descriptor));
}

void MethodGenerator::IntExpression(int depth) {
  if (depth <= 0) return OneIn(3) ? Constant(Value::kInt) : Load(Value::kInt);
  switch (Below(16)) {
    case 0:
    case 1:
    case 2: {  // iadd .. irem
      const uint32_t operation = Below(5);
      IntExpression(depth - 1);
      IntExpression(depth - 1);
      if (operation >= kFirstDivision && !OneIn(kRarely)) {
        code_.Op(kIconst0 + 1);
        code_.Op(kIand + 2);  // ior: no division by 0
      }
      return code_.Op(static_cast<uint8_t>(kIadd + 4 * operation));
    }
    case 3:  // ishl, ishr, iushr
      IntExpression(depth - 1);
      IntExpression(depth - 1);
      return code_.Op(static_cast<uint8_t>(kIshl + 2 * Below(3)));
    case 4:  // iand, ior, ixor
      IntExpression(depth - 1);
      IntExpression(depth - 1);
      return code_.Op(static_cast<uint8_t>(kIand + 2 * Below(3)));
    case 5:
      IntExpression(depth - 1);
      return code_.Op(OneIn(2) ? kIneg : static_cast<uint8_t>(kI2b + Below(3)));
    case 6:
      LongExpression(depth - 1);
      return code_.Op(kL2i);
    case 7: {
      const bool is_double = OneIn(2);
      FloatExpression(is_double ? Value::kDouble : Value::kFloat, depth - 1);
      return code_.Op(is_double ? kD2i : kF2i);
    }
    case 8:
      LongExpression(depth - 1);
      LongExpression(depth - 1);
      return code_.Op(kLcmp);
    case 9: {
      const bool is_double = OneIn(2);
      const Value type = is_double ? Value::kDouble : Value::kFloat;
      FloatExpression(type, depth - 1);
      FloatExpression(type, depth - 1);
      return code_.Op(static_cast<uint8_t>((is_double ? kDcmpl : kFcmpl) + Below(2)));
    }
    case 10:
      return ArrayLoad(Value::kInt, depth - 1);
    case 11:
      return IntFromField(depth - 1);
    case 12: {
      ObjectExpression(depth - 1);
      if (OneIn(2)) {
        code_.Op2(kInstanceof,
                  constants_.Class(OneIn(2) ? "yieldpoint/generated/Shape" : "java/lang/String"));
        return;
      }
      if (OneIn(kRarely / 4)) {
        code_.Op2(kCheckcast, constants_.Class("[I"));
      } else {
        code_.Op(kPop);
        code_.Local(kAload, local::kInts);
      }
      return code_.Op(kArraylength);
    }
    case 13:  // Three implementations.
      HelperExpression(depth - 1);
      code_.Op2(kGetfield, constants_.Field("shape", "Lyieldpoint/generated/Shape;"));
      IntExpression(depth - 1);
      return code_.Op2(kInvokeinterface, constants_.InterfaceMethod("area", "(I)I"), {2, 0});
    case 14:
      if (OneIn(2)) return CallOwn(Value::kInt, depth - 1);
      HelperExpression(depth - 1);
      IntExpression(depth - 1);
      LongExpression(depth - 1);
      return code_.Op2(kInvokevirtual, constants_.HelperMethod("mix", "(IJ)I"));
    default:
      return Select(Value::kInt, depth - 1);
  }
}

void MethodGenerator::LongExpression(int depth) {
  if (depth <= 0) return OneIn(3) ? Constant(Value::kLong) : Load(Value::kLong);
  switch (Below(11)) {
    case 0:
    case 1: {
      const uint32_t operation = Below(5);
      LongExpression(depth - 1);
      LongExpression(depth - 1);
      if (operation >= kFirstDivision && !OneIn(kRarely)) {
        code_.Op(10);         // lconst_1
        code_.Op(kIand + 3);  // lor
      }
      return code_.Op(static_cast<uint8_t>(kLadd + 4 * operation));
    }
    case 2:
      LongExpression(depth - 1);
      IntExpression(depth - 1);
      return code_.Op(static_cast<uint8_t>(kIshl + 1 + 2 * Below(3)));
    case 3:
      LongExpression(depth - 1);
      LongExpression(depth - 1);
      return code_.Op(static_cast<uint8_t>(kIand + 1 + 2 * Below(3)));
    case 4:
      LongExpression(depth - 1);
      return code_.Op(kIneg + 1);
    case 5:
      IntExpression(depth - 1);
      return code_.Op(kI2l);
    case 6: {
      const bool is_double = OneIn(2);
      FloatExpression(is_double ? Value::kDouble : Value::kFloat, depth - 1);
      return code_.Op(is_double ? kD2l : kF2l);
    }
    case 7:
      return ArrayLoad(Value::kLong, depth - 1);
    case 8:
      if (OneIn(3)) return code_.Op2(kGetstatic, constants_.Field("sj", "J"));
      HelperExpression(depth - 1);
      return code_.Op2(kGetfield, constants_.Field(OneIn(2) ? "j" : "vj", "J"));
    case 9:
      return CallOwn(Value::kLong, depth - 1);
    default:
      return Select(Value::kLong, depth - 1);
  }
}

void MethodGenerator::FloatExpression(Value type, int depth) {
  const bool is_double = type == Value::kDouble;
  if (depth <= 0) return OneIn(3) ? Constant(type) : Load(type);
  switch (Below(9)) {
    case 0:
    case 1:
      FloatExpression(type, depth - 1);
      FloatExpression(type, depth - 1);
      return code_.Op(static_cast<uint8_t>((is_double ? kDadd : kFadd) + 4 * Below(5)));
    case 2:
      FloatExpression(type, depth - 1);
      return code_.Op(static_cast<uint8_t>(kIneg + (is_double ? 3 : 2)));
    case 3:
      IntExpression(depth - 1);
      return code_.Op(is_double ? kI2d : kI2f);
    case 4:
      LongExpression(depth - 1);
      return code_.Op(is_double ? kL2d : kL2f);
    case 5:
      FloatExpression(is_double ? Value::kFloat : Value::kDouble, depth - 1);
      return code_.Op(is_double ? kF2d : kD2f);
    case 6:
      return ArrayLoad(type, depth - 1);
    case 7:
      HelperExpression(depth - 1);
      return code_.Op2(kGetfield, constants_.Field(is_double ? "d" : "f", is_double ? "D" : "F"));
    default:
      return OneIn(2) ? CallOwn(type, depth - 1) : Select(type, depth - 1);
  }
}

// null now and then.
void MethodGenerator::HelperExpression(int depth) {
  if (depth <= 0) return OneIn(4 * kRarely) ? Constant(Value::kHelper) : Load(Value::kHelper);
  switch (Below(8)) {
    case 0:
      HelperExpression(depth - 1);
      return code_.Op2(kGetfield, constants_.Field("next", "Lyieldpoint/generated/Helper;"));
    case 1:
      ObjectExpression(depth - 1);
      return OneIn(kRarely)
                 ? code_.Op2(kCheckcast, constants_.Class(kHelperClass))
                 : code_.Op2(kInvokestatic,
                             constants_.HelperMethod(
                                 "of", "(Ljava/lang/Object;)Lyieldpoint/generated/Helper;"));
    case 2:
      code_.Op2(kNew, constants_.Class(kHelperClass));
      code_.Op(kDup);
      return code_.Op2(kInvokespecial, constants_.Constructor(kHelperClass));
    case 3:
      return Select(Value::kHelper, depth - 1);
    case 4:
      return CallOwn(Value::kHelper, depth - 1);
    default:
      return Load(Value::kHelper);
  }
}

void MethodGenerator::ObjectExpression(int depth) {
  if (depth <= 0) return OneIn(10) ? Constant(Value::kObject) : Load(Value::kObject);
  switch (Below(9)) {
    case 0:
      return ArrayLoad(Value::kObject, depth - 1);
    case 1:
      return code_.Op2(kLdcW, constants_.String("text " + std::to_string(Below(5))));
    case 2:
      return code_.Op2(kLdcW, constants_.Class(OneIn(2) ? kHelperClass : "java/lang/String"));
    case 3:
      return code_.Op2(kGetstatic, constants_.Field("so", "Ljava/lang/Object;"));
    case 4:
      HelperExpression(depth - 1);
      return code_.Op2(kGetfield, constants_.Field("o", "Ljava/lang/Object;"));
    case 5: {  // Of a length that may be negative.
      IntExpression(depth - 1);
      PushInt(OneIn(kRarely) ? -1 : 31);
      code_.Op(kIand);
      if (OneIn(kRarely)) code_.Op(kIneg);
      PushInt(16383);
      code_.Op(static_cast<uint8_t>(kIadd + 16));  // irem
      return code_.Op(kNewarray, static_cast<uint8_t>(4 + Below(8)));
    }
    case 6: {
      code_.Local(kAload, local::kMatrix);
      IntExpression(depth - 1);
      PushInt(OneIn(kRarely) ? 3 : 1);
      code_.Op(kIand);
      return code_.Op(kAaload);
    }
    case 7:
      return Select(Value::kObject, depth - 1);
    default:
      return HelperExpression(depth - 1);
  }
}

}  // namespace yp::compiler
