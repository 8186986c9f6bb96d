#include "core/amortize/jit_log.h"

#include <utility>

namespace yp {

JitMethodId JitLog::Intern(const JitMethod& method) {
  const auto [known, is_new] =
      ids_.try_emplace(method, JitMethodId{static_cast<uint32_t>(methods_.size())});
  if (is_new) methods_.push_back(method);
  return known->second;
}

void JitLog::On(JitCompilation event) {
  compilations.push_back({.compile_id = event.compile_id,
                          .method = Intern(event.method),
                          .is_osr = event.is_osr,
                          .osr_bci = event.osr_bci,
                          .level = event.level,
                          .compiler = std::move(event.compiler),
                          .thread = std::move(event.thread),
                          .thread_id = event.thread_id,
                          .queued_ns = event.queued_ns,
                          .start_ns = event.start_ns,
                          .end_ns = event.end_ns,
                          .cpu_ns = event.cpu_ns,
                          .succeeded = event.succeeded,
                          .failure = std::move(event.failure),
                          .code_bytes = event.code_bytes,
                          .bytecode_bytes = event.bytecode_bytes,
                          .inlined_bytes = event.inlined_bytes,
                          .is_earlier = event.is_earlier});
}

void JitLog::On(JitInlining event) {
  inlinings.push_back({.compile_id = event.compile_id,
                       .is_osr = event.is_osr,
                       .caller = Intern(event.caller),
                       .bci = event.bci,
                       .callee = Intern(event.callee),
                       .succeeded = event.succeeded,
                       .reason = std::move(event.reason)});
}

void JitLog::On(JitDeoptimization event) {
  deoptimizations.push_back({.time_ns = event.time_ns,
                             .compile_id = event.compile_id,
                             .is_osr = event.is_osr,
                             .level = event.level,
                             .method = Intern(event.method),
                             .bci = event.bci,
                             .line = event.line,
                             .reason = std::move(event.reason),
                             .action = std::move(event.action),
                             .thread = std::move(event.thread)});
}

void JitLog::On(JitCodeEnd event) {
  code_ends.push_back({.time_ns = event.time_ns,
                       .compile_id = event.compile_id,
                       .is_osr = event.is_osr,
                       .method = Intern(event.method),
                       .kind = event.kind,
                       .reason = std::move(event.reason)});
}

}  // namespace yp
