#include "hotspot/recording/questions.h"

#include <chrono>
#include <utility>

namespace yp::hotspot {
namespace {

constexpr std::chrono::seconds kPatience{20};

}  // namespace

std::optional<RecordingAnswer> Questions::Ask(const RecordingQuestion& question,
                                              const std::function<void()>& wake,
                                              const std::function<bool()>& has_ended) {
  std::unique_lock lock(mutex_);
  question_ = question;
  answer_.reset();
  wake();
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!answer_ && !has_ended() && std::chrono::steady_clock::now() < deadline) {
    // A recording that ends by itself tells nobody here.
    answered_.wait_for(lock, std::chrono::milliseconds(100));
  }
  question_.reset();
  return std::exchange(answer_, std::nullopt);
}

std::optional<RecordingQuestion> Questions::Pending() const {
  const std::lock_guard lock(mutex_);
  return question_;
}

void Questions::Answer(RecordingAnswer answer) {
  const std::lock_guard lock(mutex_);
  if (!question_) return;
  question_.reset();
  answer_ = std::move(answer);
  answered_.notify_all();
}

}  // namespace yp::hotspot
