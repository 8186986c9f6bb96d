#ifndef YP_CLI_SELFCHECK_H_
#define YP_CLI_SELFCHECK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/profiling_options.h"

// What selfcheck measures, and how it adds it up; pure, so that the command only has to run things.
namespace yp {

enum class Configuration { kUnprofiled, kExact, kSampled, kTimer };
inline constexpr std::array kConfigurations{Configuration::kUnprofiled, Configuration::kExact,
                                            Configuration::kSampled, Configuration::kTimer};
std::string_view NameOf(Configuration configuration);

// How a profiled run is made where `sampled` is what the user asks for. All see the same methods:
// the exact run and the timer's have the probe that sees every call.
ProfilingOptions OptionsOf(Configuration configuration, const ProfilingOptions& sampled);

// The order of a round: from round to round every configuration comes first, second, ... equally
// often, so that no one is always measured on a warm or a busy machine.
std::vector<Configuration> OrderOfRound(size_t round);

// One run of the user's program.
struct Measurement {
  Configuration configuration{};
  size_t round = 0;
  int64_t cpu_ns = 0;
  bool same_output = true;  // As the reference run: bytes of stdout, and exit code.
  bool same_exit_code = true;
  // Percent, with the exact run of the same round; nothing where that makes no sense.
  std::optional<double> overlap;
  std::optional<double> overlap_uncorrected;
};

// The values of all rounds. Nothing is known of an empty one.
struct Spread {
  double median = 0;
  double low = 0;  // The smallest and the largest.
  double high = 0;
};
std::optional<Spread> SpreadOf(std::vector<double> values);

struct ConfigurationResult {
  Configuration configuration{};
  std::optional<Spread> cpu_s;
  // To the unprofiled run of the same round.
  std::optional<Spread> cpu_ratio;
  std::optional<Spread> overlap;
  std::optional<Spread> overlap_uncorrected;
  size_t runs = 0;
  size_t different_outputs = 0;
  size_t different_exit_codes = 0;
};

// One result for each of kConfigurations.
std::vector<ConfigurationResult> Evaluate(const std::vector<Measurement>& measurements);

}  // namespace yp

#endif  // YP_CLI_SELFCHECK_H_
