#include "hotspot/support/drops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(DropsTest, OnlyReasonsThatOccurredAreTold) {
  Drops drops;
  EXPECT_THAT(drops.Totals(), IsEmpty());
  drops.Add(Drop::kRingFull);
  drops.Add(Drop::kRingFull, 4);
  drops.AddMethod(classfile::ProbeOutcome::kPoolFull);
  const std::string left =
      "method left: " + std::string(ToString(classfile::ProbeOutcome::kPoolFull));
  EXPECT_THAT(drops.Totals(), ElementsAre(Pair("ring_full", 5), Pair(left, 1)));
  drops.Reset();
  EXPECT_THAT(drops.Totals(), IsEmpty());
}

TEST(DropsTest, EveryReasonHasANameOfItsOwn) {
  Drops drops;
  for (int i = 0; i < static_cast<int>(Drop::kCount); ++i) drops.Add(static_cast<Drop>(i));
  for (int i = 0; i < classfile::kProbeOutcomes; ++i) {
    drops.AddMethod(static_cast<classfile::ProbeOutcome>(i));
  }
  std::set<std::string> names;
  for (const auto& [name, total] : drops.Totals()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(name, "unknown");
    EXPECT_EQ(total, 1u);
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(Drop::kCount) + classfile::kProbeOutcomes);
}

}  // namespace
}  // namespace yp::hotspot
