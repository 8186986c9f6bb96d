#include "compiler/backend/optimizing_compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "compiler/backend/optimizing_compiler_for_test.h"
#include "compiler/baseline/leaf_functions_for_test.h"

namespace yp::compiler {
namespace {

using Opcodes = std::initializer_list<uint8_t>;

constexpr int64_t kInts[] = {0, 1, -1, 2, 7, -8, 31, 33, 255, 65536, INT32_MAX, INT32_MIN};
constexpr int64_t kLongs[] = {0, 1, -1, 63, 65, int64_t{1} << 40, INT64_MAX, INT64_MIN};
const double kDoubles[] = {0.0,
                           -0.0,
                           1.5,
                           -2.75,
                           1e10,
                           -1e300,
                           5e-324,
                           std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()};

// BASE is the reference: each level executes the same bytecode.
class Both {
 public:
  explicit Both(const Method& method)
      : base_(vm_, method), optimized_(vm_, method, {}, {}, &CompileOptimizedForTest) {}

  void Agree(int64_t a, int64_t b = 0, double x = 0, double y = 0) const {
    const auto expected = base_(a, b, x, y), actual = optimized_(a, b, x, y);
    EXPECT_EQ(actual.integer, expected.integer) << a << ' ' << b << ' ' << x << ' ' << y;
  }
  void AgreeOnInts(int64_t a, int64_t b = 0, double x = 0, double y = 0) const {
    EXPECT_EQ(optimized_.Int(a, b, x, y), base_.Int(a, b, x, y))
        << a << ' ' << b << ' ' << x << ' ' << y;
  }
  void AgreeOnAllInts() const {
    for (const int64_t a : kInts) {
      for (const int64_t b : kInts) AgreeOnInts(a, b);
    }
  }
  void AgreeOnAllLongs() const {
    for (const int64_t a : kLongs) {
      for (const int64_t b : kLongs) AgreeOnInts(a, b);
    }
  }
  void AgreeOnAllPairsOfDoubles() const {
    for (const double x : kDoubles) {
      for (const double y : kDoubles) AgreeOnInts(0, 0, x, y);
    }
  }
  void AgreeOnDoubles(double x, double y, int64_t a = 0) const {
    const double expected = base_(a, 0, x, y).number, actual = optimized_(a, 0, x, y).number;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(actual)) << x << ' ' << y;
    } else {
      EXPECT_EQ(std::bit_cast<int64_t>(actual), std::bit_cast<int64_t>(expected)) << x << ' ' << y;
    }
  }

 private:
  const VmLayout vm_ = Vm();
  Running base_;
  Running optimized_;
};

TEST(OptimizingCompiler, ComputesIntsAsBaseDoes) {
  // add, sub, mul, div, rem, shl, shr, ushr, and, or, xor
  for (const uint8_t opcode : Opcodes{96, 100, 104, 108, 112, 120, 122, 124, 126, 128, 130}) {
    const Both both(MethodOf("(II)I", {kIload0, kIload1, opcode, kIreturn}));
    const bool divides = opcode == 108 || opcode == 112;
    for (const int64_t a : kInts) {
      for (const int64_t b : kInts) {
        if (!divides || b != 0) both.AgreeOnInts(a, b);
      }
    }
  }
}

TEST(OptimizingCompiler, ComputesLongsAsBaseDoes) {
  for (const uint8_t opcode : Opcodes{97, 101, 105, 109, 113, 127, 129, 131}) {
    const Both both(MethodOf("(JJ)J", {kLload0, kLload2, opcode, kLreturn}));
    const bool divides = opcode == 109 || opcode == 113;
    for (const int64_t a : kLongs) {
      for (const int64_t b : kLongs) {
        if (!divides || b != 0) both.Agree(a, b);
      }
    }
  }
  for (const uint8_t opcode : Opcodes{121, 123, 125}) {  // shifts
    const Both both(MethodOf("(JI)J", {kLload0, 28, opcode, kLreturn}));
    for (const int64_t a : kLongs) {
      for (const int64_t b : kInts) both.Agree(a, b);
    }
  }
}

