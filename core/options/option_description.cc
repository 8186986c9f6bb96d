#include "core/options/option_description.h"

namespace yp {
namespace {

// What they amount to.
RecordingOptions InEffect(RecordingOptions options) {
  if (options.policy.kind == PolicyOptions::Kind::kTimer) {
    options.policy.stride = 1;
    options.policy.samples = 1;
    options.policy.delay = 0;
  }
  options.stack_every = options.stack_every.value_or(1);
  return options;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> DescribeOptions(const RecordingOptions& options,
                                                                 const RecordingFacts& facts) {
  const RecordingOptions in_effect = InEffect(options);
  std::vector<std::pair<std::string, std::string>> description;
  for (const RecordingOption& option : RecordingOptionTable()) {
    if (option.is_described == nullptr || !option.is_described(in_effect, facts)) continue;
    std::string value;
    for (const std::string& text : TextsOf(option, in_effect)) {
      value += (value.empty() ? "" : " ") + text;
    }
    description.emplace_back(option.described_as, std::move(value));
  }
  return description;
}

}  // namespace yp
