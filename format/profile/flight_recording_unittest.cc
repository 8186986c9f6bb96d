#include "format/profile/flight_recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/time_test_util.h"
#include "format/jfr/jfr_jit_events.h"

namespace yp {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kRecording[] = "../jfr/testdata/jdk17.jfr";

// A run that began two seconds before its flight recorder did.
class FlightRecordingTest : public testing::Test {
 protected:
  FlightRecordingTest() {
    fs::create_directories(directory_);
    JitLog log;
    const auto recording = jfr::ReadJitEvents(kRecording, log);
    EXPECT_TRUE(recording) << recording.message();
    alone_ = log;
    start_unix_ns_ = recording->file.start_unix_ns;
    profile_.config["jit"] = "jfr";
    profile_.config["jit.started_ns"] = std::to_string(2 * kSecond + kSecond / 10);
    profile_.config["jit.epoch_ns"] = std::to_string(start_unix_ns_ - 2 * kSecond);
  }
  ~FlightRecordingTest() override { fs::remove_all(directory_); }

  void Leave(uintmax_t bytes_missing = 0) {
    const fs::path left = FlightRecordingOf(spool_);
    fs::copy_file(kRecording, left, fs::copy_options::overwrite_existing);
    fs::resize_file(left, fs::file_size(left) - bytes_missing);
  }

