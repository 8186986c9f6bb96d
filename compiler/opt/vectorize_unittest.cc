#include "compiler/opt/vectorize.h"

#include <gtest/gtest.h>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/fields_for_test.h"
#include "compiler/opt/optimize_for_test.h"

namespace yp::compiler {
namespace {

using Bytes = std::vector<uint8_t>;
using ir::GraphForTest;
using ir::Op;

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr uint8_t kIloads = 46, kLloads = 47, kDloads = 49;
constexpr uint8_t kIstores = 79, kLstores = 80, kDstores = 82, kBstores = 84;
constexpr uint8_t kIadd = 96, kDadd = 99, kDsub = 103, kImul = 104, kDmul = 107, kIshl = 120;

// Of a static method whose arguments are double[] a, b, int[] c, double x, an int n, an object, and
// a long[]: locals 0 to 3, 5 to 7; i is local 8.
const char* const kDescriptor = "([D[D[IDILjava/lang/Object;[J)V";
const Bytes kX = {24, 3};

// array[i + added]
Bytes Load(uint8_t array, uint8_t loads, int8_t added = 0) {
  return {25, array, 21, 8, 16, static_cast<uint8_t>(added), kIadd, loads};
}
// array[i + added] = value
Bytes Store(uint8_t array, uint8_t stores, const Bytes& value, int8_t added = 0) {
  const Bytes place = {25, array, 21, 8, 16, static_cast<uint8_t>(added), kIadd};
  return place + value + Bytes{stores};
}

struct Counts {
  size_t loads = 0, stores = 0, broadcasts = 0, single = 0;
  bool operator==(const Counts&) const = default;
};

// for (int i = first; i < n; i += step) BODY; what of it is in vectors, and in single stores.
Counts CountsOf(const Bytes& body, uint8_t step = 1, const Bytes& first = {3}) {
  const auto size = static_cast<uint8_t>(body.size());
  const GraphForTest test(
      kDescriptor,
      first + Bytes{54, 8, 21, 8, 21, 5, 162, 0, static_cast<uint8_t>(9 + size)} + body +
          Bytes{132, 8, step, 167, 255, static_cast<uint8_t>(0x100 - 10 - size)} + Bytes{177},
      FieldsForTest());
  OptimizeAndCheck(test);
  return {test.CountInLoops(Op::kLoadVector), test.CountInLoops(Op::kStoreVector),
          test.CountInLoops(Op::kBroadcast), test.CountInLoops(Op::kStoreElement)};
}

bool IsPacked(const Bytes& body, uint8_t step = 1) { return CountsOf(body, step).stores > 0; }

TEST(Vectorize, MakesPacksOfWhatIsLoadedComputedAndStored) {
  // a[i] -= x * b[i]
  const Bytes product = kX + Load(1, kDloads) + Bytes{kDmul};
  EXPECT_EQ(CountsOf(Store(0, kDstores, Load(0, kDloads) + product + Bytes{kDsub})),
            (Counts{2 * 2, 2, 1, 1}));
  // c[i] = c[i] << 3
  EXPECT_EQ(CountsOf(Store(2, kIstores, Load(2, kIloads) + Bytes{6, kIshl})), (Counts{2, 2, 0, 1}));
  // a[i] = x
  EXPECT_EQ(CountsOf(Store(0, kDstores, kX)), (Counts{0, 2, 1, 1}));
}

TEST(Vectorize, MakesAsManyIterationsOfOneAsPacksHaveElements) {
  // c[i] = 7, and the poll's state is that of the last of eight iterations.
  const GraphForTest test(
      "([II)V", {3, 61, 28, 27, 162, 0, 14, 42, 28, 16, 7, 79, 132, 2, 1, 167, 255, 243, 177});
  OptimizeAndCheck(test);
  std::vector<int64_t> counted, behind;
  for (const ir::Block* const block : test.graph->order) {
    for (const ir::Node* const node : block->nodes) {
      if (node->op == Op::kStoreVector) behind.push_back(node->bits);
      if (node->op != Op::kPoll || block->loop_depth == 0) continue;
      counted.push_back(ir::Resolve(node->state->locals[2])->in[1]->bits);
    }
  }
  EXPECT_EQ(counted, (std::vector<int64_t>{8, 1}));
  EXPECT_EQ(behind, (std::vector<int64_t>{0, 4}));
}

TEST(Vectorize, CountsDownAsWell) {
  // for (int i = n; i >= 0; i--) b[i] = a[i + ADDED], both int[]; where the packs are
  const auto places = [](uint8_t added) {
    const GraphForTest test("([I[II)V", {28,    62, 29, 155, 0,   18, 43,  29,  42,  29,  16,
                                         added, 96, 46, 79,  132, 3,  255, 167, 255, 240, 177});
    OptimizeAndCheck(test);
    std::vector<int64_t> behind;
    for (const ir::Block* const block : test.graph->order) {
      for (const ir::Node* const node : block->nodes) {
        if (node->op == Op::kStoreVector) behind.push_back(node->bits);
      }
    }
    return behind;
  };
  EXPECT_EQ(places(0), (std::vector<int64_t>{-3, -7}));
  EXPECT_EQ(places(1), std::vector<int64_t>{});  // What the iteration before has stored.
  EXPECT_EQ(places(0xff), (std::vector<int64_t>{-3, -7}));
}

TEST(Vectorize, ReadsAFieldThatTheLoopDoesNotChangeOnce) {
  // c[i] = c[i] + object.field
  const Bytes sum = Load(2, kIloads) + Bytes{25, 6, 180, 0, 1, kIadd};
  EXPECT_EQ(CountsOf(Store(2, kIstores, sum)), (Counts{2, 2, 1, 1}));
  const Bytes sum_volatile = Load(2, kIloads) + Bytes{25, 6, 180, 0, 3, kIadd};
  EXPECT_FALSE(IsPacked(Store(2, kIstores, sum_volatile)));
  EXPECT_FALSE(IsPacked(Store(2, kIstores, sum) + Bytes{25, 6, 4, 181, 0, 1}));
}

TEST(Vectorize, KeepsTheOrderOfWhatMayBeOneElement) {
  const auto copies = [](int8_t from, int8_t to) {
    return IsPacked(Store(0, kDstores, Load(1, kDloads, from), to));
  };
  EXPECT_TRUE(copies(0, 0));
  EXPECT_TRUE(copies(1, 0));  // Loaded before the next iteration stores it, in a pack as well.
  EXPECT_TRUE(copies(5, 0));
  EXPECT_FALSE(copies(0, 1));  // What an iteration of the same pack has stored.
  EXPECT_TRUE(copies(0, 2));   // What one of the pack before has.
  const auto copies_ints = [](int8_t from, int8_t to) {
    return IsPacked(Store(2, kIstores, Load(2, kIloads, from) + Bytes{4, kIadd}, to));
  };
  EXPECT_FALSE(copies_ints(0, 2));
  EXPECT_FALSE(copies_ints(0, 3));
  EXPECT_TRUE(copies_ints(3, 0));
}

TEST(Vectorize, KeepsTheOrderOfStores) {
  const auto stores = [](int8_t first, int8_t second) {
    return IsPacked(Store(0, kDstores, kX, first) +
                    Store(1, kDstores, Load(1, kDloads, 6), second));
  };
  EXPECT_TRUE(stores(0, 0));
  EXPECT_TRUE(stores(1, 0));
  EXPECT_FALSE(stores(0, 1));
  EXPECT_TRUE(stores(0, 2));
}

TEST(Vectorize, TakesArraysOfDifferentTypesForDifferentOnes) {
  // a[i + 1] = b[i + 1] beside e[i] = e[i] of longs
  const Bytes doubles = Store(0, kDstores, Load(1, kDloads, 1), 1);
  const Bytes longs = Store(7, kLstores, Load(7, kLloads));
  EXPECT_EQ(CountsOf(longs + doubles).stores, 2u * 2u);
}

TEST(Vectorize, LeavesAloneWhatIterationsCarry) {
  // a[i] = a[i - 1] + x, whose sum comes in a register; the last one of a[i] is known behind it
  EXPECT_FALSE(IsPacked(Store(0, kDstores, Load(0, kDloads, -1) + kX + Bytes{kDadd})));
  // x += b[i]; a[i] = b[i]
  const Bytes copy = Store(0, kDstores, Load(1, kDloads));
  EXPECT_FALSE(IsPacked(kX + Load(1, kDloads) + Bytes{kDadd, 57, 3} + copy));
  // a[i] = x; x = b[i]
  EXPECT_FALSE(IsPacked(Store(0, kDstores, kX) + Load(1, kDloads) + Bytes{57, 3}));
}

TEST(Vectorize, LeavesAloneElementsOfDifferentSizes) {
  EXPECT_FALSE(IsPacked(Store(0, kDstores, kX) + Store(2, kIstores, {4})));
}

TEST(Vectorize, LeavesAloneWhatHasNoInstruction) {
  EXPECT_FALSE(IsPacked(Store(2, kIstores, Load(2, kIloads) + Load(2, kIloads, 1) + Bytes{kImul})));
  EXPECT_FALSE(IsPacked(Store(2, kIstores, {21, 8})));  // c[i] = i
  EXPECT_FALSE(IsPacked(Store(6, kBstores, {4})));      // Of bytes.
}

TEST(Vectorize, LeavesAloneOtherIndices) {
  EXPECT_FALSE(IsPacked({25, 0, 3, 24, 3, kDstores}));                  // a[0] = x
  EXPECT_FALSE(IsPacked(Store(0, kDstores, {25, 0, 3, kDloads})));      // a[i] = a[0]
  EXPECT_FALSE(IsPacked({25, 2, 25, 2, 21, 8, kIloads, 4, kIstores}));  // c[c[i]] = 1
  EXPECT_FALSE(IsPacked(Store(0, kDstores, Load(1, kDloads)), 2));      // i += 2
}

TEST(Vectorize, LeavesCallsAndReferencesAlone) {
  const Bytes copy = Store(0, kDstores, Load(1, kDloads));
  EXPECT_TRUE(IsPacked(copy));
  EXPECT_FALSE(IsPacked(copy + Bytes{184, 0, 6}));
  EXPECT_FALSE(IsPacked(copy + Bytes{25, 6, 25, 6, 181, 0, 8}));
}

TEST(Vectorize, LeavesLoopsWithChecksAlone) {
  // The index of the second access is no counter, so that its check stays.
  const Bytes copy = Store(0, kDstores, Load(1, kDloads));
  EXPECT_FALSE(IsPacked(copy + Bytes{25, 2, 21, 8, 5, kIshl, 4, kIstores}));
}

TEST(Vectorize, LeavesLoopsAloneThatAreKnownToBeShort) {
  // for (int i = 0; i < N; i++) c[i] = 7
  const auto packs = [](uint8_t n) {
    const GraphForTest test(
        "([I)V", {3, 60, 27, 16, n, 162, 0, 14, 42, 27, 16, 7, 79, 132, 1, 1, 167, 255, 242, 177});
    return OptimizeAndCheck(test).CountInLoops(Op::kStoreVector);
  };
  EXPECT_EQ(packs(15), 0u);
  EXPECT_EQ(packs(16), 2u);
}

}  // namespace
}  // namespace yp::compiler
