#include "format/profile/executions.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/amortize/sampled_calls.h"
#include "core/amortize/versions.h"
#include "core/graph/code_level.h"

namespace yp {
namespace {

class Builder {
 public:
  explicit Builder(const Profile& profile)
      : profile_(profile),
        log_(profile.jit.log),
        tree_(profile.jit.contexts),
        unit_ns_(StackSampleNs(profile)),
        versions_(VersionsOf(log_, profile.duration_ns)) {
    for (size_t i = 0; i < log_.compilations.size(); ++i) {
      const JitLog::Compilation& compilation = log_.compilations[i];
      if (compilation.succeeded) by_id_[{compilation.compile_id, compilation.is_osr}] = i;
    }
    for (size_t i = 0; i < versions_.size(); ++i) index_[versions_[i].method] = i;
    for (size_t i = 0; i < log_.methods().size(); ++i) {
      const JitMethodId id{static_cast<uint32_t>(i)};
      if (index_.contains(id)) by_name_[log_.methods()[i].full_name].push_back(id);
    }
  }

  Executions Build(std::vector<std::string>* lacks) {
    if (tree_.total() == 0 || unit_ns_ <= 0) {
      lacks->emplace_back("execution times, so that nothing is judged: record with --jit");
      return {};
    }
    result_.unit_ns = unit_ns_;
    IndexTree();
    std::vector<CodePeriod> periods = profile_.jit.periods;
    CoalesceUntilSampled(kLeastStacks, &periods);
    for (const CodePeriod& period : periods) Take(period);
    CountByVm();
    for (const auto& [version, seen] : seen_) Add(version, seen);
    AddCallees();
    AddInlined();
    return std::move(result_);
  }

 private:
  // Of a part of the run, so that they tell which code was at work then.
  static constexpr uint64_t kLeastStacks = 10;

  // A call may begin in one version and go on in a loop's code: so few calls cannot be told from
  // those of the version before.
  static constexpr double kFewCalls = 10;

  // The interpreter begins a method's profile itself if it has called it so often and C1's code is
  // not there: Tier3InvocationThreshold times Tier0ProfilingStartPercentage, of all JDKs.
  static constexpr double kProfiledFromCalls = 400;

  using Version = std::pair<JitMethodId, int64_t>;
  using MethodAtLevel = std::pair<MethodId, int32_t>;
  struct Part {
    int64_t begin_ns = 0, end_ns = 0;
    double samples = 0;
    ObservedUnit observed;
  };
  struct Seen {
    double samples = 0;
    double of_other_loops = 0;  // In them, of code for loops by C2.
    double of_loops = 0;        // In them, of all code for loops.
    double entries = 0;         // Samples of calls.
    std::optional<double> counted;
    std::vector<Part> parts;
  };

  void Take(const CodePeriod& period) {
    const int64_t begin_ns = std::exchange(last_end_ns_, period.end_ns);
    const int64_t middle_ns = begin_ns + (period.end_ns - begin_ns) / 2;
    const auto stacks = static_cast<double>(period.stacks());
    const double open_part = stacks > 0 ? period.open_samples / stacks : 0;
    for (const CodePeriod::Samples& each : period.samples) {
      if (const std::optional<Version> version = VersionOf(each, middle_ns)) {
        Seen& seen = seen_[*version];
        seen.samples += static_cast<double>(each.samples);
        if (each.code.is_osr) seen.of_loops += static_cast<double>(each.samples);
        if (each.code.is_osr && each.code.level != code_level::kProfiled) {
          seen.of_other_loops += static_cast<double>(each.samples);
        }
        Part& part = PartOf(seen, begin_ns, period);
        part.samples += static_cast<double>(each.samples);
        part.observed.stacks += open_part * static_cast<double>(each.samples);
        part.observed.counted += static_cast<double>(each.samples);
      }
    }
    for (const CodePeriod::Calls& each : period.calls) {
      const auto compiled = by_id_.find({each.compile_id, false});
      if (each.compile_id == 0 || compiled == by_id_.end()) continue;
      Seen& seen = seen_[{log_.compilations[compiled->second].method, each.compile_id}];
      seen.entries += static_cast<double>(each.samples);
      PartOf(seen, begin_ns, period).observed.calls += each.calls;
    }
    for (const CodePeriod::Counted& each : period.counted) {
      CodePeriod::Counted& counted = counted_[each.method];
      counted.invocations = std::max(counted.invocations, each.invocations);
      counted.interpreted = std::max(counted.interpreted, each.interpreted);
    }
  }
  static Part& PartOf(Seen& seen, int64_t begin_ns, const CodePeriod& period) {
    if (seen.parts.empty() || seen.parts.back().end_ns != period.end_ns) {
      Part& part = seen.parts.emplace_back();
      part.begin_ns = begin_ns;
      part.end_ns = period.end_ns;
    }
    return seen.parts.back();
  }

