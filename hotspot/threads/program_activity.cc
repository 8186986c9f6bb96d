#include "hotspot/threads/program_activity.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "hotspot/threads/compiler_thread.h"
#include "recorder/kernel_threads.h"

namespace yp::hotspot {
namespace {

// How the names of HotSpot's threads that run no Java code begin (JDK 11 to 25: the classes derived
// from NamedThread, WorkerThread, ConcurrentGCThread and the JavaThreads that are hidden), and
// those of the agent's (Worker).
constexpr std::array<std::string_view, 24> kPrefixes{
    "VM Thread",      "VM Periodic Tas", "Sweeper thread",
    "Service Thread", "Monitor Deflati", "GC Thread#",
    "G1 Main Marker", "G1 Conc#",        "G1 Refine#",
    "G1 Service",     "G1 Young RemSet", "ParGC Thread",
    "ZDirector",      "ZDriver",         "ZStat",
    "ZUnmapper",      "ZUncommitter",    "ZWorker",
    "XWorker",        "Shenandoah",      "StrDedup",
    "JFR ",           "RuntimeWorker#",  "yp-"};

}  // namespace

bool IsNameOfVmThread(std::string_view name) {
  return IsNameOfCompilerThread(std::string(name).c_str()) ||
         std::ranges::any_of(kPrefixes,
                             [name](std::string_view prefix) { return name.starts_with(prefix); });
}

void ProgramActivity::ListIfDue() {
  const std::lock_guard lock(mutex_);
  if (clock_.NowNs() >= next_list_ns_) List();
}

int64_t ProgramActivity::CpuNs() {
  const std::lock_guard lock(mutex_);
  // First: what the VM's threads use while they are read is then none of the program's.
  const int64_t process_ns = clock_.ProcessCpuNs();
  int64_t vm_ns = ended_cpu_ns_;
  for (auto& [id, thread] : threads_) {
    if (!thread.is_vm) continue;
    if (thread.is_busy) Read(id, thread);
    vm_ns += thread.cpu_ns;
  }
  told_cpu_ns_ = std::max(told_cpu_ns_, process_ns - vm_ns);
  return told_cpu_ns_;
}

void ProgramActivity::Read(pid_t id, Thread& thread) {
  const std::optional<int64_t> cpu_ns = CpuNsOfKernelThread(id);
  if (!cpu_ns) return;
  // The clock of another thread, which has the id now.
  if (*cpu_ns < thread.cpu_ns) thread.listed_cpu_ns = thread.told_cpu_ns = 0;
  thread.cpu_ns = *cpu_ns;
}

CpuByThread ProgramActivity::FollowedCpuNs() {
  const std::lock_guard lock(mutex_);
  CpuByThread followed;
  for (auto& [id, thread] : threads_) {
    if (!thread.is_followed) continue;
    Read(id, thread);
    followed.emplace_back(id, thread.cpu_ns);
  }
  return followed;
}

CpuByThread ProgramActivity::TakeFollowedCpuNs() {
  const std::lock_guard lock(mutex_);
  for (auto& [id, thread] : threads_) {
    if (thread.is_followed) Tell(id, thread);
  }
  return std::exchange(untold_, {});
}

void ProgramActivity::Tell(pid_t id, Thread& thread) {
  const int64_t used_ns = thread.cpu_ns - std::exchange(thread.told_cpu_ns, thread.cpu_ns);
  if (used_ns > 0) untold_.emplace_back(id, used_ns);
}

void ProgramActivity::OnEnded(pid_t id, int64_t cpu_ns) {
  const std::lock_guard lock(mutex_);
  const auto thread = threads_.find(id);
  // The id may be that of a new thread by now.
  if (thread == threads_.end() || !thread->second.is_followed) return;
  if (cpu_ns < thread->second.cpu_ns) return;
  thread->second.cpu_ns = cpu_ns;
  Tell(id, thread->second);
  thread->second = Thread{.looks = kLooks};
}

void ProgramActivity::LookAt(pid_t id, Thread& thread, double busy_ns, int* looks) {
  if (!thread.is_vm && thread.looks < kLooks && *looks < kMaxLooks) {
    const bool is_young = listed_ns_ && thread.looks == 0;
    ++thread.looks;
    if (is_young) return;
    ++*looks;
    thread.is_vm = IsNameOfVmThread(NameOfKernelThread(id));
  }
  Read(id, thread);
  const auto used_ns =
      static_cast<double>(thread.cpu_ns - std::exchange(thread.listed_cpu_ns, thread.cpu_ns));
  if (thread.is_vm) {
    thread.is_busy = used_ns >= busy_ns;
    return;
  }
  const bool was_followed =
      std::exchange(thread.is_followed, thread.looks == kLooks && used_ns >= busy_ns);
  if (was_followed) {
    Tell(id, thread);
  } else {
    thread.told_cpu_ns = thread.cpu_ns;
  }
}

void ProgramActivity::List() {
  const int64_t now_ns = clock_.NowNs();
  const double busy_ns = kBusyShare * static_cast<double>(now_ns - listed_ns_.value_or(now_ns));
  std::set<pid_t> gone;
  for (const auto& [id, thread] : threads_) gone.insert(id);
  int looks = 0;
  for (const pid_t id : KernelThreads()) {
    gone.erase(id);
    LookAt(id, threads_[id], busy_ns, &looks);
  }
  for (const pid_t id : gone) {
    Thread& thread = threads_[id];
    if (thread.is_vm) ended_cpu_ns_ += thread.cpu_ns;
    if (thread.is_followed) Tell(id, thread);
    threads_.erase(id);
  }
  listed_ns_ = now_ns;
  next_list_ns_ =
      now_ns + std::clamp(static_cast<int64_t>(threads_.size()) * kListIntervalOfThreadNs,
                          kLeastListIntervalNs, kMaxListIntervalNs);
}

}  // namespace yp::hotspot
