#include "cli/counting_rule.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <variant>

#include "cli/progress.h"
#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "format/spool/spool_reader.h"

namespace yp {
namespace {

constexpr double kCallsPerUs = 100;  // Of the rule's example.
constexpr std::chrono::milliseconds kFirstLook{20}, kLastLook{1000};

// What a JVM has written into its spool.
std::optional<ConfigEntries> ConfigurationOf(const std::string& spool) {
  const Result<std::unique_ptr<spool::SpoolReader>> reader = spool::SpoolReader::Open(spool);
  if (!reader) return std::nullopt;
  while (const std::optional<spool::Record> record = reader.value()->Next()) {
    const auto* config = std::get_if<spool::Config>(&*record);
    if (config == nullptr) continue;
    ConfigEntries found;
    for (const auto& [key, value] : config->entries) found[key] = value;
    return found;  // The first has all that is known at the start.
  }
  return std::nullopt;
}

}  // namespace

std::optional<CallCost> CallCostIn(const ConfigEntries& config) {
  const double plain_ns = ConfigNumber<double>(config, config_key::kCountingPlainCallPs) / 1000;
  if (plain_ns <= 0) return std::nullopt;
  return CallCost{ConfigNumber<double>(config, config_key::kCountingCallPs) / 1000, plain_ns};
}

std::string CountingRule(const ConfigEntries& config) {
  const std::optional<CallCost> cost = CallCostIn(config);
  if (!cost) return "";
  const std::string each = fmt::format("about {:.1f} ns for each on this machine", cost->added_ns);
  if (ConfigText(config, config_key::kMode) == "edges") {
    return fmt::format(
        "mode edges looks at every call: {}, and much more where there may be a new edge", each);
  }
  const bool by_context = ConfigText(config, config_key::kContexts) == "calls";
  return fmt::format(
      "exact mode counts every call{}: {}; a program that makes {:.0f} calls in a microsecond runs "
      "about {:.1f} times as long",
      by_context ? " by its context" : "", each, kCallsPerUs, cost->FactorAt(kCallsPerUs));
}

TellsCountingRule::TellsCountingRule(SpoolFiles spools)
    : spools_(std::move(spools)),
      thread_([this](const OwnThread::GoesOnAfter& goes_on_after) { Run(goes_on_after); }) {}

void TellsCountingRule::Run(const OwnThread::GoesOnAfter& goes_on_after) const {
  std::chrono::milliseconds pause = kFirstLook;
  while (goes_on_after(pause)) {
    for (const SpoolFiles::File& file : spools_.Find()) {
      const std::optional<ConfigEntries> config = ConfigurationOf(file.path);
      if (!config) continue;
      const std::string rule = CountingRule(*config);
      return rule.empty() ? void() : Say(rule);
    }
    pause = std::min(pause * 21 / 20, kLastLook);
  }
}

}  // namespace yp
