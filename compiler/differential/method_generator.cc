// Statements.
#include "compiler/differential/method_generator.h"

#include <algorithm>
#include <array>

#include "compiler/differential/opcodes.h"

namespace yp::compiler {
namespace {

constexpr uint8_t kStores[] = {kIstore, kLstore, kFstore, kDstore, kAstore, kAstore};
constexpr uint16_t kMostArray = 8;
constexpr int kMostLoops = 3, kMostMonitors = 3, kDeepest = 3;

}  // namespace

CodeBuilder MethodGenerator::Generate() {
  Prologue();
  const uint32_t count = 3 + Below(8);
  for (uint32_t i = 0; i < count; ++i) Statement(0);
  Return();
  return std::move(code_);
}

void MethodGenerator::Return() {
  constexpr uint8_t kReturns[] = {kIreturn, kLreturn, kFreturn, kDreturn, kAreturn, kAreturn};
  const Value type = ClassConstants::ReturnType(number_);
  Expression(type, 2);
  code_.Op(kReturns[static_cast<size_t>(type)]);
}

// Takes fuel, or returns at once; then gives every local a value.
void MethodGenerator::Prologue() {
  const uint16_t fuel = constants_.Field("fuel", "I");
  const CodeBuilder::Label goes_on = code_.NewLabel();
  code_.Op2(kGetstatic, fuel);
  code_.Op(4);  // iconst_1
  code_.Op(kIsub);
  code_.Op(kDup);
  code_.Op2(kPutstatic, fuel);
  code_.Jump(kIfgt, goes_on);
  Constant(ClassConstants::ReturnType(number_));
  constexpr uint8_t kReturns[] = {kIreturn, kLreturn, kFreturn, kDreturn, kAreturn, kAreturn};
  code_.Op(kReturns[static_cast<size_t>(ClassConstants::ReturnType(number_))]);
  code_.Bind(goes_on);
  const auto give = [&](Value type, uint16_t index) {
    Constant(type);
    code_.Local(kStores[static_cast<size_t>(type)], index);
  };
  give(Value::kInt, local::kInt2);
  give(Value::kLong, local::kLong2);
  give(Value::kFloat, local::kFloat2);
  give(Value::kDouble, local::kDouble2);
  give(Value::kInt, local::kWideInt);
  give(Value::kLong, local::kWideLong);
  code_.Local(kAload, local::kHelper);
  code_.Local(kAstore, local::kHelper2);
  code_.Op(kAconstNull);
  code_.Local(kAstore, local::kObject);
  // JVMS 6.5.newarray.
  constexpr std::array<std::pair<uint8_t, uint16_t>, 7> kArrays = {{{11, local::kLongs},
                                                                    {7, local::kDoubles},
                                                                    {8, local::kBytes},
                                                                    {4, local::kBooleans},
                                                                    {5, local::kChars},
                                                                    {9, local::kShorts},
                                                                    {6, local::kFloats}}};
  for (const auto& [type, index] : kArrays) {
    PushInt(kMostArray);
    code_.Op(kNewarray, type);
    code_.Local(kAstore, index);
  }
  PushInt(kMostArray);
  code_.Op2(kAnewarray, constants_.Class("java/lang/Object"));
  code_.Local(kAstore, local::kObjects);
  PushInt(3);
  PushInt(kMostArray);
  code_.Op2(kMultianewarray, constants_.Class("[[I"), {2});
  code_.Local(kAstore, local::kMatrix);
}

void MethodGenerator::Statements(int depth) {
  const uint32_t count = 1 + Below(3);
  for (uint32_t i = 0; i < count; ++i) Statement(depth);
}

void MethodGenerator::Statement(int depth) {
  const bool may_nest = depth < kDeepest && code_.size() < 12000;
  switch (Below(may_nest ? 14 : 7)) {
    case 0:
    case 1:
      return Assign();
    case 2:
      return StoreField();
    case 3:
      return StoreArray();
    case 4:
      return Scratch();
    case 5:
      return Shuffle();
    case 6:
      return code_.Increment(OneIn(3) ? local::kWideInt : local::kInt2,
                             static_cast<int16_t>(Below(4000)) - 2000);
    case 7:
    case 8:
      return If(depth + 1);
    case 9:
    case 10:
      return Loop(depth + 1);
    case 11:
      return Switch(depth + 1);
    case 12:
      return Try(depth + 1);
    default:
      return OneIn(3) ? Throw() : Synchronized(depth + 1);
  }
}

// Jumps to `target` or goes on.
void MethodGenerator::Condition(CodeBuilder::Label target) {
  switch (Below(4)) {
    case 0:
      IntExpression(2);
      return code_.Jump(static_cast<uint8_t>(kIfeq + Below(6)), target);
    case 1:
      IntExpression(2);
      IntExpression(2);
      return code_.Jump(static_cast<uint8_t>(kIfIcmpeq + Below(6)), target);
    case 2:
      ObjectExpression(2);
      ObjectExpression(2);
      return code_.Jump(static_cast<uint8_t>(kIfAcmpeq + Below(2)), target);
    default:
      HelperExpression(2);
      return code_.Jump(static_cast<uint8_t>(kIfnull + Below(2)), target);
  }
}

void MethodGenerator::If(int depth) {
  const CodeBuilder::Label otherwise = code_.NewLabel(), done = code_.NewLabel();
  Condition(otherwise);
  Statements(depth);
  code_.Jump(kGoto, done);
  code_.Bind(otherwise);
  if (OneIn(2)) Statements(depth);
  code_.Bind(done);
}

// Some are left by a condition, some go on at their start from the middle.
void MethodGenerator::Loop(int depth) {
  if (loops_ == kMostLoops) return Assign();
  const auto counter = static_cast<uint16_t>(local::kCounters + loops_++);
  const CodeBuilder::Label start = code_.NewLabel(), done = code_.NewLabel();
  PushInt(static_cast<int32_t>(1 + Below(loops_ == 1 ? 40 : 6)));
  code_.Local(kIstore, counter);
  code_.Bind(start);
  code_.Increment(counter, -1);
  code_.Local(kIload, counter);
  code_.Jump(static_cast<uint8_t>(kIfge - 1), done);  // iflt
  Statements(depth);
  if (OneIn(3)) Condition(start);
  if (OneIn(4)) Condition(done);
  code_.Jump(kGoto, start);
  code_.Bind(done);
  --loops_;
}

void MethodGenerator::Switch(int depth) {
  const CodeBuilder::Label otherwise = code_.NewLabel(), done = code_.NewLabel();
  std::vector<CodeBuilder::Label> targets;
  const uint32_t count = 1 + Below(9);
  for (uint32_t i = 0; i < count; ++i) targets.push_back(code_.NewLabel());
  IntExpression(2);
  if (OneIn(2)) {
    PushInt(15);
    code_.Op(126);  // iand
    code_.TableSwitch(static_cast<int32_t>(Below(5)), targets, otherwise);
  } else {
    std::vector<std::pair<int32_t, CodeBuilder::Label>> cases;
    int32_t key = -static_cast<int32_t>(Below(100));
    for (const CodeBuilder::Label target : targets) {
      cases.emplace_back(key, target);
      key += 1 + static_cast<int32_t>(Below(OneIn(4) ? 100000 : 3));
    }
    code_.LookupSwitch(cases, otherwise);
  }
  for (const CodeBuilder::Label target : targets) {
    code_.Bind(target);
    if (OneIn(2)) Statement(depth);
    if (!OneIn(3)) code_.Jump(kGoto, done);
  }
  code_.Bind(otherwise);
  Statement(depth);
  code_.Bind(done);
}

void MethodGenerator::Try(int depth) {
  constexpr std::array kTypes = {"java/lang/ArithmeticException",
                                 "java/lang/RuntimeException",
                                 "java/lang/NullPointerException",
                                 "java/lang/IndexOutOfBoundsException",
                                 "java/lang/ClassCastException",
                                 "yieldpoint/generated/Problem",
                                 "java/lang/Throwable"};
  const CodeBuilder::Label start = code_.NewLabel(), end = code_.NewLabel(),
                           handler = code_.NewLabel(), any = code_.NewLabel(),
                           done = code_.NewLabel();
  const bool has_any = OneIn(3);
  code_.Bind(start);
  Statements(depth);
  code_.Op(0);  // The range is not empty.
  code_.Bind(end);
  code_.Jump(kGoto, done);
  const auto caught = static_cast<uint16_t>(local::kCaught + depth);
  code_.Bind(handler);
  code_.Local(kAstore, caught);
  Statement(depth);
  if (OneIn(4)) {
    code_.Local(kAload, caught);
    code_.Op(kAthrow);
  } else {
    code_.Local(kAload, caught);
    code_.Local(kAstore, local::kObject);
    code_.Jump(kGoto, done);
  }
  if (has_any) {
    code_.Bind(any);
    code_.Op(kPop);
    code_.Increment(local::kInt2, 3);
    code_.Jump(kGoto, done);
  }
  code_.Bind(done);
  code_.Catch(start, end, handler, constants_.Class(kTypes[Below(kTypes.size())]));
  if (OneIn(2)) {
    code_.Catch(start, end, handler, constants_.Class(kTypes[Below(kTypes.size())]));
  }
  if (has_any) code_.Catch(start, end, any, 0);
}

// As javac does: whatever is thrown inside leaves the monitor first.
void MethodGenerator::Synchronized(int depth) {
  if (monitors_ == kMostMonitors) return Assign();
  const auto lock = static_cast<uint16_t>(local::kLocks + monitors_++);
  const CodeBuilder::Label start = code_.NewLabel(), end = code_.NewLabel(),
                           handler = code_.NewLabel(), handler_end = code_.NewLabel(),
                           done = code_.NewLabel();
  if (OneIn(2)) {
    code_.Local(kAload, local::kInts);
  } else {
    HelperExpression(1);
  }
  code_.Op(kDup);
  code_.Local(kAstore, lock);
  code_.Op(kMonitorenter);
  code_.Bind(start);
  Statements(depth);
  code_.Local(kAload, lock);
  code_.Op(kMonitorexit);
  code_.Bind(end);
  code_.Jump(kGoto, done);
  code_.Bind(handler);
  code_.Local(kAload, lock);
  code_.Op(kMonitorexit);
  code_.Bind(handler_end);
  code_.Op(kAthrow);
  code_.Bind(done);
  code_.Catch(start, end, handler, 0);
  code_.Catch(handler, handler_end, handler, 0);
  --monitors_;
}

void MethodGenerator::Throw() {
  const CodeBuilder::Label done = code_.NewLabel();
  Condition(done);
  code_.Op2(kNew, constants_.Class("yieldpoint/generated/Problem"));
  code_.Op(kDup);
  code_.Op2(kInvokespecial, constants_.Constructor("yieldpoint/generated/Problem"));
  code_.Op(kAthrow);
  code_.Bind(done);
}

void MethodGenerator::Assign() {
  const Value type = AnyValue();
  Expression(type, 3);
  constexpr uint16_t kFirst[] = {local::kInt2, local::kLong2, local::kFloat2, local::kDouble2,
                                 local::kHelper2};
  uint16_t index = kFirst[static_cast<size_t>(type)];
  if (type == Value::kInt && OneIn(3)) index = local::kWideInt;
  if (type == Value::kLong && OneIn(3)) index = local::kWideLong;
  if (type == Value::kInt && OneIn(3)) index = local::kInt;
  if (type == Value::kDouble && OneIn(3)) index = local::kDouble;
  code_.Local(kStores[static_cast<size_t>(type)], index);
}

void MethodGenerator::StoreField() {
  struct Field {
    const char* name;
    const char* descriptor;
    Value type;
    bool is_static;
  };
  constexpr std::array<Field, 15> kFields = {
      {{"i", "I", Value::kInt, false},
       {"j", "J", Value::kLong, false},
       {"f", "F", Value::kFloat, false},
       {"d", "D", Value::kDouble, false},
       {"b", "B", Value::kInt, false},
       {"s", "S", Value::kInt, false},
       {"c", "C", Value::kInt, false},
       {"z", "Z", Value::kInt, false},
       {"next", "Lyieldpoint/generated/Helper;", Value::kHelper, false},
       {"o", "Ljava/lang/Object;", Value::kObject, false},
       {"vj", "J", Value::kLong, false},
       {"si", "I", Value::kInt, true},
       {"sj", "J", Value::kLong, true},
       {"sd", "D", Value::kDouble, true},
       {"so", "Ljava/lang/Object;", Value::kObject, true}}};
  const Field& field = kFields[Below(kFields.size())];
  if (!field.is_static) HelperExpression(2);
  Expression(field.type, 3);
  code_.Op2(field.is_static ? kPutstatic : kPutfield,
            constants_.Field(field.name, field.descriptor));
}

void MethodGenerator::StoreArray() {
  struct Array {
    uint16_t local;
    Value type;
    uint8_t store;
  };
  constexpr std::array<Array, 9> kArrays = {{{local::kInts, Value::kInt, kIastore},
                                             {local::kLongs, Value::kLong, kLastore},
                                             {local::kFloats, Value::kFloat, kFastore},
                                             {local::kDoubles, Value::kDouble, kDastore},
                                             {local::kObjects, Value::kObject, kAastore},
                                             {local::kBytes, Value::kInt, kBastore},
                                             {local::kBooleans, Value::kInt, kBastore},
                                             {local::kChars, Value::kInt, kCastore},
                                             {local::kShorts, Value::kInt, kSastore}}};
  const Array& array = kArrays[Below(kArrays.size())];
  code_.Local(kAload, array.local);
  Index(2);
  Expression(array.type, 3);
  code_.Op(array.store);
}

// A local that holds one type here and another one there, and is read only where it is known.
void MethodGenerator::Scratch() {
  constexpr uint8_t kLoads[] = {kIload, kLload, kFload, kDload, kAload};
  const auto index = static_cast<uint16_t>(local::kScratch + Below(4));
  const Value type = AnyValue();
  Expression(type, 2);
  code_.Local(kStores[static_cast<size_t>(type)], index);
  code_.Local(kLoads[static_cast<size_t>(type)], index);
  code_.Op(type == Value::kLong || type == Value::kDouble ? kPop2 : kPop);
}

// dup and its kin, on ints and longs, whose results all meet in a sum.
void MethodGenerator::Shuffle() {
  constexpr uint8_t kDupX1 = 90, kDupX2 = 91, kDup2 = 92, kDup2X1 = 93, kDup2X2 = 94, kSwap = 95;
  const auto ints = [&](int count) {
    for (int i = 0; i < count; ++i) IntExpression(1);
  };
  const auto sum_ints = [&](int count) {
    for (int i = 1; i < count; ++i) code_.Op(i % 2 == 0 ? kIxor : kIsub);
    code_.Local(kIstore, local::kInt2);
  };
  switch (Below(8)) {
    case 0:
      ints(2);
      code_.Op(kDupX1);
      return sum_ints(3);
    case 1:
      ints(3);
      code_.Op(kDupX2);
      return sum_ints(4);
    case 2:
      ints(2);
      code_.Op(kDup2);
      return sum_ints(4);
    case 3:
      ints(3);
      code_.Op(kDup2X1);
      return sum_ints(5);
    case 4:
      ints(4);
      code_.Op(kDup2X2);
      return sum_ints(6);
    case 5:
      ints(2);
      code_.Op(kSwap);
      return sum_ints(2);
    case 6:  // long, int: dup_x2
      LongExpression(1);
      ints(1);
      code_.Op(kDupX2);
      code_.Op(kI2l);
      code_.Op(kLxor);
      code_.Op(kL2i);
      return sum_ints(2);
    default:  // long, long: dup2_x2
      LongExpression(1);
      LongExpression(1);
      code_.Op(kDup2X2);
      code_.Op(kLadd);
      code_.Op(kLxor);
      return code_.Local(kLstore, local::kLong2);
  }
}

}  // namespace yp::compiler
