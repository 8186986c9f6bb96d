#include "hotspot/support/class_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace yp::hotspot {
namespace {

using Verdict = ClassFilter::Verdict;
using Scope = RecordingOptions::Scope;

ClassFilter Filter(Scope scope, std::vector<std::string> include = {},
                   std::vector<std::string> exclude = {}) {
  RecordingOptions options;
  options.scope = scope;
  options.include = std::move(include);
  options.exclude = std::move(exclude);
  return ClassFilter(options);
}

constexpr bool kOfProgram = false;
constexpr bool kOfJdk = true;

// The definition of a glob, in exponential time.
bool MatchesByDefinition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return MatchesByDefinition(pattern.substr(1), text) ||
           (!text.empty() && MatchesByDefinition(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         MatchesByDefinition(pattern.substr(1), text.substr(1));
}

// All strings over the alphabet of at most that length.
std::vector<std::string> AllStrings(std::string_view alphabet, size_t max_length) {
  std::vector<std::string> all = {""};
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() == max_length) continue;
    for (const char c : alphabet) all.push_back(all[i] + c);
  }
  return all;
}

TEST(MatchesGlobTest, AgreesWithTheDefinitionOnEveryShortPatternAndText) {
  int matches = 0;
  for (const std::string& pattern : AllStrings("ab*?", 5)) {
    for (const std::string& text : AllStrings("ab", 5)) {
      const bool expected = MatchesByDefinition(pattern, text);
      ASSERT_EQ(MatchesGlob(pattern, text), expected) << pattern << " on " << text;
      matches += expected;
    }
  }
  EXPECT_GT(matches, 1000);
}

TEST(MatchesGlobTest, ManyStarsTakeNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "a*";
  EXPECT_FALSE(MatchesGlob(pattern + "b", std::string(2000, 'a')));
}

TEST(ClassFilterTest, TheApplicationsScopeLeavesTheJdkAlone) {
  const ClassFilter filter = Filter(Scope::kApplication);
  EXPECT_EQ(filter.Classify("app/Main", kOfProgram), Verdict::kObserve);
  EXPECT_EQ(filter.Classify("java/util/HashMap", kOfJdk), Verdict::kPlatform);
  // Who defines a class decides, not its name.
  EXPECT_EQ(filter.Classify("javax/inject/Provider", kOfProgram), Verdict::kObserve);
  EXPECT_FALSE(filter.observes_whole_jdk());
}

TEST(ClassFilterTest, TheWholeScopeTakesTheJdkAsWell) {
  const ClassFilter filter = Filter(Scope::kAll);
  EXPECT_EQ(filter.Classify("java/util/HashMap", kOfJdk), Verdict::kObserve);
  EXPECT_EQ(filter.Classify("app/Main", kOfProgram), Verdict::kObserve);
  EXPECT_TRUE(filter.observes_whole_jdk());
}

TEST(ClassFilterTest, WhatTheProbeStandsOnIsNeverTouched) {
  const ClassFilter filter = Filter(Scope::kAll, {"*"});
  for (const std::string name :
       {"java/lang/Object", "java/lang/YieldpointProbe", "java/lang/YieldpointCalibration",
        "jdk/internal/misc/Unsafe", "java/lang/invoke/MethodHandle", "jdk/internal/vm/Continuation",
        "sun/misc/Unsafe"}) {
    EXPECT_EQ(filter.Classify(name, kOfJdk), Verdict::kNever) << name;
  }
  EXPECT_EQ(filter.Classify("java/lang/String", kOfJdk), Verdict::kObserve);
}

TEST(ClassFilterTest, ALambdasProxyIsNeverTouchedWhoeverMadeIt) {
  const ClassFilter filter = Filter(Scope::kAll);
  EXPECT_EQ(filter.Classify("app/Main$$Lambda$14+0x0000000800c03000", kOfProgram), Verdict::kNever);
  EXPECT_EQ(filter.Classify("app/Main$$Lambda", kOfProgram), Verdict::kNever);
  EXPECT_EQ(filter.Classify("java/util/Comparator$$Lambda.0x1", kOfJdk), Verdict::kNever);
  EXPECT_EQ(filter.Classify("app/Lambda", kOfProgram), Verdict::kObserve);
}

TEST(ClassFilterTest, ClassesMadeAtRunTimeArePassedOver) {
  const ClassFilter filter = Filter(Scope::kAll, {"*"});
  EXPECT_EQ(filter.Classify("com/sun/proxy/$Proxy12", kOfProgram), Verdict::kPassOver);
  EXPECT_EQ(filter.Classify("jdk/proxy2/$Proxy12", kOfProgram), Verdict::kPassOver);
  EXPECT_EQ(filter.Classify("jdk/internal/reflect/GeneratedMethodAccessor3", kOfJdk),
            Verdict::kPlatform);
}

TEST(ClassFilterTest, IncludesAndExcludesTakeTheProgramsNamesWithDots) {
  const ClassFilter filter = Filter(Scope::kApplication, {"app.*", "lib.Core"}, {"app.test.*"});
  EXPECT_EQ(filter.Classify("app/Main$Inner", kOfProgram), Verdict::kObserve);
  EXPECT_EQ(filter.Classify("lib/Core", kOfProgram), Verdict::kObserve);
  EXPECT_EQ(filter.Classify("lib/Core$1", kOfProgram), Verdict::kPassOver);
  EXPECT_EQ(filter.Classify("app/test/Main", kOfProgram), Verdict::kPassOver);
  EXPECT_EQ(filter.Classify("other/Main", kOfProgram), Verdict::kPassOver);
}

TEST(ClassFilterTest, AnExcludeAloneLeavesTheRest) {
  const ClassFilter filter = Filter(Scope::kApplication, {}, {"*.Noisy"});
  EXPECT_EQ(filter.Classify("app/Noisy", kOfProgram), Verdict::kPassOver);
  EXPECT_EQ(filter.Classify("app/Main", kOfProgram), Verdict::kObserve);
}

TEST(ClassFilterTest, AnIncludeBringsNoClassOfTheJdkIntoTheApplicationsScope) {
  EXPECT_EQ(Filter(Scope::kApplication, {"java.util.*"}).Classify("java/util/HashMap", kOfJdk),
            Verdict::kPlatform);
  const ClassFilter all = Filter(Scope::kAll, {"java.util.*"});
  EXPECT_EQ(all.Classify("java/util/HashMap", kOfJdk), Verdict::kObserve);
  EXPECT_EQ(all.Classify("java/io/File", kOfJdk), Verdict::kPassOver);
  EXPECT_FALSE(all.observes_whole_jdk());
}

}  // namespace
}  // namespace yp::hotspot
