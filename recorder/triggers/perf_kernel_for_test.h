#ifndef YP_RECORDER_TRIGGERS_PERF_KERNEL_FOR_TEST_H_
#define YP_RECORDER_TRIGGERS_PERF_KERNEL_FOR_TEST_H_

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "recorder/triggers/perf_events.h"

namespace yp {

// A kernel of a machine that has a performance monitor, and refuses what it is told to refuse.
class FakePerfKernel final : public PerfKernel {
 public:
  int Open(const PerfEvent& event, pid_t thread) override {
    opened = event;
    if (refusals.contains(thread)) return -refusals[thread];
    if (refusal != 0) return -refusal;
    files.emplace(next_file, thread);
    return next_file++;
  }
  int OpenCounter(const PerfEvent& event, pid_t thread) override {
    const int file = Open(event, thread);
    if (file >= 0) counting.insert(file);
    return file;
  }
  int64_t Read(int file) override {
    EXPECT_TRUE(files.contains(file)) << "another file may have its number by now";
    return read_error == 0 ? counts[file] : -read_error;
  }
  void Disable(int file) override { counting.erase(file); }
  int SendTo(int file, pid_t thread) override {
    EXPECT_EQ(files.at(file), thread);
    return send_error == 0 ? 0 : -send_error;
  }
  int CountOnce(int file) override {
    counting.insert(file);
    return 0;
  }
  void Close(int file) override {
    EXPECT_EQ(files.erase(file), 1u) << "closed twice";
    counting.erase(file);
  }
  std::vector<pid_t> Threads() override { return threads; }
  pid_t ThisThread() override { return this_thread; }
  int Paranoia() override { return paranoia; }

  std::set<pid_t> Observed() const {
    std::set<pid_t> observed;
    for (const int file : counting) observed.insert(files.at(file));
    return observed;
  }

  PerfEvent opened;
  int refusal = 0;
  std::map<pid_t, int> refusals;
  int send_error = 0;
  int read_error = 0;
  std::map<int, int64_t> counts;  // By file.
  int paranoia = 2;
  std::vector<pid_t> threads = {10, 11, 12};
  pid_t this_thread = 11;
  int next_file = 3;
  std::map<int, pid_t> files;
  std::set<int> counting;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_PERF_KERNEL_FOR_TEST_H_
