#include "core/amortize/compiler_time.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "core/amortize/versions.h"

namespace yp {
namespace {

class CompilerTimeTest : public testing::Test {
 protected:
  void Compile(std::optional<int64_t> thread, int64_t start_ns, int64_t end_ns) {
    JitCompilation compilation;
    compilation.method = {"m", "app"};
    compilation.thread_id = thread;
    compilation.start_ns = start_ns;
    compilation.end_ns = end_ns;
    log_.On(compilation);
  }
  std::optional<int64_t> CpuNs(size_t compilation) { return log_.compilations[compilation].cpu_ns; }
  JitLog log_;
};

TEST_F(CompilerTimeTest, WhatAThreadUsedBelongsToWhatItMadeMeanwhile) {
  Compile(7, 100, 200);
  Compile(7, 200, 500);
  Compile(8, 100, 500);
  ShareCompilerTime({{7, {{0, 1000}, {1000, 1100}}}, {8, {{0, 0}, {1000, 400}}}}, &log_);
  EXPECT_EQ(CpuNs(0), 25);
  EXPECT_EQ(CpuNs(1), 75);
  EXPECT_EQ(CpuNs(2), 400);
  EXPECT_EQ(CompileNs(log_.compilations[0]), 25);
}

TEST_F(CompilerTimeTest, EachPartOfTheTimeHasItsOwnShare) {
  Compile(7, 50, 250);   // Of three parts: half of the first, all of the second, half of the third.
  Compile(7, 250, 300);  // The rest of the third.
  ShareCompilerTime({{7, {{0, 0}, {100, 50}, {200, 60}, {300, 80}}}}, &log_);
  EXPECT_EQ(CpuNs(0), 50 + 10 + 10);
  EXPECT_EQ(CpuNs(1), 10);
}

TEST_F(CompilerTimeTest, NoneUsesMoreThanItsTime) {
  Compile(7, 0, 100);
  ShareCompilerTime({{7, {{0, 0}, {200, 150}}}}, &log_);
  EXPECT_EQ(CpuNs(0), 100) << "the thread did something else as well";
}

TEST_F(CompilerTimeTest, TimeThatNoReadingTellsOfCountsWhole) {
  Compile(7, 0, 200);
  Compile(7, 350, 450);
  Compile(7, 500, 600);
  ShareCompilerTime({{7, {{100, 5}, {400, 80}}}}, &log_);
  EXPECT_EQ(CpuNs(0), 100 + 50);
  EXPECT_EQ(CpuNs(1), 25 + 50);
  EXPECT_EQ(CpuNs(2), std::nullopt);
  EXPECT_EQ(CompileNs(log_.compilations[2]), 100);
}

TEST_F(CompilerTimeTest, WithoutThreadOrReadingsNothingIsKnown) {
  Compile(std::nullopt, 0, 100);
  Compile(7, 0, 100);
  Compile(8, 0, 100);
  ShareCompilerTime({{7, {{50, 10}}}}, &log_);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(CpuNs(i), std::nullopt);
}

TEST_F(CompilerTimeTest, AClockThatGoesBackwardsGivesNothing) {
  Compile(7, 0, 100);
  ShareCompilerTime({{7, {{0, 500}, {100, 20}, {90, 30}}}}, &log_);
  EXPECT_EQ(CpuNs(0), 0);
}

}  // namespace
}  // namespace yp
