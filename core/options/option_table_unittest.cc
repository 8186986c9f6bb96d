#include "core/options/option_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/options/option_description.h"
#include "core/options/option_string.h"

namespace yp {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

TEST(OptionTableTest, NamesAreUniqueAndEveryValueHasItsPlace) {
  std::set<std::string_view> flags, keys, described;
  std::set<int> ranks;
  for (const RecordingOption& option : RecordingOptionTable()) {
    const std::string name = std::string(option.flag) + " " + std::string(option.key);
    EXPECT_FALSE(option.flag.empty() && option.key.empty());
    if (!option.flag.empty()) {
      EXPECT_TRUE(flags.insert(option.flag).second) << name;
      EXPECT_FALSE(option.help.empty()) << name;
    }
    EXPECT_EQ(option.works == nullptr, option.needs.empty()) << name;
    EXPECT_EQ(option.described_as.empty(), option.is_described == nullptr) << name;
    if (!option.described_as.empty()) {
      EXPECT_TRUE(described.insert(option.described_as).second) << name;
    }
    if (option.key.empty()) continue;
    EXPECT_TRUE(keys.insert(option.key).second) << name;
    EXPECT_EQ(option.words.empty(), option.field != nullptr) << name;
    EXPECT_NE(option.field != nullptr, option.word.get != nullptr || option.switched != nullptr)
        << name;
    const bool is_last = option.rank == RecordingOption().rank;
    EXPECT_TRUE(is_last || ranks.insert(option.rank).second) << name;
  }
}

TEST(OptionTableTest, TheDefaultsAreUnderstoodAsTheyAreTold) {
  RecordingOptions defaults;
  defaults.spool = "s";
  const Result<RecordingOptions> parsed = ParseOptionString(WriteOptionString(defaults));
  ASSERT_TRUE(parsed.ok()) << parsed.message();
  for (const RecordingOption& option : RecordingOptionTable()) {
    if (option.key.empty()) continue;
    EXPECT_EQ(TextsOf(option, *parsed), TextsOf(option, defaults)) << option.key;
  }
}

TEST(OptionTableTest, EveryWordIsUnderstood) {
  for (const RecordingOption& option : RecordingOptionTable()) {
    for (const OptionWord& word : option.words) {
      if (option.key.empty()) continue;
      RecordingOptions options;
      const std::string text(word.word);
      EXPECT_EQ(SetFromText(option, text, &options).ok(), word.is_taken) << option.key << text;
      EXPECT_TRUE(!word.is_taken || WordOf(option, options) == word.word) << option.key;
    }
  }
}

TEST(OptionTableTest, ATimersWindowsAreDescribedByWhatTheyAmountTo) {
  RecordingOptions options;
  options.mode = RecordingOptions::Mode::kTimer;
  options.policy.kind = PolicyOptions::Kind::kTimer;
  const auto timer = DescribeOptions(options, {});
  EXPECT_THAT(timer, Contains(Pair("policy", "timer")));
  EXPECT_THAT(timer, Contains(Pair("stride", "1")));
  EXPECT_THAT(timer, Contains(Pair("delay", "0")));
  EXPECT_THAT(timer, Contains(Pair("include", "")));
  EXPECT_THAT(timer, Not(Contains(Pair("budget_ppm", testing::_))));
  options.mode = RecordingOptions::Mode::kExact;
  EXPECT_THAT(DescribeOptions(options, {}), Not(Contains(Pair("policy", testing::_))));
}

}  // namespace
}  // namespace yp
