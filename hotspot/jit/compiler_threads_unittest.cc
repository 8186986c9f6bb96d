#include "hotspot/jit/compiler_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/time_test_util.h"
#include "hotspot/threads/compiler_thread.h"

namespace yp::hotspot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A thread of a name, which uses CPU time when it is told to.
class NamedThread {
 public:
  explicit NamedThread(const char* name) {
    thread_ = std::thread([this, name] {
      pthread_setname_np(pthread_self(), name);
      id_ = static_cast<pid_t>(syscall(SYS_gettid));
      Run();
    });
    while (id_ == 0) std::this_thread::yield();
  }
  ~NamedThread() { End(); }
  void End() {
    ends_ = true;
    if (thread_.joinable()) thread_.join();
  }
  // Until it has used that much in all.
  void Use(int64_t cpu_ns) {
    until_ns_ = cpu_ns;
    while (until_ns_ != 0) std::this_thread::yield();
  }
  pid_t id() const { return id_; }

 private:
  void Run() {
    while (!ends_) {
      timespec used{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
      if (until_ns_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (used.tv_sec * 1'000 * kMs + used.tv_nsec >= until_ns_) until_ns_ = 0;
    }
  }
  std::atomic<int64_t> until_ns_{0};
  std::atomic<bool> ends_{false};
  std::atomic<pid_t> id_{0};
  std::thread thread_;
};

int64_t CpuNsIn(const std::vector<spool::CompilerTimes>& told, pid_t thread) {
  int64_t latest = -1;
  for (const spool::CompilerTimes& times : told) {
    for (const auto& [id, cpu_ns] : times.cpu_ns) {
      if (id == thread) latest = cpu_ns;
    }
  }
  return latest;
}

TEST(CompilerThreadsTest, CompilersAreKnownByTheirNames) {
  EXPECT_TRUE(IsNameOfCompilerThread("C1 CompilerThre"));
  EXPECT_TRUE(IsNameOfCompilerThread("C2 CompilerThre"));
  for (const char* other :
       {"", "C", "C1", "C1 ", "C3 CompilerThre", "C2 Cpmp", "VM Thread", "c1 Comp"}) {
    EXPECT_FALSE(IsNameOfCompilerThread(other)) << other;
  }
}

TEST(CompilerThreadsTest, WhatACompilersThreadUsesIsTold) {
  NamedThread compiler("C2 CompilerThre");
  NamedThread other("main");
  compiler.Use(20 * kMs);
  other.Use(5 * kMs);
  CompilerThreads threads(0);
  const auto first = threads.Take();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].time_ns, 0);
  EXPECT_GE(CpuNsIn(first, compiler.id()), 20 * kMs);
  EXPECT_EQ(CpuNsIn(first, other.id()), -1);
  compiler.Use(50 * kMs);
  threads.Read(100 * kMs);
  const auto second = threads.Take();
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].time_ns, 100 * kMs);
  EXPECT_GE(CpuNsIn(second, compiler.id()), 50 * kMs);
  EXPECT_LT(CpuNsIn(second, compiler.id()), 5'000 * kMs);
  EXPECT_THAT(threads.Take(), IsEmpty());
}

TEST(CompilerThreadsTest, OneThatComesLaterBeganWithNothing) {
  CompilerThreads threads(3 * kMs);
  EXPECT_THAT(threads.Take(), IsEmpty());
  NamedThread compiler("C1 CompilerThre");
  compiler.Use(10 * kMs);
  threads.Read(100 * kMs);
  EXPECT_THAT(threads.Take(), IsEmpty()) << "not listed yet";
  const int64_t now_ns = 3 * kMs + CompilerThreads::kListIntervalNs;
  threads.Read(now_ns);
  const auto told = threads.Take();
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].time_ns, 3 * kMs);
  EXPECT_THAT(told[0].cpu_ns, ElementsAre(std::pair(compiler.id(), int64_t{0})));
  EXPECT_EQ(told[1].time_ns, now_ns);
  EXPECT_GE(CpuNsIn(told, compiler.id()), 10 * kMs);
  compiler.End();
  threads.Read(2 * now_ns);
  EXPECT_THAT(threads.Take(), IsEmpty());
}

TEST(CompilerThreadsTest, AThreadMayGetItsNameLate) {
  NamedThread compiler("java");
  CompilerThreads threads(0);
  std::ofstream("/proc/self/task/" + std::to_string(compiler.id()) + "/comm")
      << "C2 CompilerThre" << std::flush;
  compiler.Use(5 * kMs);
  threads.Read(CompilerThreads::kListIntervalNs);
  EXPECT_GE(CpuNsIn(threads.Take(), compiler.id()), 5 * kMs);
}

}  // namespace
}  // namespace yp::hotspot
