#ifndef YP_CLI_OWN_THREAD_H_
#define YP_CLI_OWN_THREAD_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace yp {

// A thread that says something now and then while its owner works, and ends with its owner. Signals
// are for the thread that waits for them: none arrives on this one.
class OwnThread {
 public:
  // Waits so long; false as soon as the thread is to end.
  using GoesOnAfter = std::function<bool(std::chrono::nanoseconds)>;

  // `run` is called on the thread; it returns soon after it was told to end.
  explicit OwnThread(std::function<void(const GoesOnAfter& goes_on_after)> run);
  ~OwnThread();
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;

 private:
  bool GoesOn(std::chrono::nanoseconds pause);

  std::mutex mutex_;
  std::condition_variable finished_changed_;
  bool finished_ = false;
  std::thread thread_;
};

}  // namespace yp

#endif  // YP_CLI_OWN_THREAD_H_
