#include "format/profile/drop_reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yp {
namespace {

std::string InWords(const Profile& profile) {
  std::string text;
  for (const Dropped& drop : DropsOf(profile)) {
    text += drop.reason + " " + std::to_string(drop.count) + " " +
            std::string(ToString(drop.kind)) + (drop.is_sample ? " sample; " : "; ");
  }
  return text;
}

TEST(DropReasonsTest, WhatThereWasNothingToSeeOfIsNoLossAndWhatIsNotKnownIsOne) {
  Profile profile;
  profile.drops = {{"never_heard_of", 1},
                   {"in_compiler", 50},
                   {"ring_full", 3},
                   {"walk_mismatch", 2},
                   {"contexts_full", 0}};
  EXPECT_EQ(InWords(profile),
            "in_compiler 50 nothing to see; ring_full 3 lost sample; walk_mismatch 2 corrected; "
            "never_heard_of 1 lost; ");
}

TEST(DropReasonsTest, AReasonWithoutWordsHasItsNameAndAMethodKeepsWhyItWasLeft) {
  Profile profile;
  profile.drops = {{"never_heard_of", 2}, {"method left: code too large", 1}};
  const std::vector<Dropped> drops = DropsOf(profile);
  ASSERT_EQ(drops.size(), 2u);
  EXPECT_EQ(drops[0].words, "never heard of");
  EXPECT_EQ(drops[1].words, "methods that could not be observed: code too large");
}

}  // namespace
}  // namespace yp
