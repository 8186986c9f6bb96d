#include "format/profile/spool_sequence.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <type_traits>
#include <variant>

#include "core/options/config_keys.h"
#include "core/options/config_number.h"

namespace yp {
namespace {

// Keys of Config that add up while a recording lasts.
constexpr std::array<std::string_view, 11> kCosts{
    config_key::kActivityCpuNs,       config_key::kCountingProgramCpuNs,
    config_key::kCountingWalksNs,     config_key::kCountingDrainCpuNs,
    config_key::kCostProgramCpuNs,    config_key::kCostObservedCalls,
    config_key::kCostObservedCallsNs, config_key::kCostSlowPathNs,
    config_key::kCostTriggerCpuNs,    config_key::kCostDrainCpuNs,
    config_key::kCostStacksNs};
// Of all spools the largest.
constexpr std::array<const char*, 2> kUntoldShares{config_key::kVmCountsUntoldShare,
                                                   config_key::kInterpretedUntoldShare};
// Without these the numbers of calls have wrong bounds: rather none than those of a part.
constexpr std::array<std::string_view, 2> kOnlyOfAll{config_key::kCostProgramCpuNs,
                                                     config_key::kCountingProgramCpuNs};

// Of foreign bytes, which may hold any number.
int64_t Plus(int64_t a, int64_t b) {
  int64_t sum = 0;
  return !__builtin_add_overflow(a, b, &sum) ? sum : b > 0 ? INT64_MAX : INT64_MIN;
}
int64_t Minus(int64_t a, int64_t b) {
  int64_t difference = 0;
  return !__builtin_sub_overflow(a, b, &difference) ? difference : b < 0 ? INT64_MAX : INT64_MIN;
}
uint64_t Minus(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
uint64_t Plus(uint64_t a, uint64_t b) { return a + std::min(b, UINT64_MAX - a); }

template <typename Id>
void Shift(Id* id, uint32_t base, uint32_t* next) {
  const uint32_t shifted = static_cast<uint32_t>(*id) + base;
  *next = std::max(*next, shifted + 1);
  *id = Id{shifted};
}

}  // namespace

// What each record becomes.
struct SpoolSequence::Rewriter {
  SpoolSequence& all;

  void ShiftMethod(MethodId* id) {
    if (*id != kNoMethod) Shift(id, all.bases_.method, &all.next_.method);
  }
  void ShiftEdge(EdgeId* id) { Shift(id, all.bases_.edge, &all.next_.edge); }
  void ShiftCompilation(CompilationId* id) {
    if (*id != kNoCompilation) Shift(id, all.bases_.compilation, &all.next_.compilation);
  }
  void ShiftCall(CompiledCallId* id) {
    if (*id != kNoCompiledCall) Shift(id, all.bases_.call, &all.next_.call);
  }
  void ShiftContext(ContextId* id) {
    if (*id != kRootContext) Shift(id, all.bases_.context, &all.next_.context);
  }
  void ShiftTest(uint32_t* test) { Shift(test, all.bases_.test, &all.next_.test); }
  void ShiftTick(uint64_t* tick) {
    *tick += all.bases_.tick;
    all.next_.tick = std::max(all.next_.tick, *tick + 1);
  }

