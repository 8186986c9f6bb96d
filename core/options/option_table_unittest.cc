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

TEST(OptionStringTest, ASpoolsPatternArrivesAsItIs) {
  for (const std::string pattern :
       {"/a/%p-%t.yp-spool", "/a%%p/%t", "%%%p", "a b,c=%%20", "/plain@p", "%%%%", ""}) {
    RecordingOptions options;
    options.spool = pattern;
    const Result<RecordingOptions> parsed = ParseOptionString(WriteOptionString(options));
    ASSERT_TRUE(parsed.ok()) << parsed.message();
    EXPECT_EQ(parsed->spool, pattern);
  }
  EXPECT_EQ(ParseOptionString("spool=/a/%p-%t%25x")->spool, "/a/%p-%t%%x");
  EXPECT_FALSE(ParseOptionString("spool=/a/%q").ok());
  EXPECT_FALSE(ParseOptionString("include=%p").ok());
}

TEST(OptionStringTest, AValueIsFoundInAStringThatIsNotUnderstood) {
  EXPECT_EQ(ValueInOptionString("loop=x,reply=/a%20b,reply=/c", "reply"), "/a b");
  EXPECT_EQ(ValueInOptionString("replys=/a,=,reply", "reply"), "");
  EXPECT_EQ(ValueInOptionString("", "reply"), "");
}

TEST(OptionStringTest, TimesAndSizesMayHaveUnits) {
  const auto loop = [](const std::string& text) {
    const Result<RecordingOptions> parsed = ParseOptionString("loop=" + text);
    return parsed.ok() ? parsed->loop_ns.value_or(0) / 1'000'000'000 : -1;
  };
  EXPECT_EQ(loop("90"), 90);
  EXPECT_EQ(loop("90s"), 90);
  EXPECT_EQ(loop("5m"), 300);
  EXPECT_EQ(loop("1h"), 3600);
  EXPECT_EQ(loop("2d"), 172'800);
  for (const char* wrong : {"0", "1ms", "1x", "h", "", "-1", "1.5h", "99999999999999999999h"}) {
    EXPECT_EQ(loop(wrong), -1) << wrong;
  }
  const auto size = [](const std::string& text) {
    const Result<RecordingOptions> parsed = ParseOptionString("maxsize=" + text);
    return parsed.ok() ? parsed->max_bytes.value_or(0) : 0;
  };
  EXPECT_EQ(size("1048576"), 1u << 20);
  EXPECT_EQ(size("500m"), 500u << 20);
  EXPECT_EQ(size("2G"), uint64_t{2} << 30);
  EXPECT_EQ(size("1m "), 0u);
  EXPECT_EQ(size("1h"), 0u);
  EXPECT_EQ(size("20000000000g"), 0u);
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
