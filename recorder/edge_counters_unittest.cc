#include "recorder/edge_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace yp {
namespace {

using ::testing::IsEmpty;

std::map<uint32_t, uint64_t> Counts(const EdgeCounters& counters) {
  std::map<uint32_t, uint64_t> counts;
  counters.ForEach([&](EdgeId edge, uint64_t n) { counts[ToIndex(edge)] += n; });
  return counts;
}

TEST(EdgeCountersTest, CountEachEdgeOnItsOwn) {
  EdgeCounters counters;
  EXPECT_THAT(Counts(counters), IsEmpty());
  for (const uint32_t edge : {1u, 1023u, 1024u, 1u, (4u << 20) - 1}) {
    EXPECT_TRUE(counters.Increment(EdgeId{edge}));
  }
  EXPECT_EQ(Counts(counters),
            (std::map<uint32_t, uint64_t>{{1, 2}, {1023, 1}, {1024, 1}, {(4u << 20) - 1, 1}}));
}

TEST(EdgeCountersTest, RefuseAnEdgeThatIsOutOfRange) {
  EdgeCounters counters;
  EXPECT_FALSE(counters.Increment(EdgeId{4u << 20}));
  EXPECT_FALSE(counters.Increment(EdgeId{0xffffffff}));
  EXPECT_THAT(Counts(counters), IsEmpty());
}

}  // namespace
}  // namespace yp
