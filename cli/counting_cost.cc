#include "cli/counting_cost.h"

#include <fmt/core.h>

#include <cstdint>

#include "cli/duration.h"
#include "cli/names.h"
#include "core/options/config_keys.h"
#include "core/options/config_number.h"

namespace yp {
namespace {

// What counting is said to take of the CPU time at most: beyond that its measure is at its end.
constexpr double kMaxShare = 0.95;

}  // namespace

std::optional<double> CountingCost::Factor() const {
  if (counting_ns <= 0 || counting_ns > kMaxShare * program_cpu_ns) return std::nullopt;
  return program_cpu_ns / (program_cpu_ns - counting_ns);
}

std::optional<CountingCost> CountingCostOf(const Profile& profile) {
  const std::optional<CallCost> call = CallCostIn(profile.config);
  if (!call) return std::nullopt;
  CountingCost cost{.call = *call};
  cost.program_cpu_ns = ConfigNumber<double>(profile.config, config_key::kCountingProgramCpuNs);
  if (profile.exact() && cost.program_cpu_ns > 0) {
    cost.walks_ns = ConfigNumber<double>(profile.config, config_key::kCountingWalksNs);
    cost.counting_ns = profile.total_calls() * cost.call.added_ns + cost.walks_ns;
  }
  return cost;
}

std::string CountingResult(const Profile& profile) {
  const std::optional<CountingCost> cost = CountingCostOf(profile);
  if (!cost || cost->counting_ns <= 0) return "";
  const auto time = [](double ns) { return FormatDuration(static_cast<int64_t>(ns)); };
  const std::optional<double> factor = cost->Factor();
  // Walks are timed by the clock: where processors are busy, they take longer than their CPU time.
  const double calls_ns = cost->counting_ns - cost->walks_ns;
  const bool has_waited =
      cost->counting_ns > cost->program_cpu_ns && calls_ns <= kMaxShare * cost->program_cpu_ns;
  const std::string walks =
      cost->walks_ns < cost->counting_ns / 10
          ? ""
          : fmt::format(
                "; {} of stacks walked{}, to find callers that had not announced "
                "their calls, such as those of lambdas",
                time(cost->walks_ns), has_waited ? ", waits for a processor included" : "");
  const std::string of = fmt::format(
      "{} calls, {:.1f} ns each{}", FormatCalls(profile.total_calls()), cost->call.added_ns, walks);
  if (!factor) {
    return fmt::format("counting took {} of {} CPU time by its own measure ({})",
                       has_waited ? "at least " + time(calls_ns) : "nearly all",
                       time(cost->program_cpu_ns), of);
  }
  return fmt::format(
      "counting took about {} of {} CPU time by its own measure ({}): the program ran about {:.2f} "
      "times as long",
      time(cost->counting_ns), time(cost->program_cpu_ns), of, *factor);
}

Json CountingToJson(const CountingCost& cost) {
  const auto known = [](double ns) { return ns > 0 ? JsonNumber(ns) : Json(nullptr); };
  const std::optional<double> factor = cost.Factor();
  return {{"added_ns_per_call", cost.call.added_ns},
          {"plain_ns_per_call", cost.call.plain_ns},
          {"counting_ns", known(cost.counting_ns)},
          {"program_cpu_ns", known(cost.program_cpu_ns)},
          {"factor", factor ? Json(*factor) : Json(nullptr)}};
}

}  // namespace yp
