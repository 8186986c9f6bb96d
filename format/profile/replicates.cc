#include "format/profile/replicates.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/options/config_keys.h"
#include "format/profile/estimate.h"

namespace yp {
namespace {

// Longer than a tick at compiled entries and than the drain's period, by whose ends samples are
// told.
constexpr int64_t kGroupNs = 200'000'000;

// Numbers of calls beyond what a float holds are those of spools that are wrong; they must be read
// again, as others are.
float ToFloat(double calls) {
  return static_cast<float>(std::min(calls, double{std::numeric_limits<float>::max()}));
}

// See Replicates::stretches_.
std::vector<int64_t> StretchesOf(const std::vector<spool::Tick>& ticks) {
  std::vector<int64_t> stretches;
  for (const spool::Tick& tick : ticks) {
    const bool is_new = stretches.empty() || tick.begin_ns - stretches.back() >= kGroupNs;
    if (is_new) stretches.push_back(tick.begin_ns);
  }
  return stretches;
}

}  // namespace

// What is told some time after a tick is still of the latest one that has begun.
size_t Replicates::GroupAt(int64_t time_ns) const {
  if (stretches_.empty()) {
    return static_cast<size_t>(std::max<int64_t>(0, time_ns) / kGroupNs) % kReplicates;
  }
  const auto after = std::ranges::upper_bound(stretches_, time_ns);
  return static_cast<size_t>(std::max<std::ptrdiff_t>(1, after - stretches_.begin()) - 1) %
         kReplicates;
}

InlineEvidence Replicates::EvidenceWithout(
    size_t group, const InlineEvidence& evidence,
    const std::vector<TimedSamples>& compiled_samples) const {
  InlineEvidence rest = evidence;
  for (const TimedSamples& taken : compiled_samples) {
    if (GroupAt(taken.end_ns) != group) continue;
    const auto call = rest.calls.find(taken.call);
    if (call == rest.calls.end()) continue;
    call->second.samples -= std::min<uint64_t>(call->second.samples, taken.samples);
  }
  return rest;
}

namespace {

// Old spools do not tell when entries of compiled code were sampled.
bool AllHaveTimes(const InlineEvidence& evidence,
                  const std::vector<TimedSamples>& compiled_samples) {
  uint64_t all = 0, timed = 0;
  for (const auto& [id, call] : evidence.calls) all += call.samples;
  for (const TimedSamples& taken : compiled_samples) {
    if (evidence.calls.contains(taken.call)) timed += taken.samples;
  }
  return timed >= all;
}

}  // namespace

std::string FormatReplicates(const std::array<float, kReplicates>& replicates, double calls) {
  std::string text;
  for (const float replicate : replicates) {
    constexpr int kDigits = 6;
    std::array<char, 32> digits{};
    const double part = calls > 0 ? static_cast<double>(replicate) / calls : 0;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), part,
                                   std::chars_format::general, kDigits);
    if (!text.empty()) text += ' ';
    text.append(digits.data(), end.ptr);
  }
  return text;
}

std::optional<std::array<float, kReplicates>> ParseReplicates(std::string_view text, double calls) {
  std::array<float, kReplicates> replicates{};
  for (float& replicate : replicates) {
    double part = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), part);
    if (parsed.ec != std::errc() || !std::isfinite(part) || part < 0) return std::nullopt;
    replicate = ToFloat(part * calls);
    text.remove_prefix(static_cast<size_t>(parsed.ptr - text.data()));
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return text.empty() ? std::optional(replicates) : std::nullopt;
}

Replicates::Replicates(const Profile& observed) {
  if (observed.windows.empty()) return;
  observed_.config = observed.config;
  observed_.methods = observed.methods;
  observed_.edges = observed.edges;
  observed_.windows = observed.windows;
  observed_.ticks = observed.ticks;
  observed_.threads = observed.threads;
  observed_.thread_cpu_ns = observed.thread_cpu_ns;
  observed_.drops = observed.drops;
  stretches_ = StretchesOf(observed.ticks);
}

Profile Replicates::ProfileWithout(size_t group) const {
  Profile rest;
  rest.config = observed_.config;
  rest.config.erase(config_key::kContexts);
  rest.methods = observed_.methods;
  rest.edges = observed_.edges;
  for (const spool::Window& window : observed_.windows) {
    if (GroupAt(window.start_ns) != group) rest.windows.push_back(window);
  }
  for (const spool::Tick& tick : observed_.ticks) {
    if (GroupAt(tick.begin_ns) != group) rest.ticks.push_back(tick);
  }
  rest.threads = observed_.threads;
  rest.thread_cpu_ns = observed_.thread_cpu_ns;
  rest.drops = observed_.drops;
  return rest;
}

void Replicates::AddTo(const InlineEvidence& evidence,
                       const std::vector<TimedSamples>& compiled_samples, Profile* profile) const {
  profile->replicates.clear();
  if (observed_.windows.empty() || !AllHaveTimes(evidence, compiled_samples)) return;
  std::unordered_map<Edge, size_t, EdgeHash> index;
  for (size_t i = 0; i < profile->edges.size(); ++i) index.emplace(profile->edges[i].edge, i);
  std::vector<std::array<double, kReplicates>> estimated(profile->edges.size());
  for (size_t group = 0; group < kReplicates; ++group) {
    Profile rest = ProfileWithout(group);
    EstimateCalls(&rest);
    AddInferredCalls(EvidenceWithout(group, evidence, compiled_samples), &rest);
    for (const EdgeStats& edge : rest.edges) {
      const auto known = index.find(edge.edge);
      if (known == index.end()) continue;
      estimated[known->second][group] = edge.calls;
    }
  }
  std::array<double, kReplicates> totals{};
  double mean = 0;
  for (const auto& calls : estimated) {
    for (size_t group = 0; group < kReplicates; ++group) totals[group] += calls[group];
  }
  for (const double total : totals) mean += total / kReplicates;
  profile->replicates.resize(profile->edges.size());
  for (size_t i = 0; i < estimated.size(); ++i) {
    const EdgeStats& edge = profile->edges[i];
    for (size_t group = 0; group < kReplicates; ++group) {
      // What is expected of code that was not sampled varies with all estimated calls.
      const double expected = mean > 0 ? (edge.calls - edge.counted) * totals[group] / mean : 0;
      const bool is_expected = (edge.flags & kEdgeExpected) != 0;
      profile->replicates[i][group] =
          ToFloat((is_expected ? expected : estimated[i][group]) + edge.counted);
    }
  }
}

}  // namespace yp
