#include "compiler/aos/adaptive_host.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace yp::compiler {
namespace {

// The organizer looks so often, if no listener wakes it.
constexpr int64_t kOrganizeIntervalNs = 100'000'000;
// And so often at most where signals are the listener, whose handler cannot wake it.
constexpr int64_t kLeastIntervalNs = 10'000'000;
// Of methods, that wait for the organizer: those of a thousand threads at one tick.
constexpr size_t kMostSamples = 1'024;

int64_t Ns(double ms) { return std::llround(ms * 1e6); }

spool::ControllerDecision RecordOf(const Decision& decision) {
  const Alternative& best = decision.choice.best;
  return {.time_ns = Ns(decision.time_ms),
          .method = decision.method,
          .reason = std::string(ToString(decision.reason)),
          .recompiles = decision.recompiles(),
          .from = decision.from(),
          .to = decision.to(),
          .past_ns = Ns(decision.costs.past_ms),
          .compile_ns = Ns(best.compile_ms),
          .future_ns = Ns(best.future_ms),
          .bytes = decision.costs.bytes + decision.costs.inlined_bytes,
          .milli_samples = static_cast<uint32_t>(std::llround(decision.samples * 1e3)),
          .new_calls = decision.new_calls};
}

int64_t OrganizeIntervalNs(const AdaptivePolicy& policy, bool by_signals) {
  if (!by_signals) return kOrganizeIntervalNs;
  const int64_t enough_ns = Ns(policy.sample_ms * static_cast<double>(policy.method_samples));
  return std::clamp(enough_ns, kLeastIntervalNs, kOrganizeIntervalNs);
}

}  // namespace

std::optional<int32_t> AdaptiveHost::Sizes::BytesOf(MethodId method) const {
  const auto it = bytes.find(method);
  return it == bytes.end() ? std::nullopt : std::optional(it->second);
}

AdaptiveHost::AdaptiveHost(const AdaptivePolicy& policy, const Levels& levels, Clock& clock,
                           int64_t start_ns, MethodSignals* signals)
    : clock_(clock),
      start_ns_(start_ns),
      enough_samples_(policy.method_samples),
      organize_interval_ns_(OrganizeIntervalNs(policy, signals != nullptr)),
      signals_(signals),
      system_(policy, levels, sizes_),
      worker_("yp-organizer", [this](Worker& worker) { Run(worker); }) {
  method_samples_.reserve(kMostSamples);
}

AdaptiveHost::~AdaptiveHost() { Stop(); }

Status AdaptiveHost::Start() { return worker_.Start(); }

void AdaptiveHost::Stop() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  has_work_.notify_all();
  worker_.Stop();
}

double AdaptiveHost::NowMs() const { return static_cast<double>(clock_.NowNs() - start_ns_) / 1e6; }

void AdaptiveHost::OnMethodSample(MethodId method) {
  if (method == kNoMethod) return;
  bool wakes = false;
  {
    const std::lock_guard lock(samples_mutex_);
    if (method_samples_.size() == kMostSamples) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    method_samples_.push_back({method});
    wakes = method_samples_.size() == enough_samples_;
  }
  if (wakes) worker_.Wake();
}

void AdaptiveHost::OnMethodSampleAt(const uint8_t* pc) {
  MethodId method = kNoMethod;
  {
    const std::lock_guard lock(samples_mutex_);
    method = MethodAt(pc);
  }
  OnMethodSample(method);
}

MethodId AdaptiveHost::MethodAt(const uint8_t* pc) const {
  const auto above = code_.upper_bound(pc);
  if (above == code_.begin()) return kNoMethod;
  const Code& code = std::prev(above)->second;
  return pc < code.end ? code.method : kNoMethod;
}

uint64_t AdaptiveHost::TakeSignals(std::vector<MethodSample>* samples) {
  uint64_t outside = 0;
  if (signals_ == nullptr) return outside;
  signals_->Take([&](const MethodSignals::Place& place) {
    const std::lock_guard lock(samples_mutex_);
    MethodId method = MethodAt(reinterpret_cast<const uint8_t*>(place.pc));
    if (method == kNoMethod) method = MethodAt(reinterpret_cast<const uint8_t*>(place.return_pc));
    if (method == kNoMethod) {
      ++outside;
    } else {
      samples->push_back({method});
    }
  });
  return outside;
}

