#include "recorder/triggers/call_counters.h"

#include <algorithm>
#include <cstdint>

namespace yp {

class CallCounters::Counter final : public CallCounter {
 public:
  Counter(CallCounters& owner, int file) : owner_(owner), file_(file) {}
  ~Counter() override { owner_.Close(file_); }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  uint64_t Read() override {
    return static_cast<uint64_t>(std::max(int64_t{0}, owner_.kernel_.Read(file_)));
  }

 private:
  CallCounters& owner_;
  const int file_;
};

Status CallCounters::Check() {
  const int file = kernel_.OpenCounter(event_, kernel_.ThisThread());
  if (file < 0) return ExplainPerfError(event_, -file, kernel_);
  kernel_.Close(file);
  return Status::Ok();
}

std::unique_ptr<CallCounter> CallCounters::OfThisThread() {
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return nullptr;
  const int file = kernel_.OpenCounter(event_, kernel_.ThisThread());
  if (file < 0) return nullptr;
  files_.insert(file);
  return std::make_unique<Counter>(*this, file);
}

void CallCounters::Stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (const int file : files_) kernel_.Disable(file);
}

void CallCounters::Close(int file) {
  const std::lock_guard lock(mutex_);
  files_.erase(file);
  kernel_.Close(file);
}

}  // namespace yp