TEST(OptimizingCompiler, ComputesWithConstantsAsBaseDoes) {
  for (const uint8_t opcode : Opcodes{96, 100, 104, 108, 112, 120, 122, 124, 126, 128, 130}) {
    for (const uint8_t constant : Opcodes{0, 1, 2, 7, 8, 33, 128, 255}) {
      const bool divides = opcode == 108 || opcode == 112;
      if (divides && constant == 0) continue;
      const Both right(MethodOf("(I)I", {kIload0, 16, constant, opcode, kIreturn}));
      const Both left(MethodOf("(I)I", {16, constant, kIload0, opcode, kIreturn}));
      const Both twice(
          MethodOf("(I)I", {kIload0, 16, constant, opcode, 16, constant, opcode, kIreturn}));
      for (const int64_t a : kInts) {
        right.AgreeOnInts(a);
        twice.AgreeOnInts(a);
        if (!divides || a != 0) left.AgreeOnInts(a);
      }
    }
  }
}

TEST(OptimizingCompiler, DividesByConstantsAsBaseDoes) {
  for (const uint8_t opcode : Opcodes{108, 112}) {
    for (const int32_t constant : {3, -3, 10, -10, 641, 1000, -1000, 0x4000, 0x7fff, -0x8000}) {
      const auto high = static_cast<uint8_t>(constant >> 8), low = static_cast<uint8_t>(constant);
      const Both both(MethodOf("(I)I", {kIload0, 17, high, low, opcode, kIreturn}));
      for (const int64_t a : kInts) {
        both.AgreeOnInts(a);
        for (const int64_t beside : {-1, 0, 1}) {
          const int64_t n = a / constant * constant + beside;
          if (n >= INT32_MIN && n <= INT32_MAX) both.AgreeOnInts(n);
        }
      }
    }
    // The smallest int and the largest: 1 << 31, -1 >>> 1.
    const Both smallest(MethodOf("(I)I", {kIload0, 4, 16, 31, 120, opcode, kIreturn}));
    const Both largest(MethodOf("(I)I", {kIload0, 2, 4, 124, opcode, kIreturn}));
    for (const int64_t a : kInts) {
      smallest.AgreeOnInts(a);
      largest.AgreeOnInts(a);
    }
  }
}

TEST(OptimizingCompiler, DividesLongsByConstantsAsBaseDoes) {
  // sipush, i2l, bipush, lshl; minus one of it, so that there are divisors of all sizes.
  for (const uint8_t opcode : Opcodes{109, 113}) {
    for (const int32_t constant : {1, -1, 3, -3, 10, -10, 641, 1000, -1000, 0x4000, -0x8000}) {
      const auto high = static_cast<uint8_t>(constant >> 8), low = static_cast<uint8_t>(constant);
      for (const uint8_t shift : Opcodes{0, 1, 17, 31, 47, 48, 62, 63}) {
        for (const uint8_t plus : Opcodes{3, 4}) {  // iconst_0, iconst_1
          const int64_t divisor =
              static_cast<int64_t>(static_cast<uint64_t>(int64_t{constant}) << shift) + plus - 3;
          if (divisor == 0) continue;
          const Both both(MethodOf("(J)J", {kLload0, 17, high, low, 133, 16, shift, 121, plus, 133,
                                            97, opcode, kLreturn}));
          for (const int64_t a : kLongs) {
            both.Agree(a);
            if (a == INT64_MIN && divisor == -1) continue;
            for (const uint64_t beside : {UINT64_MAX, uint64_t{0}, uint64_t{1}}) {
              both.Agree(
                  static_cast<int64_t>(static_cast<uint64_t>(a / divisor * divisor) + beside));
            }
          }
        }
      }
    }
  }
}