void AdaptiveHost::OnCallSamples(std::span<const CallSample> samples) {
  const std::lock_guard lock(mutex_);
  call_samples_.insert(call_samples_.end(), samples.begin(), samples.end());
}

std::optional<AdaptiveHost::Recompilation> AdaptiveHost::AwaitRecompilation() {
  std::unique_lock lock(mutex_);
  while (!has_ended_) {
    if (const std::optional<Decision> next = system_.NextCompilation(NowMs())) {
      ++totals_.recompilations;
      events_.decisions.push_back(RecordOf(*next));
      return Recompilation{next->method, next->to(), next->choice.best.for_inlining};
    }
    has_work_.wait(lock);
  }
  return std::nullopt;
}

DynamicCallGraph AdaptiveHost::CallsNow() {
  const std::lock_guard lock(mutex_);
  return system_.call_graph().Graph(NowMs());
}

void AdaptiveHost::OnCompiled(Compiled compiled) {
  spool::OwnCompilation& event = compiled.event;
  event.start_ns -= start_ns_;
  event.end_ns -= start_ns_;
  const bool has_code = event.failure.empty();
  if (has_code && compiled.code != nullptr) {
    const uint8_t* const end = compiled.code + event.code_bytes;
    const std::lock_guard lock(samples_mutex_);
    auto at = code_.upper_bound(compiled.code);
    if (at != code_.begin() && std::prev(at)->second.end > compiled.code) --at;
    while (at != code_.end() && at->first < end) at = code_.erase(at);
    code_.emplace(compiled.code, Code{end, event.method});
  }
  const std::lock_guard lock(mutex_);
  if (event.bytecode_bytes > 0) sizes_.bytes[event.method] = event.bytecode_bytes;
  const Levels& levels = system_.levels();
  const auto level = static_cast<size_t>(event.level);
  if (level < levels.size()) event.level_name = levels[level].name;
  if (!has_code) {
    if (!event.is_asked_by_vm) system_.OnRefused(event.method);
  } else if (!event.is_osr && level < levels.size()) {
    system_.OnCompiled(event.method, event.level, NowMs(), compiled.inlined);
  }
  events_.compilations.push_back(std::move(event));
}

AdaptiveHost::Events AdaptiveHost::TakeEvents() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

AdaptiveHost::Totals AdaptiveHost::totals() const {
  const std::lock_guard lock(mutex_);
  return totals_;
}

void AdaptiveHost::Run(Worker& worker) {
  while (worker.SleepFor(organize_interval_ns_)) Organize();
}

void AdaptiveHost::Organize() {
  std::vector<MethodSample> methods;
  methods.reserve(kMostSamples);
  {
    const std::lock_guard lock(samples_mutex_);
    methods.swap(method_samples_);
  }
  const uint64_t outside = TakeSignals(&methods);
  bool has_work = false;
  {
    const std::lock_guard lock(mutex_);
    totals_.samples += methods.size();
    totals_.outside += outside;
    for (const MethodSample& sample : methods) system_.OnSample(sample);
    for (const CallSample& sample : std::exchange(call_samples_, {})) system_.OnSample(sample);
    for (const Decision& decision : system_.Organize(NowMs())) {
      ++totals_.proposals;
      Tell(decision);
    }
    has_work = !system_.plan().empty();
  }
  if (has_work) has_work_.notify_one();
}

// With mutex_.
void AdaptiveHost::Tell(const Decision& decision) {
  const std::pair said(decision.reason, decision.recompiles() ? decision.to() : 0);
  const auto [last, is_first] = last_said_.try_emplace(decision.method, said);
  if (is_first || std::exchange(last->second, said) != said) {
    events_.decisions.push_back(RecordOf(decision));
  }
}

}  // namespace yp::compiler