  std::optional<Version> VersionOf(const CodePeriod::Samples& samples, int64_t time_ns) const {
    if (!samples.code.is_known) return std::nullopt;
    if (!samples.code.is_compiled()) {
      const auto named = by_name_.find(profile_.NameOf(samples.method));
      const bool is_one = named != by_name_.end() && named->second.size() == 1;
      return is_one ? std::optional(Version(named->second[0], 0)) : std::nullopt;
    }
    const auto compiled = by_id_.find({samples.code.compile_id, samples.code.is_osr});
    if (compiled == by_id_.end()) return std::nullopt;
    const JitMethodId method = log_.compilations[compiled->second].method;
    if (!samples.code.is_osr) return Version(method, samples.code.compile_id);
    for (const VersionLife& life : versions_[index_.at(method)].lives) {
      if (time_ns < life.end_ns || &life == &versions_[index_.at(method)].lives.back()) {
        return Version(method, IdOf(life.compilation));
      }
    }
    return std::nullopt;
  }
  int64_t IdOf(std::optional<size_t> compilation) const {
    return compilation ? log_.compilations[*compilation].compile_id : 0;
  }

  // Whether the interpreter executes it after it was compiled: when code was made not entrant,
  // which some traps do of which the VM does not say so.
  bool IsInterpretedAgain(const MethodVersions& versions) const {
    const auto is_compiled = [](const VersionLife& life) { return life.compilation.has_value(); };
    const auto first = std::ranges::find_if(versions.lives, is_compiled);
    if (first == versions.lives.end()) return false;
    if (!std::all_of(first, versions.lives.end(), is_compiled)) return true;
    const auto seen = seen_.find({versions.method, 0});
    return seen != seen_.end() && std::ranges::any_of(seen->second.parts, [&](const Part& part) {
             return part.begin_ns >= first->begin_ns && part.samples > 0;
           });
  }

  // Level 3 counts its calls for C2, and the interpreter for C1; but once the method has what level
  // 3 counts in, the interpreter counts there, too, and how often it executed the method is not
  // known. That is so where others of level 3 have inlined a method without a version of level 3 of
  // its own, and where one waits for C1 for long. Nor is known which one of several versions of a
  // level had the calls.
  void CountByVm() {
    for (const auto& [method, counted] : counted_) {
      const auto named = by_name_.find(profile_.NameOf(method));
      if (named == by_name_.end() || named->second.size() != 1) continue;
      const MethodVersions& versions = versions_[index_.at(named->second[0])];
      if (IsInterpretedAgain(versions)) continue;
      std::vector<int64_t> interpreted, profiled;
      for (const VersionLife& life : versions.lives) {
        const int32_t level = life.compilation ? log_.compilations[*life.compilation].level : 0;
        if (level == code_level::kInterpreted || level == code_level::kLimited)
          interpreted.push_back(IdOf(life.compilation));
        if (level == code_level::kProfiled) profiled.push_back(IdOf(life.compilation));
      }
      const bool is_split = counted.invocations > 0 &&
                            (profiled.empty() || counted.interpreted >= kProfiledFromCalls);
      if (interpreted == std::vector<int64_t>{0} && counted.interpreted > 0 && !is_split) {
        Count({named->second[0], 0}, {method, 0}, counted.interpreted);
      }
      if (profiled.size() == 1) {
        Count({named->second[0], profiled[0]}, {method, 3}, counted.invocations);
      }
    }
  }

