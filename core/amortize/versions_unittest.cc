#include "core/amortize/versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class VersionsTest : public testing::Test {
 protected:
  // Takes from `start` to `end`.
  void Compile(const std::string& method, int64_t id, int32_t level, int64_t start, int64_t end,
               bool succeeded = true, bool is_osr = false) {
    JitCompilation compilation;
    compilation.compile_id = id;
    compilation.method = {method, "app"};
    compilation.level = level;
    compilation.start_ns = start;
    compilation.end_ns = end;
    compilation.succeeded = succeeded;
    compilation.is_osr = is_osr;
    log_.On(std::move(compilation));
  }
  void Trap(int64_t id, int64_t time, const std::string& action) {
    JitDeoptimization trap;
    trap.compile_id = id;
    trap.time_ns = time;
    trap.action = action;
    trap.method = {"inlined", "app"};
    log_.On(std::move(trap));
  }
  void End(int64_t id, int64_t time) {
    JitCodeEnd end;
    end.compile_id = id;
    end.time_ns = time;
    log_.On(std::move(end));
  }
  // "0-10 interpreted, 10-30 level 3 made not entrant".
  std::string LivesOf(const std::string& method, const std::string& loader = "app") {
    std::string text;
    for (const MethodVersions& versions : VersionsOf(log_, 100)) {
      if (log_[versions.method] != JitMethod{method, loader}) continue;
      for (const VersionLife& life : versions.lives) {
        text += text.empty() ? "" : ", ";
        text += std::to_string(life.begin_ns) + "-" + std::to_string(life.end_ns) + " ";
        text += life.compilation
                    ? "level " + std::to_string(log_.compilations[*life.compilation].level)
                    : "interpreted";
        if (life.was_made_not_entrant)
          text += life.deoptimization ? " trapped" : " made not entrant";
      }
    }
    return text;
  }
  JitLog log_;
};

TEST_F(VersionsTest, EachCompilationTakesOverWhenItHasEnded) {
  Compile("m", 1, 3, 5, 10);
  Compile("m", 2, 4, 20, 50);
  EXPECT_EQ(LivesOf("m"), "0-10 interpreted, 10-50 level 3, 50-100 level 4");
}

TEST_F(VersionsTest, TheOrderIsThatOfTheirEnds) {
  Compile("m", 2, 4, 20, 50);
  Compile("m", 1, 3, 5, 10);
  EXPECT_EQ(LivesOf("m"), "0-10 interpreted, 10-50 level 3, 50-100 level 4");
}

TEST_F(VersionsTest, CodeThatIsGivenUpIsInterpretedUntilTheNext) {
  Compile("m", 1, 4, 5, 10);
  Trap(1, 30, "reinterpret");
  Compile("m", 2, 3, 35, 40);
  EXPECT_EQ(LivesOf("m"),
            "0-10 interpreted, 10-30 level 4 trapped, 30-40 interpreted, 40-100 level 3");
}

TEST_F(VersionsTest, ATrapThatGivesNothingUpChangesNothing) {
  Compile("m", 1, 4, 5, 10);
  Trap(1, 30, "none");
  Trap(1, 31, "maybe_recompile");
  Trap(7, 32, "reinterpret");  // Of code that nobody told of.
  EXPECT_EQ(LivesOf("m"), "0-10 interpreted, 10-100 level 4");
  for (const char* action : {"reinterpret", "make_not_entrant", "make_not_compilable"}) {
    EXPECT_TRUE(MakesNotEntrant(action)) << action;
  }
}

// The VM makes the old code not entrant when the new one is there.
TEST_F(VersionsTest, TheEndOfWhatWasReplacedIsNoLoss) {
  Compile("m", 1, 3, 5, 10);
  Compile("m", 2, 4, 20, 50);
  End(1, 49);
  End(1, 51);
  EXPECT_EQ(LivesOf("m"), "0-10 interpreted, 10-50 level 3, 50-100 level 4");
  Trap(1, 49, "make_not_entrant");
  EXPECT_EQ(LivesOf("m"),
            "0-10 interpreted, 10-49 level 3 trapped, 49-50 interpreted, "
            "50-100 level 4");
}

