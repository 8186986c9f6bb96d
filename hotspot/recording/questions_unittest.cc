#include "hotspot/recording/questions.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace yp::hotspot {
namespace {

using Command = AgentOptions::Command;

TEST(QuestionsTest, AreAnsweredByAnotherThread) {
  Questions questions;
  std::atomic<bool> is_woken{false};
  std::optional<RecordingAnswer> answer;
  std::thread asking([&] {
    answer = questions.Ask(
        {Command::kBudget, 2}, [&] { is_woken = true; }, [] { return false; });
  });
  std::optional<RecordingQuestion> asked;
  while (!(asked = questions.Pending())) std::this_thread::yield();
  EXPECT_EQ(asked->command, Command::kBudget);
  EXPECT_EQ(asked->budget_percent, 2);
  EXPECT_TRUE(is_woken);
  questions.Answer({.status = Status::Error("no"), .facts = {}, .rest = {}});
  asking.join();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status.message(), "no");
  EXPECT_FALSE(questions.Pending().has_value());
}

TEST(QuestionsTest, NobodyWaitsForARecordingThatHasEnded) {
  Questions questions;
  EXPECT_FALSE(questions
                   .Ask(
                       {}, [] {}, [] { return true; })
                   .has_value());
  EXPECT_FALSE(questions.Pending().has_value());
  questions.Answer({.status = Status::Ok(), .facts = {}, .rest = {}});
  EXPECT_FALSE(questions
                   .Ask(
                       {}, [] {}, [] { return true; })
                   .has_value())
      << "what came too late answers no later question";
}

}  // namespace
}  // namespace yp::hotspot