  // Calls of what is inlined are counted like others. So their time is that of all the method's
  // frames at that level, in whatever code.
  void Count(const Version& version, const MethodAtLevel& frames, double calls) {
    Seen& seen = seen_[version];
    seen.counted = calls;
    seen.samples = seen.of_loops = seen.of_other_loops;
    for (const size_t node : by_level_[frames]) {
      seen.samples += tree_.nodes()[node].weight;
      if (tree_.nodes()[node].code.is_osr) seen.of_loops += tree_.nodes()[node].weight;
    }
    counted_frames_[version] = frames;
  }

  void Add(const Version& version, const Seen& seen) {
    VersionExecution execution;
    execution.execution.samples = seen.samples;
    execution.is_in_loops = seen.counted && *seen.counted < kFewCalls && seen.of_loops > 0 &&
                            seen.of_loops >= seen.samples / 2;
    if (seen.counted) {
      if (!execution.is_in_loops) execution.execution.calls = Calls::Counted(*seen.counted);
    } else if (seen.entries > 0) {  // None may mean that the probe had not come to this code yet.
      const auto first = std::ranges::find_if(
          seen.parts, [](const Part& part) { return part.observed.calls > 0; });
      std::vector<ObservedUnit> units;
      for (auto part = first; part != seen.parts.end(); ++part) {
        const ObservedUnit& observed = part->observed;
        if (observed.stacks <= 0 && observed.calls <= 0) continue;
        units.push_back(observed);
        const double times = observed.stacks > 0 ? part->samples / observed.stacks : 1;
        execution.periods.push_back(
            {.calls = times * observed.calls, .samples = part->samples, .end_ns = part->end_ns});
      }
      execution.execution.calls = CallsOfAll(units, seen.samples, seen.entries);
    }
    result_.versions[version] = std::move(execution);
  }

  using Call = std::tuple<MethodId, int32_t, MethodId>;

  // What a compilation has inlined.
  std::set<Call> InlinedBy(int64_t compile_id) {
    if (inlined_.empty()) {
      for (const JitLog::Inlining& inlining : log_.inlinings) {
        if (!inlining.succeeded) continue;
        const MethodId caller = profile_.methods.Find(log_[inlining.caller].full_name);
        const MethodId callee = profile_.methods.Find(log_[inlining.callee].full_name);
        if (caller != kNoMethod && callee != kNoMethod) {
          inlined_[inlining.compile_id].insert({caller, inlining.bci, callee});
        }
      }
      inlined_[0];
    }
    const auto found = inlined_.find(compile_id);
    return found == inlined_.end() ? std::set<Call>() : found->second;
  }

  void IndexTree() {
    children_.resize(tree_.size());
    for (size_t i = 1; i < tree_.size(); ++i) {
      const CallingContextTree::Node& node = tree_.nodes()[i];
      children_[ToIndex(node.parent)].push_back(i);
      if (!node.code.is_known) continue;
      if (!node.code.is_osr) by_code_[node.code.compile_id].push_back(i);
      by_level_[{node.method, node.code.level}].push_back(i);
    }
  }

  // Samples below the frames of a version that are not the version's own, and ended in the methods
  // called by `calls`.
  double Below(const Version& version, const std::set<Call>& calls) const {
    const auto counted = counted_frames_.find(version);
    const bool is_counted = counted != counted_frames_.end();
    if (!is_counted && version.second == 0) return 0;  // Interpreted; how often is not known.
    const auto is_own = [&](const CallingContextTree::Node& node) {
      if (!node.code.is_known) return false;
      if (!is_counted) return node.code.compile_id == version.second;
      return MethodAtLevel(node.method, node.code.level) == counted->second;
    };
    std::vector<size_t> frames;
    if (is_counted) {
      const auto of_level = by_level_.find(counted->second);
      if (of_level != by_level_.end()) frames = of_level->second;
    } else if (const auto of_code = by_code_.find(static_cast<int32_t>(version.second));
               of_code != by_code_.end()) {
      frames = of_code->second;
    }
    double samples = 0;
    std::vector<size_t> pending;
    const auto follow = [&](size_t from) {
      for (const size_t child : children_[from]) {
        const CallingContextTree::Node& node = tree_.nodes()[child];
        if (!is_own(node) && calls.contains({tree_.nodes()[from].method, node.bci, node.method})) {
          pending.push_back(child);
        }
      }
    };
    for (const size_t frame : frames) follow(frame);
    while (!pending.empty()) {
      const size_t at = pending.back();
      pending.pop_back();
      samples += tree_.nodes()[at].weight;
      follow(at);
    }
    return samples;
  }

