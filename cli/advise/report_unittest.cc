#include "cli/advise/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using State = CandidateAdvice::State;

CandidateAdvice Measured(std::string_view name, const RatioInterval& wall) {
  CandidateAdvice own;
  own.candidate = *std::ranges::find(AllCandidates(), name, &Candidate::name);
  own.options = RunOptions(own.candidate, "/tmp/somewhere/app.aot");
  own.state = State::kMeasured;
  own.runs = 4;
  own.median = {900'000'000, 1'000'000'000, 200'000'000};
  own.wall = wall;
  own.cpu = {0.9, 0.8, 1.1, 4};
  own.memory = {1.5, 1.3, 1.7, 4};
  return own;
}

Advice Of(std::vector<CandidateAdvice> candidates, std::optional<size_t> recommended) {
  Advice advice;
  advice.candidates = std::move(candidates);
  advice.recommended = recommended;
  advice.rounds = 4;
  advice.defaults = {1'200'000'000, 2'000'000'000, 100'000'000};
  advice.control = {1.01, 0.9, 1.1, 4};
  advice.ended = "more rounds would change nothing";
  return advice;
}

AdviceContext Java() {
  AdviceContext context;
  context.command = {"java", "-cp", "a b.jar", "Main"};
  context.is_launcher = true;
  return context;
}

TEST(AdviceTextTest, HasTheOptionsToPasteAndTheGain) {
  const Advice advice = Of({Measured("c1", {0.75, 0.7, 0.8, 4})}, 0);
  EXPECT_THAT(AdviceText(advice, Java(), 120),
              AllOf(HasSubstr("Recommended: c1 (C1 only). It saves 25 % of the wall time; the "
                              "interval is 20 to 30 %."),
                    HasSubstr("Options:\n  -XX:TieredStopAtLevel=1\n"),
                    HasSubstr("  java -XX:TieredStopAtLevel=1 -cp 'a b.jar' Main\n"),
                    HasSubstr("A/A control"), HasSubstr("0.75  0.70-0.80")));
}

TEST(AdviceTextTest, KeepsTheDefaultsAndSaysWhyThereIsNoMore) {
  CandidateAdvice dropped = Measured("c1", {1.3, 1.2, 1.4, 4});
  dropped.reason = "slower than the defaults";
  EXPECT_THAT(AdviceText(Of({dropped}, std::nullopt), Java(), 120),
              AllOf(HasSubstr("Keep the defaults: no candidate is certainly better (more rounds "
                              "would change nothing; 4 rounds).\n"),
                    HasSubstr("slower than the defaults"), Not(HasSubstr("Recommended"))));
  Advice nothing = Of({}, std::nullopt);
  nothing.rounds = 0;
  EXPECT_THAT(AdviceText(nothing, Java(), 120),
              AllOf(HasSubstr("nothing could be measured"), Not(HasSubstr("A/A control"))));
}

TEST(CommandsToRunTest, MakeTheFileThatWasNotKept) {
  const Advice advice = Of({Measured("aot", {0.75, 0.7, 0.8, 4})}, 0);
  AdviceContext context = Java();
  EXPECT_THAT(CommandsToRun(advice, context),
              ElementsAre("java -XX:AOTCacheOutput=app.aot -cp 'a b.jar' Main",
                          "java -XX:AOTCache=app.aot -cp 'a b.jar' Main"));
  context.kept_file = "/kept/app.aot";
  EXPECT_THAT(CommandsToRun(advice, context),
              ElementsAre("java -XX:AOTCache=/kept/app.aot -cp 'a b.jar' Main"));
  EXPECT_THAT(CommandsToRun(Of({}, std::nullopt), context), IsEmpty());
}

TEST(CommandsToRunTest, GiveScriptsTheirOptionsThroughTheEnvironment) {
  AdviceContext context;
  context.command = {"ant", "jar"};
  const Advice advice = Of({Measured("c1", {0.75, 0.7, 0.8, 4})}, 0);
  EXPECT_THAT(CommandsToRun(advice, context),
              ElementsAre("JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1 ant jar"));
  context.tool_options = "-Xmx1g";
  EXPECT_THAT(CommandsToRun(advice, context),
              ElementsAre("JAVA_TOOL_OPTIONS='-Xmx1g -XX:TieredStopAtLevel=1' ant jar"));
}

TEST(AdviceJsonTest, HasItsFieldsWithAndWithoutARecommendation) {
  CandidateAdvice not_tried = Measured("aot", {});
  not_tried.state = State::kNotTried;
  not_tried.reason = "needs JDK 25 or later";
  not_tried.runs = 0;
  const std::vector<CandidateAdvice> candidates = {Measured("c1", {0.75, 0.7, 0.8, 4}), not_tried};
  const auto json = nlohmann::json::parse(AdviceJson(Of(candidates, 0), Java()).Dump(2));
  EXPECT_EQ(json["recommendation"], "c1");
  EXPECT_EQ(json["flags"], nlohmann::json::array({"-XX:TieredStopAtLevel=1"}));
  EXPECT_NEAR(json["gain"].get<double>(), 25, 1e-9);
  EXPECT_NEAR(json["low"].get<double>(), 20, 1e-9);
  EXPECT_NEAR(json["high"].get<double>(), 30, 1e-9);
  EXPECT_EQ(json["candidates"][0]["state"], "measured");
  EXPECT_NEAR(json["candidates"][0]["wall_s"].get<double>(), 0.9, 1e-9);
  EXPECT_EQ(json["candidates"][1]["state"], "not tried");
  EXPECT_TRUE(json["candidates"][1]["wall_s"].is_null());
  EXPECT_TRUE(json["candidates"][1]["wall_ratio"].is_null());

  const auto kept = nlohmann::json::parse(AdviceJson(Of(candidates, {}), Java()).Dump(2));
  EXPECT_EQ(kept["recommendation"], "defaults");
  EXPECT_EQ(kept["flags"], nlohmann::json::array());
  EXPECT_EQ(kept["gain"], 0.0);
  EXPECT_EQ(kept["commands"], nlohmann::json::array());
}

TEST(SideEffectsTest, AreWhatTheRecommendationCostsForCertain) {
  const Advice advice = Of({Measured("c1", {0.75, 0.7, 0.8, 4})}, 0);
  EXPECT_THAT(SideEffects(advice, Metric::kWall),
              ElementsAre("warning: c1 takes 1.50 times the peak memory"));
  EXPECT_THAT(SideEffects(Of({}, std::nullopt), Metric::kWall), IsEmpty());
}

}  // namespace
}  // namespace yp
