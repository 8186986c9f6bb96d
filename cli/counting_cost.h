#ifndef YP_CLI_COUNTING_COST_H_
#define YP_CLI_COUNTING_COST_H_

#include <optional>
#include <string>

#include "cli/counting_rule.h"
#include "cli/output.h"
#include "format/profile/profile.h"

// What it costs a program to have every call counted (mode exact), or looked at (mode edges).
namespace yp {

struct CountingCost {
  CallCost call;
  // Of the run: the calls counted, times what is added to each; and stacks walked. 0: not known, as
  // where the run was cut off, or calls were not counted.
  double counting_ns = 0;
  double walks_ns = 0;  // Of it: stacks walked, for callers that had not announced their calls.
  double program_cpu_ns = 0;

  // By how much the run's CPU time is more than without counting. Nothing where that is not known,
  // or counting seems to have taken all of it.
  std::optional<double> Factor() const;
};

// Nothing where it was not measured.
std::optional<CountingCost> CountingCostOf(const Profile& profile);

// "counting took about 2.1 s of 5.3 s CPU time ...: the program ran about 1.66 times as long".
// Empty where it is not known.
std::string CountingResult(const Profile& profile);
Json CountingToJson(const CountingCost& cost);

}  // namespace yp

#endif  // YP_CLI_COUNTING_COST_H_
