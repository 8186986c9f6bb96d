#include "format/profile/warm_up.h"

#include "core/amortize/versions.h"
#include "core/graph/code_level.h"

namespace yp {
namespace {

double& SamplesOf(const CodeLabel& code, WarmUpPart& part) {
  if (!code.is_known) return part.unknown;
  if (code.level == code_level::kInterpreted) return part.interpreted;
  return code.level == code_level::kOptimized ? part.c2 : part.c1;
}

}  // namespace

std::vector<WarmUpPart> WarmUpOf(const JitProfile& jit, size_t at_most) {
  std::vector<CodePeriod> periods = jit.periods;
  Coalesce(at_most, &periods);
  std::vector<WarmUpPart> parts;
  int64_t begin_ns = 0;
  double all = 0;
  for (const CodePeriod& period : periods) {
    WarmUpPart part;
    part.end_ns = period.end_ns;
    for (const CodePeriod::Samples& each : period.samples) {
      SamplesOf(each.code, part) += static_cast<double>(each.samples);
    }
    for (const JitLog::Compilation& compilation : jit.log.compilations) {
      if (compilation.is_earlier || compilation.end_ns <= begin_ns) continue;
      if (compilation.end_ns > period.end_ns) continue;
      part.compile_ns += static_cast<double>(CompileNs(compilation));
    }
    begin_ns = period.end_ns;
    all += part.samples();
    parts.push_back(part);
  }
  if (all <= 0) parts.clear();
  return parts;
}

}  // namespace yp