// int s = 7; for (int i = first; i ? limit; i += step) s = s * 31 + i; return s;
TEST(OptimizingCompiler, CountsAsBaseDoes) {
  struct Loop {
    uint8_t leaves;
    int32_t step;
  };
  constexpr uint8_t kIfIcmplt = 161, kIfIcmpge = 162, kIfIcmpgt = 163, kIfIcmple = 164;
  for (const Loop& loop : {Loop{kIfIcmpge, 1}, Loop{kIfIcmpge, 3}, Loop{kIfIcmpgt, 2},
                           Loop{kIfIcmple, -1}, Loop{kIfIcmplt, -3}}) {
    const Both both(MethodOf(
        "(II)I",
        {16,  7,   61,  kIload0, kIload1, loop.leaves, 0,   16, 28,
         16,  31,  104, kIload0, 96,      61,          132, 0,  static_cast<uint8_t>(loop.step),
         167, 255, 241, 28,      kIreturn}));
    // At the ends of the ints as well, where the counter does not wrap.
    for (const int64_t limit :
         {int64_t{0}, int64_t{1000}, int64_t{INT32_MAX} - 40, int64_t{INT32_MAX} - 3,
          int64_t{INT32_MIN} + 3, int64_t{INT32_MIN}}) {
      for (int64_t iterations = -2; iterations < 22; ++iterations) {
        for (const int64_t more : {0, 1}) {
          const int64_t first = limit - loop.step * iterations - more;
          if (first < INT32_MIN || first > INT32_MAX) continue;
          if (loop.step < 0 && limit < INT32_MIN + 3) continue;
          both.AgreeOnInts(first, limit);
        }
      }
    }
  }
}

TEST(OptimizingCompiler, ComputesDoublesAsBaseDoes) {
  for (const uint8_t opcode : Opcodes{99, 103, 107, 111}) {
    const Both both(MethodOf("(DD)D", {kDload0, kDload2, opcode, kDreturn}));
    const Both reverse(MethodOf("(DD)D", {kDload2, kDload0, opcode, kDreturn}));
    const Both constant(MethodOf("(DD)D", {kDload0, 15, opcode, kDreturn}));  // dconst_1
    for (const double x : kDoubles) {
      for (const double y : kDoubles) {
        both.AgreeOnDoubles(x, y);
        reverse.AgreeOnDoubles(x, y);
        constant.AgreeOnDoubles(x, y);
      }
    }
  }
  const Both negated(MethodOf("(D)D", {kDload0, 119, kDreturn}));
  for (const double x : kDoubles) negated.AgreeOnDoubles(x, 0);
}

TEST(OptimizingCompiler, ConvertsAsBaseDoes) {
  for (const uint8_t opcode : Opcodes{145, 146, 147}) {  // i2b, i2c, i2s
    const Both both(MethodOf("(I)I", {kIload0, opcode, kIreturn}));
    for (const int64_t a : kInts) both.AgreeOnInts(a);
  }
  const Both to_int(MethodOf("(D)I", {kDload0, 142, kIreturn}));
  const Both to_long(MethodOf("(D)J", {kDload0, 143, kLreturn}));
  for (const double x : kDoubles) {
    to_int.AgreeOnInts(0, 0, x);
    to_long.Agree(0, 0, x);
  }
  const Both from_int(MethodOf("(I)D", {kIload0, 135, kDreturn}));
  const Both widened(MethodOf("(I)J", {kIload0, 133, kLreturn}));
  for (const int64_t a : kInts) {
    from_int.AgreeOnDoubles(0, 0, a);
    widened.Agree(a);
  }
}

TEST(OptimizingCompiler, BranchesAsBaseDoes) {
  // Six conditions: iload_0, iload_1, if_icmpXX +5, iconst_0, ireturn, iconst_1, ireturn
  for (uint8_t opcode = 159; opcode <= 164; ++opcode) {
    const Both both(MethodOf("(II)I", {kIload0, kIload1, opcode, 0, 5, 3, kIreturn, 4, kIreturn}));
    both.AgreeOnAllInts();
  }
  // dload_0, dload_2, dcmpX, ifXX +5
  for (const uint8_t compare : Opcodes{151, 152}) {
    for (uint8_t opcode = 153; opcode <= 158; ++opcode) {
      const Both both(
          MethodOf("(DD)I", {kDload0, kDload2, compare, opcode, 0, 5, 3, kIreturn, 4, kIreturn}));
      both.AgreeOnAllPairsOfDoubles();
    }
  }
}

