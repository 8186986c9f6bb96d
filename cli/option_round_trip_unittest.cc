#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/agent_options.h"
#include "cli/profiling_flags.h"
#include "core/options/option_description.h"

// A row of core/options/option_table.cc is all that an option needs: what is given on the command
// line arrives at the agent, and in the profile.
namespace yp {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;
using Arguments = std::vector<std::string>;

std::optional<ProfilingOptions> Parsed(const Arguments& arguments, ProfilingFlags::Set set) {
  CommandLine line("yp", "", "");
  const ProfilingFlags flags(line.flags(), set);
  if (line.Parse(arguments)) return std::nullopt;
  Result<ProfilingOptions> options = flags.Get();
  return options ? std::optional(std::move(*options)) : std::nullopt;
}

// Another value than the default.
std::string ValueFor(const RecordingOption& option) {
  if (option.is_of_start && option.kind == RecordingOption::Kind::kTime) return "2h";
  if (option.kind == RecordingOption::Kind::kTime) return "7ms";
  if (option.kind == RecordingOption::Kind::kBytes) return "3m";
  std::string last;
  for (const OptionWord& word : option.words) {
    if (word.is_taken && word.word != WordOf(option, {})) last = word.word;
  }
  return last.empty() ? "3" : last;
}

// The first of some command lines in which the option has an effect.
std::optional<ProfilingOptions> WithValue(const RecordingOption& option) {
  const auto set = option.is_of_aos_alone ? ProfilingFlags::Set::kAos : ProfilingFlags::Set::kStart;
  for (Arguments line : {Arguments{},
                         {"--mode", "edges"},
                         {"--policy", "cbs"},
                         {"--context", "tree"},
                         {"--loop", "1h"},
                         {"--profiler", "cbs"},
                         {"--profiler", "cbs", "--adaptive"},
                         {"--mechanism", "immediate"},
                         {"--mode", "timer", "--mechanism", "immediate"}}) {
    if (std::ranges::find(line, option.flag) != line.end()) continue;
    line.emplace_back(option.flag);
    if (option.kind != RecordingOption::Kind::kSwitch) line.push_back(ValueFor(option));
    if (std::optional<ProfilingOptions> options = Parsed(line, set)) return options;
  }
  return std::nullopt;
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : " ") + text;
  return joined;
}

TEST(OptionRoundTripTest, EveryOptionReachesTheAgentAndTheProfile) {
  for (const RecordingOption& option : RecordingOptionTable()) {
    // The others are made into options of the agent's by rules of their own.
    if (option.flag.empty() || option.key.empty()) continue;
    SCOPED_TRACE(option.flag);
    const std::optional<ProfilingOptions> asked = WithValue(option);
    ASSERT_TRUE(asked.has_value()) << "works with none of the command lines above";
    const std::vector<std::string> texts = TextsOf(option, *asked);
    ASSERT_NE(texts, TextsOf(option, {}));

    const std::string string = FormatAgentOptions(*asked, "s");
    EXPECT_THAT("," + string + ",", HasSubstr("," + std::string(option.key) + "=" +
                                              EncodeAgentValue(texts.front()) + ","));
    const Result<RecordingOptions> arrived = ParseOptionString(string);
    ASSERT_TRUE(arrived.ok()) << arrived.message();
    EXPECT_EQ(TextsOf(option, *arrived), texts);

    if (option.is_described == nullptr) continue;
    const auto told = [&](bool has_budget) {
      return DescribeOptions(*arrived, {.at_entries = true, .has_budget = has_budget});
    };
    auto description = told(true);
    std::ranges::copy(told(false), std::back_inserter(description));
    EXPECT_THAT(description, Contains(Pair(option.described_as, Joined(texts))));
  }
}

}  // namespace
}  // namespace yp
