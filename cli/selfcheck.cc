#include "cli/selfcheck.h"

#include <algorithm>
#include <map>

namespace yp {

std::string_view NameOf(Configuration configuration) {
  switch (configuration) {
    case Configuration::kUnprofiled:
      return "unprofiled";
    case Configuration::kExact:
      return "exact";
    case Configuration::kSampled:
      return "sampled";
    case Configuration::kTimer:
      return "timer";
  }
  return "";
}

ProfilingOptions OptionsOf(Configuration configuration, const ProfilingOptions& sampled) {
  ProfilingOptions options = sampled;
  // At compiled entries trivial methods are observed like all others.
  if (!options.trivial) options.trivial = options.MayBeAtEntries();
  if (configuration == Configuration::kSampled) return options;
  const bool is_exact = configuration == Configuration::kExact;
  options.mode = is_exact ? ProfilingOptions::Mode::kExact : ProfilingOptions::Mode::kTimer;
  options.probe = ProfilingOptions::Probe::kBytecode;
  options.stacks = ProfilingOptions::Stacks::kNone;
  if (!is_exact) options.policy.kind = PolicyOptions::Kind::kTimer;
  return options;
}

std::vector<Configuration> OrderOfRound(size_t round) {
  std::vector<Configuration> order(kConfigurations.begin(), kConfigurations.end());
  const auto first = static_cast<std::ptrdiff_t>(round % order.size());
  std::rotate(order.begin(), order.begin() + first, order.end());
  return order;
}

std::optional<Spread> SpreadOf(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return Spread{median, values.front(), values.back()};
}

std::vector<ConfigurationResult> Evaluate(const std::vector<Measurement>& measurements) {
  std::map<size_t, double> unprofiled_cpu_ns;
  for (const Measurement& m : measurements) {
    if (m.configuration == Configuration::kUnprofiled) {
      unprofiled_cpu_ns[m.round] = static_cast<double>(m.cpu_ns);
    }
  }
  std::vector<ConfigurationResult> results;
  for (const Configuration configuration : kConfigurations) {
    ConfigurationResult result;
    result.configuration = configuration;
    std::vector<double> cpu_s;
    std::vector<double> ratios;
    std::vector<double> overlaps;
    std::vector<double> uncorrected;
    for (const Measurement& m : measurements) {
      if (m.configuration != configuration) continue;
      ++result.runs;
      if (!m.same_output) ++result.different_outputs;
      if (!m.same_exit_code) ++result.different_exit_codes;
      cpu_s.push_back(static_cast<double>(m.cpu_ns) / 1e9);
      const auto base = unprofiled_cpu_ns.find(m.round);
      if (base != unprofiled_cpu_ns.end() && base->second > 0) {
        ratios.push_back(static_cast<double>(m.cpu_ns) / base->second);
      }
      if (m.overlap) overlaps.push_back(*m.overlap);
      if (m.overlap_uncorrected) uncorrected.push_back(*m.overlap_uncorrected);
    }
    result.cpu_s = SpreadOf(std::move(cpu_s));
    result.cpu_ratio = SpreadOf(std::move(ratios));
    result.overlap = SpreadOf(std::move(overlaps));
    result.overlap_uncorrected = SpreadOf(std::move(uncorrected));
    results.push_back(result);
  }
  return results;
}

}  // namespace yp