// What is asked as a value: COMPARED, ifXX: c = 7 + COUNT, or 1 and 0 from the two ways.
void AsksAsBaseDoes(const char* descriptor, std::vector<uint8_t> compared, uint8_t jump,
                    void (Both::*agree)() const) {
  constexpr uint8_t kCount = 8;  // A local.
  for (const uint8_t by : {uint8_t{1}, uint8_t{0xff}}) {
    std::vector<uint8_t> code = {16, 7, 54, kCount};  // bipush 7, istore
    code.insert(code.end(), compared.begin(), compared.end());
    // jump to the load, iinc, iload, ireturn
    code.insert(code.end(), {jump, 0, 6, 132, kCount, by, 21, kCount, kIreturn});
    (Both(MethodOf(descriptor, code)).*agree)();
  }
  for (const uint8_t first : {uint8_t{3}, uint8_t{4}}) {  // iconst_0, iconst_1
    std::vector<uint8_t> code = compared;
    const auto second = static_cast<uint8_t>(7 - first);
    code.insert(code.end(), {jump, 0, 7, first, 167, 0, 4, second, kIreturn});
    (Both(MethodOf(descriptor, code)).*agree)();
  }
}

TEST(OptimizingCompiler, AsksWithoutABranchAsBaseDoes) {
  for (uint8_t jump = 159; jump <= 164; ++jump) {  // if_icmpXX
    AsksAsBaseDoes("(II)I", {kIload0, kIload1}, jump, &Both::AgreeOnAllInts);
    AsksAsBaseDoes("(II)I", {kIload0, 16, 33}, jump, &Both::AgreeOnAllInts);  // with bipush 33
  }
  for (uint8_t jump = 153; jump <= 158; ++jump) {      // ifXX
    for (const uint8_t compare : Opcodes{151, 152}) {  // dcmpl, dcmpg
      AsksAsBaseDoes("(DD)I", {kDload0, kDload2, compare}, jump, &Both::AgreeOnAllPairsOfDoubles);
      AsksAsBaseDoes("(DD)I", {kDload0, 15, compare}, jump,
                     &Both::AgreeOnAllPairsOfDoubles);  // with 1
    }
    AsksAsBaseDoes("(JJ)I", {kLload0, kLload2, 148}, jump, &Both::AgreeOnAllLongs);  // lcmp
  }
}

TEST(OptimizingCompiler, KeepsMoreValuesThanThereAreRegisters) {
  // Each of 30 locals is an affine function of the arguments and all are alive at once, in a loop
  // that runs iload_1 times and rotates nothing: local i = local i * 3 + local (i - 1).
  std::vector<uint8_t> code;
  constexpr uint8_t kFirst = 2, kCount = 30;
  for (uint8_t i = 0; i < kCount; ++i) {
    code.insert(code.end(), {kIload0, 16, i, 96, 54, static_cast<uint8_t>(kFirst + i)});
  }
  const size_t head = code.size();
  code.insert(code.end(), {kIload1, 158, 0, 0});  // ifle to the end
  for (uint8_t i = 1; i < kCount; ++i) {
    const auto own = static_cast<uint8_t>(kFirst + i);
    code.insert(code.end(), {21, own, 6, 104, 21, static_cast<uint8_t>(own - 1), 96, 54, own});
  }
  code.insert(code.end(), {132, 1, 255});  // iinc 1 -1
  const auto back = static_cast<int16_t>(static_cast<int>(head) - static_cast<int>(code.size()));
  code.insert(code.end(), {167, static_cast<uint8_t>(back >> 8), static_cast<uint8_t>(back)});
  const auto out = static_cast<int16_t>(code.size() - (head + 1));
  code[head + 2] = static_cast<uint8_t>(out >> 8);
  code[head + 3] = static_cast<uint8_t>(out);
  code.push_back(3);
  for (uint8_t i = 0; i < kCount; ++i) {
    code.insert(code.end(), {21, static_cast<uint8_t>(kFirst + i), 130});
  }
  code.push_back(kIreturn);
  Method method = MethodOf("(II)I", code);
  method.max_locals = 40;
  const Both both(method);
  for (const int64_t a : kInts) {
    for (const int64_t b : {0, 1, 2, 17}) both.AgreeOnInts(a, b);
  }
}

