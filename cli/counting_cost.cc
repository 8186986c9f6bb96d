#include "cli/counting_cost.h"

#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "cli/duration.h"
#include "cli/names.h"
#include "cli/progress.h"
#include "core/options/config_keys.h"
#include "format/spool/spool_reader.h"

namespace yp {
namespace {

constexpr double kCallsPerUs = 100;  // Of the rule's example.
// What counting is said to take of the CPU time at most: beyond that its measure is at its end.
constexpr double kMaxShare = 0.95;
constexpr std::chrono::milliseconds kFirstLook{20}, kLastLook{1000};

double NumberOf(const Profile& profile, const char* key) {
  const std::string_view text = profile.ConfigOr(key, "0");
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The configuration that a JVM has written into its spool, as a profile.
std::optional<Profile> ConfigurationOf(const std::string& spool) {
  const Result<std::unique_ptr<spool::SpoolReader>> reader = spool::SpoolReader::Open(spool);
  if (!reader) return std::nullopt;
  Profile profile;
  while (const std::optional<spool::Record> record = reader.value()->Next()) {
    const auto* config = std::get_if<spool::Config>(&*record);
    if (config == nullptr) continue;
    for (const auto& [key, value] : config->entries) profile.config[key] = value;
    return profile;  // The first has all that is known at the start.
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> CountingCost::Factor() const {
  if (counting_ns <= 0 || counting_ns > kMaxShare * program_cpu_ns) return std::nullopt;
  return program_cpu_ns / (program_cpu_ns - counting_ns);
}

std::optional<CountingCost> CountingCostOf(const Profile& profile) {
  CountingCost cost;
  cost.plain_ns = NumberOf(profile, config_key::kCountingPlainCallPs) / 1000;
  if (cost.plain_ns <= 0) return std::nullopt;
  cost.added_ns = NumberOf(profile, config_key::kCountingCallPs) / 1000;
  cost.program_cpu_ns = NumberOf(profile, config_key::kCountingProgramCpuNs);
  if (profile.exact() && cost.program_cpu_ns > 0) {
    cost.counting_ns =
        profile.total_calls() * cost.added_ns + NumberOf(profile, config_key::kCountingWalksNs);
  }
  return cost;
}

std::string CountingRule(const Profile& profile) {
  const std::optional<CountingCost> cost = CountingCostOf(profile);
  if (!cost) return "";
  const std::string each = fmt::format("about {:.1f} ns for each on this machine", cost->added_ns);
  if (profile.finds_edges()) {
    return fmt::format(
        "mode edges looks at every call: {}, and much more where there may be a new edge", each);
  }
  const bool by_context = profile.ConfigOr(config_key::kContexts, "") == "calls";
  return fmt::format(
      "exact mode counts every call{}: {}; a program that makes {:.0f} calls in a microsecond runs "
      "about {:.1f} times as long",
      by_context ? " by its context" : "", each, kCallsPerUs, cost->FactorAt(kCallsPerUs));
}

std::string CountingResult(const Profile& profile) {
  const std::optional<CountingCost> cost = CountingCostOf(profile);
  if (!cost || cost->counting_ns <= 0) return "";
  const auto time = [](double ns) { return FormatDuration(static_cast<int64_t>(ns)); };
  const std::optional<double> factor = cost->Factor();
  if (!factor) {
    return fmt::format(
        "counting took nearly all of {} CPU time by its own measure ({} calls, {:.1f} ns each)",
        time(cost->program_cpu_ns), FormatCalls(profile.total_calls()), cost->added_ns);
  }
  return fmt::format(
      "counting took about {} of {} CPU time by its own measure ({} calls, {:.1f} ns each): the "
      "program ran about {:.2f} times as long",
      time(cost->counting_ns), time(cost->program_cpu_ns), FormatCalls(profile.total_calls()),
      cost->added_ns, *factor);
}

Json CountingToJson(const CountingCost& cost) {
  const auto known = [](double ns) { return ns > 0 ? JsonNumber(ns) : Json(nullptr); };
  const std::optional<double> factor = cost.Factor();
  return {{"added_ns_per_call", cost.added_ns},
          {"plain_ns_per_call", cost.plain_ns},
          {"counting_ns", known(cost.counting_ns)},
          {"program_cpu_ns", known(cost.program_cpu_ns)},
          {"factor", factor ? Json(*factor) : Json(nullptr)}};
}

TellsCountingRule::TellsCountingRule(SpoolFiles spools) : spools_(std::move(spools)) {
  // Signals are for the thread that waits for them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { Run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TellsCountingRule::~TellsCountingRule() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  finished_changed_.notify_one();
  thread_.join();
}

void TellsCountingRule::Run() {
  std::unique_lock lock(mutex_);
  std::chrono::milliseconds pause = kFirstLook;
  while (!finished_changed_.wait_for(lock, pause, [this] { return finished_; })) {
    for (const SpoolFiles::File& file : spools_.Find()) {
      const std::optional<Profile> profile = ConfigurationOf(file.path);
      if (!profile) continue;
      const std::string rule = CountingRule(*profile);
      return rule.empty() ? void() : Say(rule);
    }
    pause = std::min(pause * 21 / 20, kLastLook);
  }
}

}  // namespace yp
