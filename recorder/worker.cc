#include "recorder/worker.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/clock.h"
#include "recorder/guarded.h"

namespace yp {
namespace {

// Without an alarm.
constexpr int64_t kLeastNapNs = 20'000'000;

}  // namespace

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
  ended_cpu_ns_.store(0, std::memory_order_relaxed);
  sigset_t all, previous;
  sigfillset(&all);
  // A fault of ours ends the process in any case: not blocked, the VM tells where it was.
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
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
  EndSleep();
  pthread_mutex_unlock(&mutex_);
  pthread_join(thread_, nullptr);
  pthread_mutex_lock(&mutex_);
  running_ = false;
  pthread_mutex_unlock(&mutex_);
}

// With the lock, so that the thread has not been joined.
int64_t Worker::CpuNs() const {
  int64_t cpu_ns = ended_cpu_ns_.load(std::memory_order_relaxed);
  pthread_mutex_lock(&mutex_);
  clockid_t clock = 0;
  timespec used{};
  if (running_ && cpu_ns == 0 && pthread_getcpuclockid(thread_, &clock) == 0 &&
      clock_gettime(clock, &used) == 0) {
    cpu_ns = static_cast<int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
  }
  pthread_mutex_unlock(&mutex_);
  return cpu_ns;
}

void Worker::Wake() {
  pthread_mutex_lock(&mutex_);
  woken_ = true;
  EndSleep();
  pthread_mutex_unlock(&mutex_);
}

void Worker::EndSleep() {
  pthread_cond_signal(&wake_);
  if (alarm_ != nullptr) alarm_->Interrupt();
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

bool Worker::SleepForCpu(int64_t cpu_ns, int64_t longest_ns) {
  if (alarm_ == nullptr && !has_no_alarm_) {
    pthread_mutex_lock(&mutex_);
    alarm_ = CpuAlarm::ForThisThread();
    pthread_mutex_unlock(&mutex_);
    has_no_alarm_ = alarm_ == nullptr;
  }
  SystemClock clock;
  const int64_t end_cpu_ns = clock.ProcessCpuNs() + cpu_ns;
  const int64_t end_ns = clock.NowNs() + longest_ns;
  // A signal may have come for an earlier sleep: what is asked for is looked at anew after each.
  while (true) {
    pthread_mutex_lock(&mutex_);
    const bool is_woken = std::exchange(woken_, false);
    const bool go_on = !stop_;
    pthread_mutex_unlock(&mutex_);
    const int64_t left_cpu_ns = end_cpu_ns - clock.ProcessCpuNs();
    const int64_t left_ns = end_ns - clock.NowNs();
    if (is_woken || !go_on || left_cpu_ns <= 0 || left_ns <= 0) return go_on;
    if (alarm_ != nullptr) {
      alarm_->Sleep(left_cpu_ns, left_ns);
      continue;
    }
    // As soon as it may have been used, on all processors.
    static const int64_t processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
    const int64_t nap_ns = std::min(left_ns, std::max(kLeastNapNs, left_cpu_ns / processors));
    const int64_t begin_ns = clock.NowNs();
    const bool was_stopped = !SleepFor(nap_ns);
    if (was_stopped || clock.NowNs() - begin_ns < nap_ns) return !was_stopped;
  }
}

void* Worker::Main(void* self) {
  Worker& worker = *static_cast<Worker*>(self);
  pthread_setname_np(pthread_self(), worker.name_.c_str());
  Guarded([&] { worker.run_(worker); });
  pthread_mutex_lock(&worker.mutex_);
  worker.alarm_.reset();
  worker.has_no_alarm_ = false;
  pthread_mutex_unlock(&worker.mutex_);
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  worker.ended_cpu_ns_.store(static_cast<int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec,
                             std::memory_order_relaxed);
  return nullptr;
}

}  // namespace yp