  bool operator()(spool::Config& record) {
    std::erase_if(record.entries, [&](const auto& entry) {
      if (std::ranges::find(kCosts, entry.first) != kCosts.end()) {
        all.costs_[entry.first] = entry.second;
        return true;
      }
      const bool is_count = entry.first == config_key::kVmCounts ||
                            std::ranges::find(kUntoldShares, entry.first) != kUntoldShares.end();
      if (is_count) all.vm_counts_[entry.first] = entry.second;
      return is_count;
    });
    return all.spools_ == 1;
  }
  bool operator()(spool::MethodDefinition& record) {
    ShiftMethod(&record.id);
    return true;
  }
  bool operator()(spool::EdgeDefinition& record) {
    ShiftEdge(&record.id);
    ShiftMethod(&record.edge.caller);
    ShiftMethod(&record.edge.callee);
    return true;
  }
  bool operator()(spool::Counts& record) {
    for (auto& [edge, calls] : record.calls) ShiftEdge(&edge);
    return true;
  }
  bool operator()(spool::Window& record) {
    ShiftTick(&record.tick);
    record.thread = all.ThreadOf(record.thread);
    record.start_ns = all.TimeOf(record.start_ns);
    for (auto& [edge, samples] : record.samples) ShiftEdge(&edge);
    return true;
  }
  bool operator()(spool::Tick& record) {
    ShiftTick(&record.tick);
    const int64_t cpu_ns = Minus(record.program_cpu_ns, all.part_.program_cpu_ns);
    all.program_cpu_ns_ = std::max(all.program_cpu_ns_, cpu_ns);
    record.program_cpu_ns = Plus(cpu_ns, all.offset_.program_cpu_ns);
    record.begin_ns = all.TimeOf(record.begin_ns);
    ShiftKernelThreads(&record.thread_cpu_ns);
    return true;
  }
  bool operator()(spool::ThreadTimes& record) {
    ShiftKernelThreads(&record.cpu_ns);
    return true;
  }
  bool operator()(spool::Drops& record) {
    for (const auto& [reason, total] : record.totals) all.drops_[reason] = total;
    return false;
  }
  bool operator()(spool::ThreadDefinition& record) {
    record.id = all.ThreadOf(record.id);
    if (record.kernel_id != 0) record.kernel_id = all.KernelThreadOf(record.kernel_id);
    return true;
  }
  bool operator()(spool::Compilation& record) {
    ShiftCompilation(&record.id);
    for (spool::Compilation::Node& node : record.nodes) ShiftMethod(&node.method);
    return true;
  }
  bool operator()(spool::CompiledCall& record) {
    ShiftCall(&record.id);
    ShiftEdge(&record.edge);
    ShiftCompilation(&record.caller);
    ShiftCompilation(&record.callee);
    return true;
  }
  bool operator()(spool::CompiledSamples& record) {
    for (auto& [call, samples] : record.samples) ShiftCall(&call);
    if (record.end_ns != 0) record.end_ns = all.TimeOf(record.end_ns);
    return true;
  }
  bool operator()(spool::MethodProfile& record) {
    const uint32_t id = ToIndex(record.method);
    all.profiles_[id] = record;
    if (const auto earlier = all.counted_.find(id); earlier != all.counted_.end()) {
      const Counted& counted = earlier->second;
      record.invocations_before = Minus(record.invocations_before, counted.invocations);
      record.interpreted_before = Minus(record.interpreted_before, counted.interpreted);
      for (spool::MethodProfile::Site& site : record.sites) AddEarlier(counted, &site);
    }
    ShiftMethod(&record.method);
    for (spool::MethodProfile::Site& site : record.sites) {
      for (spool::MethodProfile::Receiver& receiver : site.receivers) ShiftMethod(&receiver.callee);
    }
    return true;
  }
  bool operator()(spool::EntryCounts& record) {
    for (spool::EntryCounts::Gap& gap : record.gaps) {
      gap.begin_ns = all.TimeOf(gap.begin_ns);
      gap.end_ns = all.TimeOf(gap.end_ns);
    }
    for (spool::EntryCounts::Count& count : record.counts) ShiftCompilation(&count.compilation);
    for (spool::EntryCounts::Use& use : record.uses) ShiftCompilation(&use.compilation);
    return true;
  }
  bool operator()(spool::InterpretedCalls& record) {
    for (spool::InterpretedCalls::Method& method : record.methods) {
      ShiftMethod(&method.method);
      for (auto& initialization : method.initializations) {
        ShiftMethod(&initialization.initializer);
      }
    }
    for (std::vector<MethodId>& callees : record.targets) {
      for (MethodId& callee : callees) ShiftMethod(&callee);
    }
    all.interpreted_ = std::move(record);
    return false;
  }
  bool operator()(spool::ContextDefinition& record) {
    ShiftContext(&record.id);
    ShiftContext(&record.parent);
    ShiftMethod(&record.method);
    return true;
  }
  bool operator()(spool::ContextSamples& record) {
    record.thread = all.ThreadOf(record.thread);
    record.start_ns = all.TimeOf(record.start_ns);
    for (auto& [context, samples] : record.samples) ShiftContext(&context);
    return true;
  }
  bool operator()(spool::ContextCounts& record) {
    for (auto& [context, calls] : record.calls) ShiftContext(&context);
    return true;
  }
  bool operator()(spool::EarlierCode&) { return true; }
  bool operator()(spool::OwnCompilation& record) {
    ShiftMethod(&record.method);
    record.start_ns = all.TimeOf(record.start_ns);
    record.end_ns = all.TimeOf(record.end_ns);
    return true;
  }
  bool operator()(spool::ControllerDecision& record) {
    record.time_ns = all.TimeOf(record.time_ns);
    ShiftMethod(&record.method);
    for (Edge& edge : record.new_calls) {
      ShiftMethod(&edge.caller);
      ShiftMethod(&edge.callee);
    }
    return true;
  }
  bool operator()(spool::CompilerTimes& record) {
    record.time_ns = all.TimeOf(record.time_ns);
    return true;
  }
  bool operator()(spool::TestBegin& record) {
    ShiftTest(&record.test);
    record.begin_ns = all.TimeOf(record.begin_ns);
    return true;
  }
  bool operator()(spool::TestEnd& record) {
    ShiftTest(&record.test);
    record.end_ns = all.TimeOf(record.end_ns);
    return true;
  }
  bool operator()(spool::Reached& record) {
    for (uint32_t& test : record.tests) ShiftTest(&test);
    for (EdgeId& edge : record.edges) ShiftEdge(&edge);
    return true;
  }
  bool operator()(spool::UnexecutedCalls& record) {
    for (auto& call : record.calls) ShiftMethod(&call.caller);
    return true;
  }
  bool operator()(spool::Part& record) {
    all.part_ = std::move(record);
    return false;
  }
  bool operator()(spool::End& record) {
    all.end_ = record;
    all.TimeOf(record.end_ns);
    return false;
  }

