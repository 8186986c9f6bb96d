#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "format/profile/counted.h"
#include "format/profile/counted_methods.h"
#include "format/profile/entry_counts.h"
#include "format/profile/estimate.h"
#include "format/profile/fold.h"
#include "format/profile/inferred.h"
#include "format/profile/joined_threads.h"
#include "format/profile/known_edges.h"
#include "format/profile/own_compilations.h"
#include "format/profile/periods_of_code.h"
#include "format/profile/profile.h"
#include "format/profile/replicates.h"
#include "format/profile/spool_sequence.h"
#include "format/profile/spool_times.h"
#include "format/profile/test_runs.h"

namespace yp {
namespace {

// The reason under which calls are counted whose edge or method was in a damaged part of the spool.
constexpr char kLostDefinition[] = "spool: definition lost";

// Takes a spool's records in order. Ids of the spool become ids of the profile: methods of one full
// name (a class loaded twice) fall together, and so do their edges.
class ProfileBuilder {
 public:
  explicit ProfileBuilder(Profile* profile) : profile_(*profile) {}

  void operator()(const spool::Config& record) {
    for (const auto& [key, value] : record.entries) profile_.config[key] = value;
  }
  void operator()(const spool::MethodDefinition& record) {
    Method method = record.method;
    std::stable_sort(method.lines.begin(), method.lines.end(),
                     [](const auto& a, const auto& b) { return a.bci < b.bci; });
    methods_[record.id] = profile_.methods.Intern(method);
  }
  void operator()(const spool::EdgeDefinition& record) {
    const std::optional<MethodId> caller = FindMethod(record.edge.caller);
    const std::optional<MethodId> callee = FindMethod(record.edge.callee);
    const bool is_bci = record.edge.bci >= kNoBci && record.edge.bci <= UINT16_MAX;
    if (!caller || !callee || *callee == kNoMethod || !is_bci) {
      edges_.erase(record.id);
      return;
    }
    edges_[record.id] = {Edge{*caller, record.edge.bci, *callee}, record.steps};
  }
  void operator()(const spool::Counts& record) {
    for (const auto& [id, calls] : record.calls) {
      if (calls == 0) continue;
      const std::optional<EdgeId> edge = FindEdge(id);
      if (!edge) {
        Drop(calls);
        continue;
      }
      AddExact(*edge, calls);
    }
  }
  void operator()(const spool::Window& record) {
    std::map<uint32_t, std::vector<std::pair<EdgeId, uint32_t>>> by_steps;
    for (const auto& [id, samples] : record.samples) {
      if (samples == 0) continue;
      const std::optional<EdgeId> edge = FindEdge(id);
      if (!edge) {
        Drop(samples);
        continue;
      }
      by_steps[edges_.at(id).steps].emplace_back(*edge, samples);
    }
    if (by_steps.empty()) by_steps[1];
    for (auto& [steps, samples] : by_steps) {
      spool::Window window = record;
      window.steps = steps;
      window.samples = std::move(samples);
      MergeEqualEdges(&window);
      profile_.windows.push_back(std::move(window));
    }
    profile_.duration_ns = std::max(profile_.duration_ns, record.start_ns);
    now_ns_ = std::max(now_ns_, record.start_ns);
  }
  void operator()(const spool::Tick& record) {
    const bool is_time = record.begin_ns >= 0 && record.open_ns >= 0 && record.period_ns >= 0 &&
                         record.open_cpu_ns >= 0 && record.program_cpu_ns >= 0;
    if (!is_time) return;
    profile_.ticks.push_back(record);
    periods_.Take(record);
    std::erase_if(profile_.ticks.back().thread_cpu_ns,
                  [](const auto& thread) { return thread.second <= 0; });
  }
  void operator()(const spool::ThreadTimes& record) {
    for (const auto& [thread, cpu_ns] : record.cpu_ns) {
      int64_t& known_ns = profile_.thread_cpu_ns[thread];
      if (cpu_ns > 0) known_ns += std::min(cpu_ns, kLatestNs - known_ns);
    }
  }
  void operator()(const spool::Drops& record) {
    for (const auto& [reason, total] : record.totals) profile_.drops[reason] = total;
  }
  void operator()(const spool::ThreadDefinition& record) {
    const auto [it, is_new] = threads_.try_emplace(record.id, profile_.threads.size());
    if (is_new) profile_.threads.push_back(record);
    profile_.threads[it->second].name = record.name;
    profile_.threads[it->second].kernel_id = record.kernel_id;
  }
  void operator()(const spool::Compilation& record) {
    spool::Compilation compilation = record;
    for (size_t i = 0; i < compilation.nodes.size(); ++i) {
      spool::Compilation::Node& node = compilation.nodes[i];
      const std::optional<MethodId> method = FindMethod(node.method);
      if (!method || (i > 0 && node.parent >= i)) return;
      node.method = *method;
    }
    std::erase_if(compilation.call_sites, [&](const spool::Compilation::CallSite& site) {
      return site.node >= compilation.nodes.size();
    });
    if (!compilation.nodes.empty()) evidence_.compilations[record.id] = std::move(compilation);
  }
  void operator()(const spool::CompiledCall& record) { compiled_calls_[record.id] = record; }
  void operator()(const spool::CompiledSamples& record) {
    now_ns_ = std::max(now_ns_, record.end_ns);
    if (record.end_ns > 0) periods_.EndRound(record.end_ns, record.open_ns);
    rounds_.push_back({told_windows_, profile_.windows.size(), record.samples});
    told_windows_ = profile_.windows.size();
    for (const auto& [id, samples] : record.samples) {
      compiled_samples_[id] += samples;
      if (record.end_ns > 0) entries_.push_back({record.end_ns, id, samples});
    }
  }
  void operator()(const spool::MethodProfile& record) {
    const std::optional<MethodId> method =
        counted_methods_.Take(record, [this](MethodId id) { return FindMethod(id); });
    if (!method) return;
    periods_.Take(now_ns_, CodePeriod::Counted{*method, static_cast<double>(record.invocations),
                                               static_cast<double>(record.interpreted)});
  }
  void operator()(const spool::EntryCounts& record) { entry_counts_.Take(record); }
  void operator()(const spool::InterpretedCalls& record) {
    counted_methods_.Take(record, [this](MethodId id) { return FindMethod(id); });
  }
  void operator()(const spool::ContextDefinition& record) {
    const std::optional<MethodId> method = FindMethod(record.method);
    const auto parent = contexts_.find(record.parent);
    const bool is_bci = record.bci >= kNoBci && record.bci <= UINT16_MAX;
    if (record.id == kRootContext) return;
    const bool is_known = method && *method != kNoMethod && parent != contexts_.end() && is_bci;
    if (!is_known) {
      contexts_.erase(record.id);
      return;
    }
    const Context& above = parent->second;
    const Context context = {
        profile_.contexts.Child(above.plain, record.bci, *method),
        profile_.jit.contexts.Child(above.with_code, record.bci, *method, record.code)};
    contexts_[record.id] = context;
    plain_.emplace(context.with_code, context.plain);
  }
  // Where no calls are observed, what stacks end in is taken for them: the classic time sampler's
  // call graph.
  void operator()(const spool::ContextSamples& record) {
    const bool are_calls = profile_.ConfigOr(config_key::kProbe, "") == "none";
    now_ns_ = std::max(now_ns_, record.start_ns);
    joined_threads_.HasStacks(record.thread);
    spool::Window window;
    window.thread = record.thread;
    window.start_ns = record.start_ns;
    for (const auto& [id, samples] : record.samples) {
      const auto context = contexts_.find(id);
      if (context == contexts_.end() || id == kRootContext) {
        Drop(samples);
        continue;
      }
      const auto [plain, with_code] = context->second;
      profile_.contexts.Add(plain, samples);
      profile_.jit.contexts.Add(with_code, samples);
      AddCodeSamples(with_code, samples, record.start_ns);
      stack_times_.Take(record.start_ns, record.thread, with_code, samples);
      const std::optional<Edge> edge = are_calls ? ObservedEnd(plain) : std::nullopt;
      if (!edge) continue;
      window.samples.emplace_back(InternEdge(*edge), samples);
      window.calls += samples;
    }
    if (window.samples.empty()) return;
    MergeEqualEdges(&window);
    profile_.windows.push_back(std::move(window));
  }
  // Whose ends are the calls.
  void operator()(const spool::ContextCounts& record) {
    for (const auto& [id, calls] : record.calls) {
      const auto context = contexts_.find(id);
      if (context == contexts_.end() || id == kRootContext) {
        Drop(calls);
        continue;
      }
      profile_.contexts.Add(context->second.plain, static_cast<double>(calls));
      const CallingContextTree::Node& node = profile_.contexts[context->second.plain];
      AddExact(InternEdge({profile_.contexts[node.parent].method, node.bci, node.method}), calls);
    }
  }
  void operator()(const spool::EarlierCode& record) {
    Method method;
    method.class_name = record.class_name;
    method.name = record.name;
    method.descriptor = record.descriptor;
    JitCompilation& earlier = profile_.jit.earlier.emplace_back();
    earlier.compile_id = record.compile_id;
    earlier.level = record.level;
    earlier.is_osr = record.is_osr;
    earlier.is_earlier = true;
    earlier.method = {method.FullName(), record.is_of_boot_loader ? "bootstrap" : ""};
  }
  void operator()(const spool::OwnCompilation& record) {
    const std::optional<MethodId> method = FindMethod(record.method);
    if (!method || *method == kNoMethod) return;
    if (auto compilation = CompilationOf(record, profile_.NameOf(*method))) {
      profile_.jit.log.On(std::move(*compilation));
    }
  }
  void operator()(const spool::ControllerDecision& record) {
    const std::optional<MethodId> method = FindMethod(record.method);
    if (!method || *method == kNoMethod) return;
    profile_.jit.decisions.push_back(
        DecisionOf(record, profile_.jit.log.Intern({profile_.NameOf(*method), ""})));
  }
  void operator()(const spool::CompilerTimes& record) {
    for (const auto& [thread, cpu_ns] : record.cpu_ns) {
      std::vector<ClockReading>& readings = profile_.jit.clocks[thread];
      const ClockReading reading{std::clamp<int64_t>(record.time_ns, 0, kLatestNs),
                                 std::clamp<int64_t>(cpu_ns, 0, kLatestNs)};
      const bool is_next = readings.empty() || readings.back().time_ns <= reading.time_ns;
      if (is_next) readings.push_back(reading);
    }
  }
  void operator()(const spool::TestBegin& record) { tests_.Take(record); }
  void operator()(const spool::TestEnd& record) { tests_.Take(record); }
  void operator()(const spool::Reached& record) {
    tests_.Take(record, [this](EdgeId told) -> std::optional<EdgeId> {
      const auto definition = edges_.find(told);
      if (definition == edges_.end()) return std::nullopt;
      // One that was not counted is none.
      const auto edge = index_.find(definition->second.edge);
      return edge == index_.end() ? std::nullopt : std::optional(edge->second);
    });
  }
  void operator()(const spool::UnexecutedCalls& record) {
    profile_.unexecuted_calls.clear();
    for (const auto& call : record.calls) {
      const std::optional<MethodId> caller = FindMethod(call.caller);
      if (!caller || *caller == kNoMethod || call.bci < 0 || call.bci > UINT16_MAX) continue;
      Method callee;
      callee.class_name = call.class_name;
      callee.name = call.name;
      callee.descriptor = call.descriptor;
      profile_.unexecuted_calls.push_back({*caller, call.bci, callee.FullName()});
    }
  }
  // SpoolSequence has used it.
  void operator()(const spool::Part&) {}
  void operator()(const spool::End& record) {
    profile_.complete = true;
    profile_.duration_ns = std::max(profile_.duration_ns, record.end_ns);
    profile_.agent_cpu_ns = std::max<int64_t>(0, record.agent_cpu_ns);
  }