  const fs::path directory_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string spool_ = directory_ / "run.yp-spool";
  JitLog alone_;
  int64_t start_unix_ns_ = 0;
  Profile profile_;
};

TEST_F(FlightRecordingTest, TimesAreThoseOfTheRun) {
  Leave();
  AddFlightRecording(spool_, &profile_);
  ASSERT_EQ(profile_.jit.log.compilations.size(), alone_.compilations.size());
  ASSERT_FALSE(alone_.compilations.empty());
  for (size_t i = 0; i < alone_.compilations.size(); ++i) {
    EXPECT_EQ(profile_.jit.log.compilations[i].start_ns,
              alone_.compilations[i].start_ns + 2 * kSecond);
    EXPECT_EQ(profile_.jit.log.compilations[i].end_ns, alone_.compilations[i].end_ns + 2 * kSecond);
  }
  EXPECT_THAT(profile_.jit.lacks, Not(Contains(HasSubstr("clock"))));
}

TEST_F(FlightRecordingTest, CompilationsHaveTheCpuTimeOfTheirThreads) {
  Leave();
  const std::optional<int64_t> thread = alone_.compilations.front().thread_id;
  ASSERT_TRUE(thread);
  constexpr int64_t kUsedNs = 100'000;
  profile_.jit.clocks[*thread] = {{0, 5}, {100 * kSecond, 5 + kUsedNs}};
  AddFlightRecording(spool_, &profile_);
  int64_t used_ns = 0, others = 0;
  for (const JitLog::Compilation& compilation : profile_.jit.log.compilations) {
    if (compilation.thread_id == thread) {
      ASSERT_TRUE(compilation.cpu_ns);
      used_ns += *compilation.cpu_ns;
      EXPECT_LT(*compilation.cpu_ns, compilation.end_ns - compilation.start_ns);
    } else {
      ++others;
      EXPECT_FALSE(compilation.cpu_ns);
    }
  }
  EXPECT_GT(others, 0);
  EXPECT_NEAR(static_cast<double>(used_ns), kUsedNs, 20) << "but for rounding";
}

TEST_F(FlightRecordingTest, AClockThatWasSetMeanwhileIsSaidAndMovesNothingFar) {
  for (const int64_t jump : {-3600 * kSecond, 3600 * kSecond}) {
    Leave();
    profile_.jit = {};
    profile_.config["jit.epoch_ns"] = std::to_string(start_unix_ns_ - 2 * kSecond + jump);
    AddFlightRecording(spool_, &profile_);
    EXPECT_THAT(profile_.jit.lacks, Contains(HasSubstr("the clock was set")));
    for (const JitLog::Compilation& compilation : profile_.jit.log.compilations) {
      EXPECT_GE(compilation.start_ns, 0);
      EXPECT_LT(compilation.start_ns, 60 * kSecond);
    }
  }
}

TEST_F(FlightRecordingTest, OneThatWasCutOffGivesWhatItHasOrSaysWhyNot) {
  const uintmax_t size = fs::file_size(kRecording);
  for (const uintmax_t missing : {uintmax_t{1}, size / 2, size - 10}) {
    Leave(missing);
    profile_.jit = {};
    AddFlightRecording(spool_, &profile_);
    EXPECT_THAT(profile_.jit.lacks, Not(IsEmpty())) << missing;
    EXPECT_LE(profile_.jit.log.compilations.size(), alone_.compilations.size());
  }
}

TEST_F(FlightRecordingTest, NoneIsSaid) {
  AddFlightRecording(spool_, &profile_);
  EXPECT_THAT(profile_.jit.lacks, Contains(HasSubstr("has left nothing")));
  EXPECT_TRUE(profile_.jit.log.empty());
}

TEST_F(FlightRecordingTest, ARunThatDidNotAskForOneLacksNothing) {
  profile_.config["jit"] = "no";
  AddFlightRecording(spool_, &profile_);
  EXPECT_THAT(profile_.jit.lacks, IsEmpty());
  profile_.config["jit"] = "none: it is off";
  AddFlightRecording(spool_, &profile_);
  EXPECT_THAT(profile_.jit.lacks, Contains(std::string(kLackOfAll) + " (it is off)"));
}

TEST(LacksOfTest, ARecordingWithoutCompilationsDoesNotTellThatThereWereNone) {
  jfr::JitRecording recording;
  recording.deoptimizations.is_enabled = true;
  const JitLog none;
  EXPECT_THAT(LacksOf(recording), ElementsAre(HasSubstr("does not tell whether")));
  EXPECT_FALSE(TellsCompilations(none, LacksOf(recording)));
  recording.compilations.is_enabled = false;
  EXPECT_THAT(LacksOf(recording), ElementsAre(HasSubstr("was off")));
  EXPECT_FALSE(TellsCompilations(none, LacksOf(recording)));
  recording.compilations.is_enabled = true;
  EXPECT_THAT(LacksOf(recording), IsEmpty());
  EXPECT_TRUE(TellsCompilations(none, LacksOf(recording)));
  EXPECT_FALSE(TellsCompilations(none, std::vector<std::string>{"what the compilers did: broken"}));
}

TEST(LacksOfTest, ThresholdsAreInTheirUnits) {
  jfr::JitRecording recording;
  recording.deoptimizations.is_enabled = recording.compilations.is_enabled = true;
  for (const auto& [ns, text] : {std::pair(int64_t{10'000}, "shorter than 10 us:"),
                                 std::pair(int64_t{900}, "shorter than 900 ns:"),
                                 std::pair(int64_t{1'500}, "shorter than 1.5 us:"),
                                 std::pair(int64_t{20'000'000}, "shorter than 20 ms:"),
                                 std::pair(int64_t{1'250'000}, "shorter than 1.2 ms:")}) {
    recording.compilations.threshold_ns = ns;
    EXPECT_THAT(LacksOf(recording), ElementsAre(HasSubstr(text)));
  }
}

TEST_F(FlightRecordingTest, CodeFromBeforeIsThereOnceAndOfTheSameMethod) {
  Leave();
  const JitLog::Compilation& told = alone_.compilations.front();
  JitCompilation earlier;
  earlier.is_earlier = true;
  earlier.level = 3;
  earlier.compile_id = told.compile_id;
  earlier.is_osr = told.is_osr;
  earlier.method = {alone_[told.method].full_name, ""};
  profile_.jit.earlier.push_back(earlier);  // It ended while the recorder began.
  earlier.compile_id = 1'000'000;
  profile_.jit.earlier.push_back(earlier);
  AddFlightRecording(spool_, &profile_);
  ASSERT_EQ(profile_.jit.log.compilations.size(), alone_.compilations.size() + 1);
  const JitLog::Compilation& last = profile_.jit.log.compilations.back();
  EXPECT_TRUE(last.is_earlier);
  EXPECT_EQ(last.method, profile_.jit.log.compilations.front().method) << "by its loader, too";
  EXPECT_THAT(profile_.jit.earlier, IsEmpty());
}

}  // namespace
}  // namespace yp
