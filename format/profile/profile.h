#ifndef YP_FORMAT_PROFILE_PROFILE_H_
#define YP_FORMAT_PROFILE_PROFILE_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "core/graph/cct.h"
#include "core/graph/dcg.h"
#include "core/graph/method.h"
#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "format/profile/jit_profile.h"
#include "format/profile/stack_times.h"
#include "format/spool/records.h"
#include "format/spool/spool_reader.h"

namespace yp {

// How an edge's number of calls is known.
enum EdgeFlag : uint32_t {
  kEdgeExact = 1u << 0,       // Every call was counted.
  kEdgeSampled = 1u << 1,     // Estimated from samples.
  kEdgeNoInterval = 1u << 2,  // Too few ticks: see HasInterval.
  kEdgeOnce = 1u << 3,        // Found, and counted as one call, however often it was taken.
  kEdgeInferred = 1u << 4,    // Calls that were inlined are among them, or are all of them.
  kEdgeCounted = 1u << 5,     // Calls that the VM has counted itself are among them, or are all.
  kEdgeExpected = 1u << 6,    // Of code that was not sampled, by what it is called by.
};
// The flags' names in JSON and in tables, in the order of their bits: "exact", "sampled",
// "no-interval", "once", "inferred", "counted", "expected".
std::vector<std::string_view> EdgeFlagNames(uint32_t flags);

struct Profile;

struct EdgeStats {
  Edge edge;
  double calls = 0;  // Exact, or the estimate of format/profile/estimate.h.
  // 95 % confidence interval of the number of calls; both equal calls when it is exact. Within what
  // the program can have executed.
  double low = 0;
  double high = 0;
  // The same of the edge's share of all calls, 0 to 1. Narrower than that of the number, relative
  // to it: all edges err together with the number of all calls.
  double share_low = 0;
  double share_high = 0;
  double variance = 0;     // Of calls.
  double uncorrected = 0;  // Calls without the correction for call density.
  double counted = 0;      // Of calls: those by the VM's own counters, which know no time.
  uint64_t samples = 0;    // Of the others.
  // As many samples as they would be, if each stood for the calls of one interval: those of calls
  // that count down several steps stand for fewer. Only while a spool is read.
  double intervals = 0;
  uint32_t flags = 0;  // EdgeFlag.
};

// False where there are too few ticks for a confidence interval: low is then what was called at
// least, and high no more than what the machine can have executed. It is not printed.
bool HasInterval(const EdgeStats& edge);

// Those of its flags, and "below-one" where the estimate is of less than one call.
std::vector<std::string_view> FlagNamesOf(const EdgeStats& edge);

// How many replicates of an estimate there are: see format/profile/replicates.h.
inline constexpr size_t kReplicates = 10;

// How many of an edge's calls were inlined: "yes" for all, "in part", or nothing for none.
std::string_view InlinedShare(const EdgeStats& edge);

// Stands for the caller of a thread's first method and of calls from native code or the VM. No
// method can have this name.
inline constexpr std::string_view kRootName = "(root)";

// The full name, or kRootName for kNoMethod.
std::string NameOf(const MethodTable& methods, MethodId id);
// The source line of an edge's call site; 0 when it is not known.
int LineOf(const MethodTable& methods, const Edge& edge);

// What the weights of a profile's contexts are: "samples" of time, "calls", or "estimated calls".
std::string_view UnitOfContexts(const Profile& profile);

// How many samples of stacks a profile has; not of contexts that have calls.
double NumberOfStacks(const Profile& profile);

// What a sample of a stack stands for, in nanoseconds of the program's CPU time, where a clock
// takes them: the period, less what taking one costs (UnitTime). 0 where something else does.
double StackSampleNs(const Profile& profile);

// How a profile comes to have calling contexts: the end of errors that say it has none.
inline constexpr std::string_view kContextsAdvice =
    "record it with --mechanism immediate, or --context tree";

// One run of a test, or of what else the program's user has marked as one.
struct TestRun {
  std::string name;
  int64_t begin_ns = 0;           // Monotonic, since the run's start.
  std::optional<int64_t> end_ns;  // Nothing: the recording ended before it.
  struct Reached {
    EdgeId edge{};
    // It was found while no other test ran; else one of these may have taken it.
    bool alone = false;
    bool operator==(const Reached&) const = default;
  };
  std::vector<Reached> reached;  // By ascending edge, each once. Empty but for mode edges.
  bool operator==(const TestRun&) const = default;
};

// A call site of a loaded class of the program that no thread executed.
struct UnexecutedCall {
  MethodId caller{};
  int32_t bci = 0;
  std::string callee;  // The full name of the method that the bytecode names.
  auto operator<=>(const UnexecutedCall&) const = default;
};

// What is known of one run.
// - edges has each Edge at most once; an EdgeId, in windows too, is an index of edges.
// - Every method of an edge is in methods, or kNoMethod as a caller.
// - Numbers of calls are finite and not negative.
struct Profile {
  ConfigEntries config;
  MethodTable methods;
  std::vector<EdgeStats> edges;
  // Each edge's calls, estimated without one of kReplicates groups of samples: in the order of
  // edges, or empty where they are not known (format/profile/replicates.h).
  std::vector<std::array<float, kReplicates>> replicates;
  std::vector<spool::Window> windows;  // Empty in exact mode.
  std::vector<spool::Tick> ticks;      // Ascending. Empty where calls are observed all the time.
  // Samples in the contexts that signals found the threads in (mechanism "immediate"); or calls, as
  // context_weights() says, by the context that they led to. Its methods are in methods. Estimated
  // are those of all calls (core/inference/call_contexts.h).
  CallingContextTree contexts;
  // When and where the samples of stacks were taken; empty where contexts have calls.
  StackTimes stack_times;
  std::vector<TestRun> tests;  // By their begin.
  // Of mode edges, by caller and bci; lists_unexecuted_calls() says whether they are known.
  std::vector<UnexecutedCall> unexecuted_calls;
  JitProfile jit;  // Empty unless it was recorded, too.
  std::vector<spool::ThreadDefinition> threads;
  // By the kernel's ids, what is in spool::ThreadTimes. Not kept in the file.
  std::map<int32_t, int64_t> thread_cpu_ns;
  std::map<std::string, uint64_t> drops;  // What was lost, by reason.
  bool complete = false;                  // The run ended in order.
  std::string damage;                     // What of the spool could not be used; empty for nothing.
  int64_t duration_ns = 0;                // Of the run, as far as it is known.
  int64_t agent_cpu_ns = 0;
  // The standard deviation of what the number of all calls was scaled by, relative to it; nothing
  // where nothing was scaled, or where it is not known.
  std::optional<double> total_deviation;
  // There may be so many times as many calls, beyond that deviation; at least 1. In the intervals
  // of numbers, and not kept in the file.
  double total_may_be_more = 1;
  // The variance of the sum of all inlined calls (core/inference/infer.h). Not kept in the file.
  double inferred_variance = 0;