  void Finish() {
    if (lost_calls_ > 0) profile_.drops[kLostDefinition] = lost_calls_;
    joined_threads_.Join(&profile_.threads);
    for (spool::Window& window : profile_.windows) window.thread = joined_threads_(window.thread);
    profile_.tests = tests_.Finish();
    std::ranges::sort(profile_.unexecuted_calls);
    TakeCompiledCalls();
    counted_methods_.Finish(&evidence_.method_profiles, &vm_counts_);
    FinishPeriods();
    FinishStackTimes();
    const bool are_counted = VmCounts::AreComplete(profile_);
    if (are_counted) vm_counts_.SetAside(rounds_, &evidence_, &profile_);
    entry_counts_.Finish(profile_, rounds_, &evidence_);
    const Replicates replicates(profile_);
    EstimateCalls(&profile_);
    const std::vector<InlinedRoot> roots = AddInferredCalls(evidence_, &profile_);
    if (are_counted) VmCounts::LeaveOutAside(&profile_);
    FinishIntervals(&profile_);
    if (are_counted) vm_counts_.AddTo(&profile_);
    KeepKnownEdges(&profile_);
    replicates.AddTo(evidence_, entries_, &profile_);
    EstimateContexts(roots, &profile_);
  }

 private:
  std::optional<MethodId> FindMethod(MethodId id) const {
    if (id == kNoMethod) return kNoMethod;
    const auto it = methods_.find(id);
    return it == methods_.end() ? std::nullopt : std::optional(it->second);
  }
  // The profile's edge, made when it is first counted: an edge that was told and never counted is
  // none.
  std::optional<EdgeId> FindEdge(EdgeId id) {
    const auto edge = edges_.find(id);
    if (edge == edges_.end()) return std::nullopt;
    return InternEdge(edge->second.edge);
  }
  void AddExact(EdgeId edge, uint64_t calls) {
    EdgeStats& stats = profile_.edges[ToIndex(edge)];
    stats.calls += static_cast<double>(calls);
    stats.low = stats.high = stats.uncorrected = stats.calls;
    stats.share_low = stats.share_high = stats.calls;
    stats.flags |= profile_.finds_edges() ? kEdgeOnce : kEdgeExact;
  }
  EdgeId InternEdge(const Edge& edge) {
    const EdgeId next{static_cast<uint32_t>(profile_.edges.size())};
    const auto [it, is_new] = index_.try_emplace(edge, next);
    if (is_new) profile_.edges.push_back({.edge = edge});
    return it->second;
  }
  // The innermost call of an observed method; nothing when there is none.
  std::optional<Edge> ObservedEnd(ContextId context) const {
    for (; context != kRootContext; context = profile_.contexts[context].parent) {
      const CallingContextTree::Node& node = profile_.contexts[context];
      if (!profile_.IsObserved(node.method)) continue;
      return Edge{profile_.contexts[node.parent].method, node.bci, node.method};
    }
    return std::nullopt;
  }
  // Those of edges that were sampled: the window that has a call's sample may be lost.
  void TakeCompiledCalls() {
    for (const auto& [id, samples] : compiled_samples_) {
      const auto known = compiled_calls_.find(id);
      if (known == compiled_calls_.end()) continue;
      const spool::CompiledCall& call = known->second;
      const auto edge = edges_.find(call.edge);
      if (edge == edges_.end()) continue;
      const auto sampled = index_.find(edge->second.edge);
      if (sampled == index_.end()) continue;
      evidence_.calls[id] = {.edge = sampled->second,
                             .caller = call.caller,
                             .caller_node = call.caller_node,
                             .callee = call.callee,
                             .is_caller_profiled = call.is_caller_profiled,
                             .samples = samples,
                             .steps = edge->second.steps};
    }
  }
  // Inlined methods are executed by the code of the compiled one.
  void AddCodeSamples(ContextId context, uint64_t samples, int64_t time_ns) {
    const CallingContextTree& tree = profile_.jit.contexts;
    while (tree[context].code.is_inlined && tree[context].parent != kRootContext) {
      context = tree[context].parent;
    }
    CodeLabel code = tree[context].code;
    code.is_inlined = false;
    periods_.Take(time_ns, CodePeriod::Samples{tree[context].method, code, samples});
  }
  void FinishPeriods() {
    if (profile_.ConfigOr(config_key::kJitCode, "") != "yes") {
      profile_.jit.contexts = {};
      return;
    }
    // Calls per sample, while calls are counted down.
    const auto interval = ConfigNumber<double>(profile_.config, config_key::kInterval);
    for (const auto& [end_ns, id, samples] : entries_) {
      const auto known = evidence_.calls.find(id);
      if (known == evidence_.calls.end()) continue;
      const Edge& edge = profile_.edges[ToIndex(known->second.edge)].edge;
      const auto code = evidence_.compilations.find(known->second.callee);
      const int32_t compile_id = code == evidence_.compilations.end() ? 0 : code->second.compile_id;
      const double calls = static_cast<double>(samples) * interval *
                           IntervalsPerSample(profile_, known->second.steps);
      periods_.Take(end_ns, CodePeriod::Calls{edge.callee, compile_id, samples, calls});
    }
    profile_.jit.periods =
        periods_.Finish(ConfigNumber<double>(profile_.config, config_key::kStacksPeriod));
    Coalesce(JitProfile::kMaxPeriods, &profile_.jit.periods);
  }
  void FinishStackTimes() {
    if (profile_.context_weights() != Profile::ContextWeights::kTime) return;
    const bool have_code = profile_.jit.contexts.total() > 0;
    profile_.stack_times = stack_times_.Finish(
        profile_.duration_ns, profile_.threads,
        [&](ContextId context) { return have_code ? context : plain_.at(context); },
        [this](ThreadId thread) { return joined_threads_(thread); });
  }
  static void MergeEqualEdges(spool::Window* window) {
    auto& samples = window->samples;
    std::sort(samples.begin(), samples.end());
    size_t kept = 0;
    for (const auto& [edge, count] : samples) {
      if (kept > 0 && samples[kept - 1].first == edge) {
        const uint64_t sum = uint64_t{samples[kept - 1].second} + count;
        samples[kept - 1].second = static_cast<uint32_t>(std::min<uint64_t>(sum, UINT32_MAX));
      } else {
        samples[kept++] = {edge, count};
      }
    }
    samples.resize(kept);
  }
  void Drop(uint64_t calls) {
    lost_calls_ = calls > UINT64_MAX - lost_calls_ ? UINT64_MAX : lost_calls_ + calls;
  }