  void ShiftKernelThreads(std::vector<std::pair<int32_t, int64_t>>* threads) {
    for (auto& [kernel_id, cpu_ns] : *threads) kernel_id = all.KernelThreadOf(kernel_id);
  }

  // Counters go on from one part to the next: what earlier parts of the recording have counted was
  // not there before it.
  static void AddEarlier(const Counted& counted, spool::MethodProfile::Site* site) {
    if (const auto calls = counted.sites.find(site->bci); calls != counted.sites.end()) {
      site->before = Minus(site->before, calls->second);
    }
    std::map<uint32_t, uint64_t> left;
    for (spool::MethodProfile::Receiver& receiver : site->receivers) {
      const uint32_t callee = ToIndex(receiver.callee);
      const auto known = counted.receivers.find({site->bci, callee});
      if (known == counted.receivers.end()) continue;
      uint64_t& more = left.try_emplace(callee, known->second).first->second;
      const uint64_t taken = std::min(more, receiver.before);
      receiver.before -= taken;
      more -= taken;
    }
  }
};

void SpoolSequence::Begin(const Source& source) {
  if (is_open_) EndSpool();
  is_open_ = true;
  const bool is_same = spools_ > 0 && !source.recording.empty() && source.recording == recording_;
  if (spools_ > 0 && !is_same) BeginRecording();
  recording_ = source.recording;
  ++spools_;
  part_ = {};
  end_ns_ = program_cpu_ns_ = 0;
  end_.reset();
  costs_.clear();
  vm_counts_.clear();
  drops_.clear();
  profiles_.clear();
  interpreted_.reset();
}

void SpoolSequence::BeginRecording() {
  is_first_recording_ = false;
  bases_ = next_;
  threads_.clear();
  kernel_threads_.clear();
  counted_.clear();
}

std::optional<spool::Record> SpoolSequence::Rewrite(spool::Record record) {
  if (!std::visit(Rewriter{*this}, record)) return std::nullopt;
  return record;
}

int64_t SpoolSequence::TimeOf(int64_t time_ns) {
  const int64_t since_begin_ns = Minus(time_ns, part_.begin_ns);
  end_ns_ = std::max(end_ns_, since_begin_ns);
  return Plus(since_begin_ns, offset_.time_ns);
}

ThreadId SpoolSequence::ThreadOf(ThreadId thread) {
  if (is_first_recording_) {
    next_thread_ = std::max(next_thread_, ToIndex(thread) + 1);
    return thread;
  }
  const auto [known, is_new] = threads_.try_emplace(ToIndex(thread), next_thread_);
  if (is_new) ++next_thread_;
  return ThreadId{known->second};
}

int32_t SpoolSequence::KernelThreadOf(int32_t kernel_id) {
  if (is_first_recording_) return kernel_id;
  const auto [known, is_new] = kernel_threads_.try_emplace(kernel_id, next_kernel_thread_);
  if (is_new) --next_kernel_thread_;
  return known->second;
}

void SpoolSequence::EndSpool() {
  is_open_ = false;
  for (const auto& [reason, total] : part_.drops) {
    if (const auto all = drops_.find(reason); all != drops_.end()) {
      all->second = Minus(all->second, total);
    }
  }
  for (const auto& [reason, total] : drops_) {
    if (total == 0 && !part_.drops.empty()) continue;
    all_drops_[reason] = Plus(all_drops_[reason], total);
  }
  std::map<std::string, int64_t> before;
  for (const auto& [key, value] : part_.costs) before[key] = NumberIn<int64_t>(value);
  before[config_key::kActivityCpuNs] = part_.program_cpu_ns;
  for (const auto& [key, value] : costs_) {
    const int64_t own = Minus(NumberIn<int64_t>(value), before[key]);
    if (key == config_key::kActivityCpuNs) program_cpu_ns_ = std::max(program_cpu_ns_, own);
    all_costs_[key] = Plus(all_costs_[key], own);
    ++spools_with_cost_[key];
  }
  if (vm_counts_[config_key::kVmCounts] == "all" && end_) {
    ++spools_with_all_counts_;
    for (const char* key : kUntoldShares) {
      const std::string& share = vm_counts_[key];
      if (share.empty()) continue;
      const auto [known, is_first] = untold_shares_.try_emplace(key, share);
      if (NumberIn<double>(share) > NumberIn<double>(known->second)) known->second = share;
    }
  }
  for (const auto& [id, profile] : profiles_) {
    Counted& counted = counted_[id];
    const auto add = [](uint64_t now, uint64_t then, uint64_t* sum) {
      *sum = Plus(*sum, Minus(now, then));
    };
    add(profile.invocations, profile.invocations_before, &counted.invocations);
    add(profile.interpreted, profile.interpreted_before, &counted.interpreted);
    for (const spool::MethodProfile::Site& site : profile.sites) {
      add(site.calls, site.before, &counted.sites[site.bci]);
      for (const spool::MethodProfile::Receiver& receiver : site.receivers) {
        add(receiver.calls, receiver.before,
            &counted.receivers[{site.bci, ToIndex(receiver.callee)}]);
      }
    }
  }
  if (interpreted_) all_interpreted_.push_back(*std::move(interpreted_));
  all_ended_ = all_ended_ && end_.has_value();
  if (end_) {
    offset_.agent_cpu_ns =
        Plus(offset_.agent_cpu_ns, Minus(end_->agent_cpu_ns, part_.agent_cpu_ns));
  }
  offset_.time_ns = Plus(offset_.time_ns, end_ns_);
  offset_.program_cpu_ns = Plus(offset_.program_cpu_ns, program_cpu_ns_);
}

std::vector<spool::Record> SpoolSequence::TakeTotals() {
  if (is_open_) EndSpool();
  std::vector<spool::Record> records;
  for (spool::InterpretedCalls& calls : all_interpreted_) records.emplace_back(std::move(calls));
  spool::Config config;
  for (const auto& [key, sum] : all_costs_) {
    const bool is_of_all = spools_with_cost_[key] == spools_;
    if (!is_of_all && std::ranges::find(kOnlyOfAll, key) != kOnlyOfAll.end()) continue;
    // Ticks tell of it as well.
    const int64_t value =
        key == config_key::kActivityCpuNs && !is_of_all ? offset_.program_cpu_ns : sum;
    config.entries.emplace_back(key, std::to_string(value));
  }
  if (spools_ > 0 && spools_with_all_counts_ == spools_) {
    config.entries.emplace_back(config_key::kVmCounts, "all");
    config.entries.insert(config.entries.end(), untold_shares_.begin(), untold_shares_.end());
  }
  if (!config.entries.empty()) records.emplace_back(std::move(config));
  if (!all_drops_.empty()) {
    records.emplace_back(spool::Drops{{all_drops_.begin(), all_drops_.end()}});
  }
  if (all_ended_ && spools_ > 0) {
    records.emplace_back(spool::End{offset_.time_ns, offset_.agent_cpu_ns});
  }
  return records;
}

}  // namespace yp