TEST(OptimizingCompiler, FindsTheCasesOfSwitches) {
  for (const bool is_dense : {true, false}) {
    std::vector<uint8_t> code = {kIload0, 171, 0, 0};
    const auto put = [&](int32_t value) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        code.push_back(static_cast<uint8_t>(value >> shift));
      }
    };
    constexpr int32_t kCases = 9;
    const auto key = [&](int32_t i) { return is_dense ? i - 4 + i / 5 : (i - 4) * 1000; };
    const int32_t first = 4 + 8 + 8 * kCases;
    put(first - 1);
    put(kCases);
    for (int32_t i = 0; i < kCases; ++i) {
      put(key(i));
      put(first + 3 * (i + 1) - 1);
    }
    for (uint8_t i = 0; i <= kCases; ++i) code.insert(code.end(), {16, i, kIreturn});
    const Both both(MethodOf("(I)I", code));
    for (int32_t i = 0; i < kCases; ++i) {
      for (const int32_t near : {-1, 0, 1}) both.AgreeOnInts(key(i) + near);
    }
    for (const int64_t a : kInts) both.AgreeOnInts(a);
  }
}

// An array in memory: length and elements where JDK 17 has them.
template <typename T, char kType>
struct Elements {
  Elements(const VmLayout& vm, const std::vector<T>& values) {
    const auto length = static_cast<int32_t>(values.size());
    std::memcpy(bytes + vm.array_length, &length, 4);
    if (values.empty()) return;
    std::memcpy(bytes + vm.ArrayBase(kType), values.data(), sizeof(T) * values.size());
  }
  int64_t address() const { return static_cast<int64_t>(reinterpret_cast<intptr_t>(bytes)); }
  bool operator==(const Elements& other) const {
    return std::memcmp(bytes, other.bytes, sizeof bytes) == 0;
  }
  alignas(8) uint8_t bytes[256] = {};
};
using Ints = Elements<int32_t, 'I'>;

// static int sum(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
const std::vector<uint8_t> kSum = {3,  61, 3,  62,  29, 27, 162, 0,   15,  28, 42,      29,
                                   46, 96, 61, 132, 3,  1,  167, 255, 242, 28, kIreturn};

TEST(OptimizingCompiler, ChecksAnArrayOnceForALoop) {
  const VmLayout vm = Vm();
  FakeLinkage linkage;
  Method method = MethodOf("([II)I", kSum);
  const auto code = CompileOptimizedForTest(method, linkage, vm, {});
  ASSERT_TRUE(code) << code.message();
  const auto traps = [&](Trap trap) { return code->traps[static_cast<size_t>(trap)]; };
  EXPECT_EQ(traps(Trap::kSpeculation), 1u);
  EXPECT_EQ(traps(Trap::kBounds), 0u);
  EXPECT_EQ(traps(Trap::kNullCheck), 0u);
  const Running sum(vm, method, {}, {}, &CompileOptimizedForTest);
  const Ints ints(vm, {1, 2, 3, 40, -5});
  EXPECT_EQ(sum.Int(ints.address(), 5), 41);
  EXPECT_EQ(sum.Int(ints.address(), 0), 0);
}