  Profile& profile_;
  std::unordered_map<MethodId, MethodId> methods_;
  struct CountedEdge {
    Edge edge;
    uint32_t steps = 1;
  };
  std::unordered_map<EdgeId, CountedEdge> edges_;
  std::unordered_map<ThreadId, size_t> threads_;  // Indices of the profile's threads.
  std::unordered_map<Edge, EdgeId, EdgeHash> index_;
  struct Context {
    ContextId plain = kRootContext;
    ContextId with_code = kRootContext;
  };
  std::unordered_map<ContextId, Context> contexts_{{kRootContext, {}}};
  std::unordered_map<ContextId, ContextId> plain_;  // Of each context with code.
  std::unordered_map<CompiledCallId, spool::CompiledCall> compiled_calls_;
  std::unordered_map<CompiledCallId, uint64_t> compiled_samples_;
  InlineEvidence evidence_;
  CountedMethods counted_methods_;
  VmCounts vm_counts_;
  EntryCountsBuilder entry_counts_;
  std::vector<SampledRound> rounds_;
  size_t told_windows_ = 0;  // Of the rounds so far.
  std::vector<TimedSamples> entries_;
  PeriodsOfCode periods_;
  StackTimesBuilder stack_times_;
  JoinedThreads joined_threads_;
  TestRunsBuilder tests_;
  int64_t now_ns_ = 0;  // As far as records have told.
  uint64_t lost_calls_ = 0;
};

}  // namespace

Result<Profile> FoldSpools(std::span<const SpoolToFold> spools) {
  Profile profile;
  ProfileBuilder builder(&profile);
  SpoolSequence sequence;
  bool any = false;
  for (const SpoolToFold& spool : spools) {
    sequence.Begin({spool.recording});
    while (std::optional<spool::Record> record = spool.reader->Next()) {
      any = true;
      const std::optional<spool::Record> taken = sequence.Rewrite(std::move(*record));
      if (taken) std::visit(builder, *taken);
    }
    const std::string damage = spool.reader->damage().Describe();
    if (damage.empty()) continue;
    if (!profile.damage.empty()) profile.damage += "; ";
    profile.damage += spools.size() > 1 ? spool.name + ": " + damage : damage;
  }
  if (!any) {
    return Status::Error("the spool holds no records" +
                         (profile.damage.empty() ? "" : " (" + profile.damage + ")") +
                         "; the JVM ended before the agent wrote anything, run it again");
  }
  for (const spool::Record& record : sequence.TakeTotals()) std::visit(builder, record);
  if (spools.size() > 1) {
    profile.duration_ns = std::max(profile.duration_ns, sequence.duration_ns());
  }
  builder.Finish();
  return profile;
}

Result<Profile> FoldSpool(spool::SpoolReader& reader) {
  const SpoolToFold spool{&reader, "", ""};
  return FoldSpools({&spool, 1});
}

}  // namespace yp
