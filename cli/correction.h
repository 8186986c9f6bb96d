#ifndef YP_CLI_CORRECTION_H_
#define YP_CLI_CORRECTION_H_

#include <string_view>

#include "cli/choice.h"
#include "core/sampling/bias_correction.h"

namespace yp {

inline constexpr const char* kCorrectionTypeName = "none|density|density+latency|shrunk";

// What an option of that type was given.
inline Result<BiasCorrection> ChooseCorrection(std::string_view option, std::string_view given) {
  std::vector<Choice<BiasCorrection>> choices;
  for (const BiasCorrection correction : kBiasCorrections) {
    choices.push_back({ToString(correction), correction});
  }
  return Choose(option, given, choices);
}

}  // namespace yp

#endif  // YP_CLI_CORRECTION_H_
