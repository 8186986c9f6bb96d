#include "format/profile/warnings.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include "core/options/config_keys.h"
#include "core/options/config_number.h"

namespace yp {

namespace {

// "1 tick", "20 ticks".
std::string Amount(uint64_t number, std::string_view of) {
  return std::to_string(number) + " " + std::string(of) + (number == 1 ? "" : "s");
}

std::string PercentText(double share) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * share);
  return share < 0.0005 ? "<0.1 %" : text.data();
}

}  // namespace

std::vector<std::string> Warnings(const Profile& profile) {
  std::vector<std::string> warnings;
  if (!profile.complete) {
    warnings.push_back(
        "the run was cut off (the JVM was killed or halted, or still runs): calls since the last "
        "write are missing");
  }
  if (!profile.damage.empty()) {
    warnings.push_back("part of the recording could not be used: " + profile.damage);
  }
  const std::string_view probe = profile.ConfigOr(config_key::kProbe, "");
  const bool at_entries = probe == "patch" || probe == "barrier";
  if (at_entries && profile.ConfigOr(config_key::kInfer, "no") == "no") {
    warnings.push_back(
        "only calls that run the entry of a compiled method were observed: those that the JIT has "
        "inlined are missing");
  }
  const int64_t methods = ConfigNumber<int64_t>(profile.config, config_key::kProbeMethods);
  const int64_t left = ConfigNumber<int64_t>(profile.config, config_key::kProbeMethodsLeft);
  if (left > 0 && methods > 0) {
    warnings.push_back(std::to_string(left) + " of " + std::to_string(methods) + " methods (" +
                       PercentText(static_cast<double>(left) / static_cast<double>(methods)) +
                       ") have no probe: calls of them were not observed (yp info tells what was "
                       "dropped, and why)");
  }
  if (profile.is_lower_bound()) {
    warnings.push_back(
        "the number of calls is a lower bound: it has the calls that the JVM counted itself, which "
        "C2's code does not do. How many calls that code made is not known from " +
        Amount(profile.total_samples(), "sample") + " in " + Amount(profile.ticks.size(), "tick") +
        ": record for longer; calls that are inlined into one long-running loop are seen only by "
        "--probe bytecode and --mode exact");
  }
  const bool has_stacks_alone = probe == "none" && profile.contexts.total() > 0;
  if (profile.edges.empty() && !has_stacks_alone) {
    if (at_entries && profile.ConfigOr(config_key::kCompiles, "") == "no") {
      warnings.emplace_back(
          "no calls were observed: this JVM compiles nothing (-Xint, or -XX:TieredStopAtLevel=0), "
          "and only entries of compiled methods were looked at; --probe bytecode sees what is "
          "interpreted");
      return warnings;
    }
    std::string warning =
        "no calls were observed: check --include and --exclude, or take the JDK's own classes in "
        "with --scope all";
    if (at_entries) {
      warning += "; what runs for a second or in one inlined loop is seen by --probe bytecode";
    }
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace yp
