#include "cli/own_thread.h"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace yp {

OwnThread::OwnThread(std::function<void(const GoesOnAfter& goes_on_after)> run) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this, run = std::move(run)] {
    run([this](std::chrono::nanoseconds pause) { return GoesOn(pause); });
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OwnThread::~OwnThread() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  finished_changed_.notify_one();
  thread_.join();
}

bool OwnThread::GoesOn(std::chrono::nanoseconds pause) {
  std::unique_lock lock(mutex_);
  return !finished_changed_.wait_for(lock, pause, [this] { return finished_; });
}

}  // namespace yp