  void AddCallees() {
    for (const MethodVersions& versions : versions_) {
      for (size_t i = 1; i < versions.lives.size(); ++i) {
        const std::optional<size_t> before = versions.lives[i - 1].compilation;
        const std::optional<size_t> after = versions.lives[i].compilation;
        if (!after) continue;
        std::set<Call> calls = InlinedBy(IdOf(before));
        calls.merge(InlinedBy(IdOf(after)));
        if (calls.empty()) continue;
        result_.callees[*after] = {Below({versions.method, IdOf(before)}, calls),
                                   Below({versions.method, IdOf(after)}, calls)};
      }
    }
  }

  void AddInlined() {
    std::map<std::vector<JitMethodId>, double> paths;
    for (size_t i = 1; i < tree_.size(); ++i) {
      const CallingContextTree::Node& end = tree_.nodes()[i];
      if (end.weight <= 0 || !end.code.is_known || !end.code.is_inlined ||
          end.code.level != code_level::kOptimized) {
        continue;
      }
      const auto code = by_id_.find({end.code.compile_id, end.code.is_osr});
      if (code == by_id_.end()) continue;
      std::vector<JitMethodId> path;  // From where it ended.
      for (const CallingContextTree::Node* frame = &end; frame->code.is_inlined;
           frame = &tree_[frame->parent]) {
        const auto named = by_name_.find(profile_.NameOf(frame->method));
        if (named != by_name_.end() && named->second.size() == 1) path.push_back(named->second[0]);
      }
      if (path.empty()) continue;
      path.push_back(log_.compilations[code->second].method);
      std::ranges::reverse(path);
      paths[std::move(path)] += end.weight;
    }
    for (const auto& [path, samples] : paths) result_.inlined.push_back({path, samples});
  }

  const Profile& profile_;
  const JitLog& log_;
  const CallingContextTree& tree_;
  const double unit_ns_;  // Time of a sample.
  const std::vector<MethodVersions> versions_;
  std::map<JitMethodId, size_t> index_;  // In versions_.
  std::map<std::pair<int64_t, bool>, size_t> by_id_;
  std::unordered_map<std::string, std::vector<JitMethodId>> by_name_;  // That were compiled.
  int64_t last_end_ns_ = 0;  // Of the periods that were taken.
  std::map<Version, Seen> seen_;
  std::map<MethodId, CodePeriod::Counted> counted_;
  std::map<int64_t, std::set<Call>> inlined_;
  std::vector<std::vector<size_t>> children_;
  std::unordered_map<int32_t, std::vector<size_t>> by_code_;
  std::map<MethodAtLevel, std::vector<size_t>> by_level_;
  std::map<Version, MethodAtLevel> counted_frames_;  // Of versions whose calls the VM counted.
  Executions result_;
};

}  // namespace

void AddLackOfCpuTime(const JitLog& log, std::vector<std::string>* lacks) {
  const auto count = std::ranges::count_if(
      log.compilations, [](const JitLog::Compilation& c) { return !c.is_earlier && !c.cpu_ns; });
  if (count == 0) return;
  lacks->push_back("the CPU time of compilations (" + std::to_string(count) + " of " +
                   std::to_string(log.compilations.size()) +
                   "): how long they took stands for it, which is more on a busy machine");
}

Executions ExecutionsOf(const Profile& profile, std::vector<std::string>* lacks) {
  Executions executions = Builder(profile).Build(lacks);
  AddLackOfCpuTime(profile.jit.log, lacks);
  return executions;
}

JitAccount AccountOf(const Profile& profile) {
  std::vector<std::string> lacks = profile.jit.lacks;
  Executions executions = ExecutionsOf(profile, &lacks);
  Ledger ledger = MakeLedger(profile.jit.log, profile.duration_ns, executions);
  return {std::move(lacks), std::move(executions), std::move(ledger)};
}

}  // namespace yp