TEST_F(VersionsTest, CodeThatAClassMadeWrongIsGivenUp) {
  Compile("m", 1, 4, 5, 10);
  End(1, 60);
  EXPECT_EQ(LivesOf("m"), "0-10 interpreted, 10-60 level 4 made not entrant, 60-100 interpreted");
}

// As in logs of milliseconds: the code is installed, trapped in and replaced at one time.
TEST_F(VersionsTest, WhatFallsTogetherIsTakenInTheOrderOfCompilations) {
  Compile("m", 1, 4, 5, 10);
  Compile("m", 2, 3, 10, 10);
  Compile("m", 3, 4, 10, 10);
  Trap(1, 10, "reinterpret");
  Trap(3, 10, "reinterpret");
  End(2, 10);
  EXPECT_EQ(LivesOf("m"),
            "0-10 interpreted, 10-10 level 4 trapped, 10-10 interpreted, "
            "10-10 level 3, 10-10 level 4 trapped, 10-100 interpreted");
}

// Too many of them, and the code is made not entrant although their action says nothing of it.
TEST_F(VersionsTest, CodeThatEndsWithATrapWasTrapped) {
  Compile("m", 1, 4, 5, 10);
  Trap(1, 30, "maybe_recompile");
  End(1, 30);
  Compile("m", 2, 4, 30, 50);
  EXPECT_EQ(LivesOf("m"),
            "0-10 interpreted, 10-30 level 4 trapped, 30-50 interpreted, 50-100 level 4");
}

TEST_F(VersionsTest, AFailedCompilationChangesNothing) {
  Compile("m", 1, 3, 5, 10);
  Compile("m", 2, 4, 20, 50, false);
  Compile("never", 3, 4, 20, 50, false);
  EXPECT_EQ(LivesOf("m"), "0-10 interpreted, 10-100 level 3");
  EXPECT_EQ(LivesOf("never"), "0-100 interpreted");
}

TEST_F(VersionsTest, CodeOfLoopsIsNoVersion) {
  Compile("m", 2, 4, 20, 40, true, true);
  Compile("m", 1, 3, 5, 10, true, true);
  EXPECT_EQ(LivesOf("m"), "0-100 interpreted");
  EXPECT_THAT(VersionsOf(log_, 100)[0].loops, ElementsAre(1, 0));
}

TEST_F(VersionsTest, MethodsOfOneNameInTwoLoadersAreTwo) {
  Compile("m", 1, 3, 5, 10);
  JitCompilation other;
  other.compile_id = 2;
  other.method = {"m", "plugin"};
  other.level = 4;
  other.end_ns = 70;
  log_.On(std::move(other));
  EXPECT_EQ(LivesOf("m"), "0-10 interpreted, 10-100 level 3");
  EXPECT_EQ(LivesOf("m", "plugin"), "0-70 interpreted, 70-100 level 4");
}

TEST_F(VersionsTest, AMethodMayBeRecompiledAHundredTimes) {
  for (int i = 0; i < 100; ++i) {
    Compile("m", i, 4, 1000 * i, 1000 * i + 500);
    Trap(i, 1000 * i + 800, "reinterpret");
  }
  const std::vector<MethodVersions> versions = VersionsOf(log_, 200'000);
  ASSERT_EQ(versions.size(), 1u);
  ASSERT_EQ(versions[0].lives.size(), 201u);
  int64_t time = 0;
  for (const VersionLife& life : versions[0].lives) {
    EXPECT_EQ(life.begin_ns, time);
    time = life.end_ns;
  }
  EXPECT_EQ(time, 200'000);
}

// A recording whose clock is wrong, or that ended before its last events.
TEST_F(VersionsTest, TimesThatCannotBeMakeNoNegativeLives) {
  Compile("m", 1, 3, 50, 40);
  EXPECT_EQ(CompileNs(log_.compilations[0]), 0);
  Compile("m", 2, 4, 150, 160);
  EXPECT_EQ(CompileNs(log_.compilations[1]), 10);
  EXPECT_EQ(LivesOf("m"), "0-40 interpreted, 40-160 level 3, 160-160 level 4");
  Compile("early", 3, 3, -30, -20);
  EXPECT_EQ(LivesOf("early"), "0-0 interpreted, 0-100 level 3");
}

TEST_F(VersionsTest, NothingWasCompiled) { EXPECT_THAT(VersionsOf(log_, 100), IsEmpty()); }

}  // namespace
}  // namespace yp