TEST(OptimizingCompiler, ChecksInTheLoopWhereThatHasFailed) {
  const VmLayout vm = Vm();
  FakeLinkage linkage;
  Method method = MethodOf("([II)I", kSum);
  method.speculation_failed = true;
  const auto code = CompileOptimizedForTest(method, linkage, vm, {});
  ASSERT_TRUE(code) << code.message();
  EXPECT_EQ(code->traps[static_cast<size_t>(Trap::kSpeculation)], 0u);
  EXPECT_EQ(code->traps[static_cast<size_t>(Trap::kBounds)], 1u);
}

// What a loop over two arrays of up to 24 elements stores: OPT2 in vectors, BASE one by one.
template <typename T, char kType>
void AgreeOnElements(const char* descriptor, const std::vector<uint8_t>& code,
                     const std::vector<T>& values) {
  const VmLayout vm = Vm();
  FakeLinkage linkage;
  Method method = MethodOf(descriptor, code);
  method.max_locals = 60;
  const Running base(vm, method), optimized(vm, method, {}, {}, &CompileOptimizedForTest);
  for (size_t length = 0; length <= 24; ++length) {
    std::vector<T> first, second;
    for (size_t i = 0; i < length; ++i) {
      first.push_back(values[i % values.size()]);
      second.push_back(values[(i + i / values.size() + 3) % values.size()]);
    }
    using Array = Elements<T, kType>;
    Array a(vm, first), b(vm, second), same_a = a, same_b = b;
    base(a.address(), b.address(), 1.25, -3);
    optimized(same_a.address(), same_b.address(), 1.25, -3);
    EXPECT_TRUE(a == same_a && b == same_b) << length << " elements";
    base(a.address(), a.address(), 1.25, -3);
    optimized(same_a.address(), same_a.address(), 1.25, -3);
    EXPECT_TRUE(a == same_a) << length << " elements of one array";
  }
}

// for (int i = 0; i < a.length; i++) a[i] = a[i] OPERATION b[i]
std::vector<uint8_t> Combining(uint8_t loads, uint8_t operation, uint8_t stores) {
  return {3,  61, 28,    42,        190,    162, 0, 19, 42,  28,  42,  28, loads,
          43, 28, loads, operation, stores, 132, 2, 1,  167, 255, 237, 3,  kIreturn};
}
// a[i] = a[i] SHIFT count
std::vector<uint8_t> Shifting(uint8_t loads, uint8_t count, uint8_t operation, uint8_t stores) {
  return {3,  61,    28,        42,     190, 162, 0, 18,  42,  28,  42, 28,      loads,
          16, count, operation, stores, 132, 2,   1, 167, 255, 238, 3,  kIreturn};
}

TEST(OptimizingCompiler, ComputesInVectorsAsBaseDoesOneByOne) {
  const std::vector<int32_t> ints(std::begin(kInts), std::end(kInts));
  for (const uint8_t operation : Opcodes{96, 100, 126, 128, 130}) {
    AgreeOnElements<int32_t, 'I'>("([I[I)I", Combining(46, operation, 79), ints);
  }
  const std::vector<int64_t> longs(std::begin(kLongs), std::end(kLongs));
  for (const uint8_t operation : Opcodes{97, 101, 127, 129, 131}) {
    AgreeOnElements<int64_t, 'J'>("([J[J)I", Combining(47, operation, 80), longs);
  }
  // No quotient or difference of these is a number by another way than the other.
  std::vector<float> floats;
  std::vector<double> doubles;
  for (const double value : kDoubles) {
    if (std::isnan(value)) continue;
    doubles.push_back(value);
    floats.push_back(static_cast<float>(std::clamp(value, -3e38, 3e38)));
  }
  for (const uint8_t operation : Opcodes{98, 102, 106, 110}) {
    AgreeOnElements<float, 'F'>("([F[F)I", Combining(48, operation, 81), floats);
  }
  for (const uint8_t operation : Opcodes{99, 103, 107, 111}) {
    AgreeOnElements<double, 'D'>("([D[D)I", Combining(49, operation, 82), doubles);
  }
}

