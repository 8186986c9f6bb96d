#include "hotspot/jit/compiler_threads.h"

#include <set>

#include "hotspot/threads/compiler_thread.h"
#include "recorder/kernel_threads.h"

namespace yp::hotspot {
namespace {

// A thread is named after it has started: the first look may have been too early.
constexpr int kLooks = 2;

}  // namespace

void CompilerThreads::Read(int64_t now_ns) {
  if (!listed_ns_ || now_ns - *listed_ns_ >= kListIntervalNs) List(now_ns);
  spool::CompilerTimes times;
  times.time_ns = now_ns;
  for (auto& [id, thread] : threads_) {
    if (!thread.is_compiler) continue;
    const std::optional<int64_t> cpu_ns = CpuNsOfKernelThread(id);
    if (!cpu_ns || *cpu_ns == thread.cpu_ns) continue;
    thread.cpu_ns = *cpu_ns;
    times.cpu_ns.emplace_back(id, *cpu_ns);
  }
  if (!times.cpu_ns.empty()) read_.push_back(std::move(times));
}

void CompilerThreads::List(int64_t now_ns) {
  std::set<pid_t> gone;
  for (const auto& [id, thread] : threads_) gone.insert(id);
  for (const pid_t id : KernelThreads()) {
    gone.erase(id);
    Thread& thread = threads_.try_emplace(id, Thread{.absent_ns = listed_ns_}).first->second;
    if (thread.is_compiler || thread.looks == kLooks) continue;
    ++thread.looks;
    thread.is_compiler = IsNameOfCompilerThread(NameOfKernelThread(id).c_str());
    if (thread.is_compiler && thread.absent_ns) read_.push_back({*thread.absent_ns, {{id, 0}}});
  }
  for (const pid_t id : gone) threads_.erase(id);
  listed_ns_ = now_ns;
}

}  // namespace yp::hotspot
