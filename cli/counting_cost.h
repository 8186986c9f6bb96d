#ifndef YP_CLI_COUNTING_COST_H_
#define YP_CLI_COUNTING_COST_H_

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "cli/output.h"
#include "cli/output_path.h"
#include "format/profile/profile.h"

// What it costs a program to have every call counted (mode exact), or looked at (mode edges).
namespace yp {

struct CountingCost {
  // Of a call on that machine and JVM, as the agent measured when it began
  // (YieldpointProbe.plainCallPicoseconds): what counting adds to it, and what it takes without.
  double added_ns = 0;
  double plain_ns = 0;
  // Of the run: the calls counted, times that; and stacks walked. 0: not known, as where the run
  // was cut off, or calls were not counted.
  double counting_ns = 0;
  double program_cpu_ns = 0;

  // How many times as long a program runs that makes so many calls in a microsecond.
  double FactorAt(double calls_per_us) const { return 1 + calls_per_us * added_ns / 1000; }
  // By how much the run's CPU time is more than without counting. Nothing where that is not known,
  // or counting seems to have taken all of it.
  std::optional<double> Factor() const;
};

// Nothing where it was not measured.
std::optional<CountingCost> CountingCostOf(const Profile& profile);

// "exact mode counts every call: about 3.1 ns for each on this machine; ...". Empty where it was
// not measured.
std::string CountingRule(const Profile& profile);
// "counting took about 2.1 s of 5.3 s CPU time ...: the program ran about 1.66 times as long".
// Empty where it is not known.
std::string CountingResult(const Profile& profile);
Json CountingToJson(const CountingCost& cost);

// Says the rule as soon as a JVM has measured it, which is before its program starts.
class TellsCountingRule {
 public:
  explicit TellsCountingRule(SpoolFiles spools);
  ~TellsCountingRule();
  TellsCountingRule(const TellsCountingRule&) = delete;
  TellsCountingRule& operator=(const TellsCountingRule&) = delete;

 private:
  void Run();

  const SpoolFiles spools_;
  std::mutex mutex_;
  std::condition_variable finished_changed_;
  bool finished_ = false;
  std::thread thread_;
};

}  // namespace yp

#endif  // YP_CLI_COUNTING_COST_H_