  // The value of a configuration key, or the fallback.
  std::string_view ConfigOr(std::string_view key, std::string_view fallback) const;
  // The set of edges, each counted once.
  bool finds_edges() const { return ConfigOr(config_key::kMode, "") == "edges"; }
  bool lists_unexecuted_calls() const {
    return ConfigOr(config_key::kProbeUnexecutedListed, "") == "all";
  }
  // No calls were observed: those of edges are samples, the ends of stacks (docs/formats.md).
  bool has_stack_ends() const { return ConfigOr(config_key::kProbe, "") == "none"; }
  enum class ContextWeights { kTime, kCalls, kEstimatedCalls };
  ContextWeights context_weights() const;
  // Where threads were found: `contexts` has samples of time.
  bool has_stacks() const {
    return contexts.total() > 0 && context_weights() == ContextWeights::kTime;
  }
  // Every call counted, none estimated.
  bool exact() const { return ConfigOr(config_key::kMode, "") == "exact"; }
  // Whether calls of the method are looked for; false for kNoMethod.
  bool IsObserved(MethodId method) const {
    return method != kNoMethod && (methods[method].flags & Method::kObserved) != 0;
  }
  std::string NameOf(MethodId id) const { return yp::NameOf(methods, id); }
  int LineOf(const Edge& edge) const { return yp::LineOf(methods, edge); }
  double total_calls() const;
  // Whether there may be any number of calls more than that: most of these are counted by the VM,
  // and samples are too few to tell what it has not counted.
  bool is_lower_bound() const;
  uint64_t total_samples() const;
  double total_intervals() const;

  // The graph whose weights are calls, the ends of their intervals, or calls without the correction
  // for call density.
  DynamicCallGraph Graph() const;
  DynamicCallGraph LowGraph() const;
  DynamicCallGraph HighGraph() const;
  // The ends of the shares' intervals, times all calls.
  DynamicCallGraph LowShareGraph() const;
  DynamicCallGraph HighShareGraph() const;
  DynamicCallGraph UncorrectedGraph() const;
};

// Sets the shares' intervals to those of the numbers, over all calls: where the number of all calls
// is certain, or no other interval is known.
void SetSharesByNumbers(Profile* profile);

// The configuration keys that decide which calls are seen at all ("scope", "include", "exclude",
// "trivial") and that differ: comparing such profiles compares their filters, too.
std::vector<std::string> DifferentFilters(const Profile& a, const Profile& b);

// Adds up the records of a spool and estimates calls from samples (format/profile/estimate.h). A
// spool without any record is an error; damage is told in the profile.
Result<Profile> FoldSpool(spool::SpoolReader& reader);

// Reads a profile, or folds a spool: the file's first bytes tell which it is.
Result<Profile> LoadProfile(const std::string& path);

// Writes a profile as a SQLite file (docs/formats.md). The file appears whole under its name, or
// not at all: it is written beside it first and then renamed.
Status SaveProfile(const Profile& profile, const std::string& path);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_PROFILE_H_