TEST(OptimizingCompiler, ShiftsVectorsAsBaseDoesOneByOne) {
  const std::vector<int32_t> ints(std::begin(kInts), std::end(kInts));
  const std::vector<int64_t> longs(std::begin(kLongs), std::end(kLongs));
  for (const uint8_t count : Opcodes{0, 1, 31, 32, 33, 63, 64, 127, 255}) {
    for (const uint8_t operation : Opcodes{120, 122, 124}) {
      AgreeOnElements<int32_t, 'I'>("([I[I)I", Shifting(46, count, operation, 79), ints);
    }
    for (const uint8_t operation : Opcodes{121, 123, 125}) {
      AgreeOnElements<int64_t, 'J'>("([J[J)I", Shifting(47, count, operation, 80), longs);
    }
  }
}

// Of arrays a and b and doubles x and y, locals 0 to 5: more values than there are registers are in
// vectors that live through the block: c0 = x + y, c1 = c0 + y, ...
// for (int i = 0; i < a.length; i++) a[i] = (b[i] * c0 + c1) * c2 + ...
TEST(OptimizingCompiler, KeepsVectorsWithoutARegisterInTwoSlots) {
  constexpr uint8_t kValues = 18, kFirst = 8, kIndex = 6;
  std::vector<uint8_t> code;
  const auto add = [&code](const std::vector<uint8_t>& more) {
    code.insert(code.end(), more.begin(), more.end());
  };
  for (uint8_t k = 0; k < kValues; ++k) {
    const auto to = static_cast<uint8_t>(kFirst + 2 * k);
    add({24, static_cast<uint8_t>(k == 0 ? 2 : to - 2), 24, 4, 99, 57, to});
  }
  add({3, 54, kIndex});
  std::vector<uint8_t> body = {42, 21, kIndex, 43, 21, kIndex, 49};
  for (uint8_t k = 0; k < kValues; ++k) {
    body.insert(body.end(), {24, static_cast<uint8_t>(kFirst + 2 * k),
                             static_cast<uint8_t>(k % 2 == 0 ? 107 : 99)});
  }
  body.push_back(82);
  add({21, kIndex, 42, 190, 162, 0, static_cast<uint8_t>(9 + body.size())});
  add(body);
  add({132, kIndex, 1, 167, 255, static_cast<uint8_t>(0x100 - 10 - body.size()), 3, kIreturn});
  AgreeOnElements<double, 'D'>("([D[DDD)I", code, {0.0, -0.0, 1.5, -2.75, 1e10, 7});
}

// A static method that returns what the intrinsic, a static method too, makes of its arguments.
Running CallOf(const VmLayout& vm, const char* descriptor, const Intrinsic& intrinsic, uint8_t load,
               uint8_t returns) {
  FakeLinkage linkage;
  linkage.calls[1] = LinkOf(descriptor, intrinsic);
  return Running(vm, MethodOf(descriptor, {load, kInvokestatic, 0, 1, returns}), {}, linkage,
                 &CompileOptimizedForTest);
}

TEST(OptimizingCompiler, MakesInstructionsOfCallsThatHaveThem) {
  using enum Intrinsic::Kind;
  const VmLayout vm = Vm();
  const Running root = CallOf(vm, "(D)D", {kSquareRoot}, kDload0, kDreturn);
  const Running bits = CallOf(vm, "(D)J", {kBits, 'J'}, kDload0, kLreturn);
  const Running number = CallOf(vm, "(J)D", {kBits, 'D'}, kLload0, kDreturn);
  const Running absolute = CallOf(vm, "(D)D", {kAbsolute}, kDload0, kDreturn);
  for (const double x : kDoubles) {
    const auto as_bits = std::bit_cast<int64_t>(x);
    EXPECT_EQ(std::bit_cast<int64_t>(absolute(0, 0, -x).number), as_bits & INT64_MAX);
    EXPECT_EQ(bits(0, 0, x).integer, as_bits);
    EXPECT_EQ(std::bit_cast<int64_t>(number(as_bits).number), as_bits);
    const double expected = std::sqrt(x), actual = root(0, 0, x).number;
    EXPECT_TRUE(actual == expected || (std::isnan(actual) && std::isnan(expected))) << x;
  }
}

