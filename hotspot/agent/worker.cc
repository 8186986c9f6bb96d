#include "hotspot/agent/worker.h"

#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include "hotspot/agent/guarded.h"

namespace yp::hotspot {

Worker::Worker(std::string name, std::function<void(Worker&)> run)
    : name_(std::move(name)), run_(std::move(run)) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&wake_, &attributes);
  pthread_condattr_destroy(&attributes);
}

Worker::~Worker() {
  Stop();
  pthread_cond_destroy(&wake_);
}

Status Worker::Start() {
  stop_ = false;
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  const int error = pthread_create(&thread_, nullptr, &Main, this);
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  if (error != 0) {
    return Status::Error("the thread " + name_ + " cannot be started: " + std::strerror(error));
  }
  running_ = true;
  return Status::Ok();
}

void Worker::Stop() {
  if (!running_) return;
  pthread_mutex_lock(&mutex_);
  stop_ = true;
  pthread_cond_signal(&wake_);
  pthread_mutex_unlock(&mutex_);
  pthread_join(thread_, nullptr);
  running_ = false;
}

void Worker::Wake() {
  pthread_mutex_lock(&mutex_);
  woken_ = true;
  pthread_cond_signal(&wake_);
  pthread_mutex_unlock(&mutex_);
}

bool Worker::SleepFor(int64_t duration_ns) {
  timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const int64_t ns = until.tv_nsec + duration_ns;
  until.tv_sec += static_cast<time_t>(ns / 1'000'000'000);
  until.tv_nsec = static_cast<long>(ns % 1'000'000'000);
  pthread_mutex_lock(&mutex_);
  int result = 0;
  while (!stop_ && !woken_ && result == 0) {
    result = pthread_cond_timedwait(&wake_, &mutex_, &until);
  }
  woken_ = false;
  const bool go_on = !stop_;
  pthread_mutex_unlock(&mutex_);
  return go_on;
}

void* Worker::Main(void* self) {
  Worker& worker = *static_cast<Worker*>(self);
  pthread_setname_np(pthread_self(), worker.name_.c_str());
  Guarded([&] { worker.run_(worker); });
  return nullptr;
}

}  // namespace yp::hotspot
