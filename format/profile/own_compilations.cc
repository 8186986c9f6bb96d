#include "format/profile/own_compilations.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/graph/code_level.h"
#include "format/profile/spool_times.h"

namespace yp {
namespace {

constexpr int32_t kMostLevels = 100;

}  // namespace

std::optional<JitCompilation> CompilationOf(const spool::OwnCompilation& record,
                                            std::string full_name) {
  if (record.level < 0 || record.level > kMostLevels) return std::nullopt;
  JitCompilation compilation;
  compilation.compile_id = record.compile_id;
  compilation.method = {std::move(full_name), ""};
  compilation.is_osr = record.is_osr;
  if (record.is_osr) compilation.osr_bci = record.osr_bci;
  compilation.level = code_level::kFirstOwn + record.level;
  compilation.compiler = record.level_name;
  compilation.thread = record.is_asked_by_vm ? "JVMCI CompilerThread" : "Yieldpoint recompiler";
  compilation.start_ns = std::clamp<int64_t>(record.start_ns, 0, kLatestNs);
  compilation.end_ns = std::clamp<int64_t>(record.end_ns, compilation.start_ns, kLatestNs);
  compilation.cpu_ns =
      std::clamp<int64_t>(record.cpu_ns, 0, compilation.end_ns - compilation.start_ns);
  compilation.succeeded = record.failure.empty();
  compilation.failure = record.failure;
  if (compilation.succeeded) compilation.code_bytes = record.code_bytes;
  compilation.bytecode_bytes = record.bytecode_bytes;
  return compilation;
}

BasicControllerDecision<JitMethodId> DecisionOf(const spool::ControllerDecision& record,
                                                JitMethodId method) {
  return {.time_ns = std::clamp<int64_t>(record.time_ns, 0, kLatestNs),
          .method = method,
          .reason = record.reason,
          .recompiles = record.recompiles,
          .from = record.from,
          .to = record.to,
          .past_ns = record.past_ns,
          .compile_ns = record.compile_ns,
          .future_ns = record.future_ns,
          .bytes = record.bytes,
          .samples = record.milli_samples / 1e3};
}

}  // namespace yp