TEST(OptimizingCompiler, FindsTheCurrentThreadByItsHandle) {
  const VmLayout vm = Vm();
  FakeLinkage linkage;
  linkage.calls[1] = LinkOf("()Ljava/lang/Thread;", {Intrinsic::Kind::kCurrentThread});
  Running current(vm, MethodOf("()Ljava/lang/Object;", {kInvokestatic, 0, 1, 176}), {}, linkage,
                  &CompileOptimizedForTest);
  const int64_t object = 0x123456789a;
  current.Set(vm.current_thread, &object);
  EXPECT_EQ(current(0).integer, object);
}

TEST(OptimizingCompiler, LeafFunctionsKeepWhatIsNeededBehindThem) {
  LeafFunctionsForTest(&CompileOptimizedForTest).KeepWhatIsNeededBehindThem();
}

TEST(OptimizingCompiler, LeafFunctionsGiveWhatTheyReturn) {
  LeafFunctionsForTest(&CompileOptimizedForTest).GiveWhatTheyReturn();
}

TEST(OptimizingCompiler, LeafFunctionsTakeAnArrayOfTheReceivers) {
  LeafFunctionsForTest(&CompileOptimizedForTest).TakeAnArrayOfTheReceivers();
}

TEST(OptimizingCompiler, StoresWhereWhatIsExpectedIs) {
  const VmLayout vm = Vm();
  FakeLinkage linkage;  // As Unsafe.compareAndSetInt, but static: the first argument is the Unsafe.
  linkage.calls[1] =
      LinkOf("(Ljava/lang/Object;Ljava/lang/Object;JII)Z", {Intrinsic::Kind::kCompareAndSet, 'I'});
  // Of the address in the first argument, the second one expected, 5 stored.
  const Running set(vm, MethodOf("(JI)I", {1, 1, kLload0, 28, 8, kInvokestatic, 0, 1, kIreturn}),
                    {}, linkage, &CompileOptimizedForTest);
  int32_t at[2] = {7, 9};
  const auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(at));
  EXPECT_EQ(set.Int(address, 6), 0);
  EXPECT_EQ(at[0], 7);
  EXPECT_EQ(set.Int(address, 7), 1);
  EXPECT_EQ(at[0], 5);
  EXPECT_EQ(at[1], 9);
}

TEST(OptimizingCompiler, RefusesALoopWithTwoEntries) {
  //  0 iload_0  1 ifeq 8  4 iinc 1 1  7 nop  8 iinc 0 -1  11 iload_0  12 ifgt 4  15 iload_1  16
  //  ireturn with the jump at 1 into the middle of the loop 4..12, whose start is also fallen into.
  const std::vector<uint8_t> code = {kIload0, 153, 0,  7,   132, 1,   1,  0,       132,
                                     0,       255, 26, 157, 255, 248, 27, kIreturn};
  FakeLinkage linkage;
  const VmLayout vm = Vm();
  const auto compiled = CompileOptimizedForTest(MethodOf("(II)I", code), linkage, vm, {});
  EXPECT_FALSE(compiled);
  EXPECT_EQ(compiled.message(), "a loop with two entries");
}

TEST(OptimizingCompiler, RefusesCallerIndexedCodeTargets) {
  FakeLinkage linkage;
  const VmLayout vm = Vm();
  RuntimePlaces places;
  places.targets.emplace();
  const auto compiled =
      CompileOptimizedForTest(MethodOf("()I", {3, kIreturn}), linkage, vm, places);
  EXPECT_FALSE(compiled);
}

}  // namespace
}  // namespace yp::compiler
