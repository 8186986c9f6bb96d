#include "compiler/backend/parallel_move.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace yp::compiler {
namespace {

using Where = Location::Where;
constexpr RegisterNumber kAside = 10, kAsideXmm = 31;

using Places = std::map<std::pair<Where, int32_t>, int>;

// What is where behind the moves, one after the other.
Places After(const std::vector<Move>& moves, Places places) {
  for (const Move& move : moves) {
    places[{move.to.where, move.to.number}] = places[{move.from.where, move.from.number}];
  }
  return places;
}

TEST(ParallelMove, DoesWhatMovesAtOnceDo) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    // Eight places of both kinds of memory; each is written once or not at all, from any.
    std::vector<Location> all;
    for (int32_t i = 0; i < 5; ++i) all.push_back({Where::kRegister, i, nullptr});
    for (int32_t i = 0; i < 3; ++i) all.push_back({Where::kSlot, i, nullptr});
    Places before;
    for (size_t i = 0; i < all.size(); ++i) {
      before[{all[i].where, all[i].number}] = static_cast<int>(i);
    }
    std::vector<Move> moves;
    Places expected = before;
    for (const Location& to : all) {
      if (random() % 4 == 0) continue;
      const Location& from = all[random() % all.size()];
      moves.push_back({from, to, Kind::kLong});
      expected[{to.where, to.number}] = before[{from.where, from.number}];
    }
    Places after = After(Sequence(moves, kAside, kAsideXmm), before);
    after.erase({Where::kRegister, kAside});
    EXPECT_EQ(after, expected);
  }
}

TEST(ParallelMove, LeavesOutWhatIsInPlace) {
  const Location place{Where::kSlot, 3, nullptr};
  EXPECT_TRUE(Sequence({{place, place, Kind::kInt}}, kAside, kAsideXmm).empty());
}

TEST(ParallelMove, KeepsDoublesInRegistersOfTheirOwn) {
  const Location a{Where::kRegister, 16, nullptr}, b{Where::kRegister, 17, nullptr};
  const auto moves = Sequence({{a, b, Kind::kDouble}, {b, a, Kind::kDouble}}, kAside, kAsideXmm);
  ASSERT_EQ(moves.size(), 3u);
  EXPECT_EQ(moves[0].to.number, kAsideXmm);
}

}  // namespace
}  // namespace yp::compiler
