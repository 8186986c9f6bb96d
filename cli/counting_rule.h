#ifndef YP_CLI_COUNTING_RULE_H_
#define YP_CLI_COUNTING_RULE_H_

#include <optional>
#include <string>
#include <string_view>

#include "cli/output_path.h"
#include "cli/own_thread.h"
#include "core/options/config_number.h"

// What counting adds to each call of a program, as the agent measures it when it begins: said
// before the program runs, which is long before there is a profile.
namespace yp {

// Of a call on that machine and JVM (YieldpointProbe.plainCallPicoseconds).
struct CallCost {
  double added_ns = 0;  // What counting adds to it.
  double plain_ns = 0;  // What it takes without.

  // How many times as long a program runs that makes so many calls in a microsecond.
  double FactorAt(double calls_per_us) const { return 1 + calls_per_us * added_ns / 1000; }
};
// Nothing where it was not measured.
std::optional<CallCost> CallCostIn(const ConfigEntries& config);

// "exact mode counts every call: about 3.1 ns for each on this machine; ...". Empty where it was
// not measured.
std::string CountingRule(const ConfigEntries& config);

// Says the rule as soon as a JVM has measured it, which is before its program starts.
class TellsCountingRule {
 public:
  explicit TellsCountingRule(SpoolFiles spools);

 private:
  void Run(const OwnThread::GoesOnAfter& goes_on_after) const;

  const SpoolFiles spools_;
  OwnThread thread_;  // The last: it reads the other.
};

}  // namespace yp

#endif  // YP_CLI_COUNTING_RULE_H_
