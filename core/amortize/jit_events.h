#ifndef YP_CORE_AMORTIZE_JIT_EVENTS_H_
#define YP_CORE_AMORTIZE_JIT_EVENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/ids.h"

// What a virtual machine's compilers did, whoever told it: the agent, a JFR recording, a
// -XX:+LogCompilation file.
//
// Times are nanoseconds since the source's own start (a recording's, the virtual machine's), on a
// clock that does not jump. What a source does not tell is empty.
namespace yp {

// A method by its names. Two of one name in two class loaders are told apart where the source tells
// the loader.
struct JitMethod {
  std::string full_name;  // Method::FullName: "java.util.ArrayList.add(Ljava/lang/Object;)Z".
  std::string loader;     // "app", "platform", "bootstrap", or what the source calls it.
  auto operator<=>(const JitMethod&) const = default;
};

// Events are templates over what stands for a method: its names, or an id (JitLog).

// One attempt to compile a method; told when it has ended.
template <typename M>
struct BasicJitCompilation {
  // The virtual machine's number of it. Code for entering a loop (on-stack replacement) and code
  // for calls may have the same one.
  int64_t compile_id = 0;
  M method;
  bool is_osr = false;
  std::optional<int32_t> osr_bci;  // Of the loop.
  int32_t level = 0;               // As HotSpot counts: 1 to 3 are C1's, 4 is C2's.
  std::string compiler;            // "c1", "c2", ...
  std::string thread;
  std::optional<int64_t> thread_id;  // The kernel's.
  std::optional<int64_t> queued_ns;  // When it was asked for.
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  // CPU time that it took, at most the time from start to end: see compiler_time.h.
  std::optional<int64_t> cpu_ns;
  bool succeeded = true;
  std::string failure;                    // Why not; empty when it succeeded or nobody says.
  std::optional<int64_t> code_bytes;      // Of the machine code.
  std::optional<int32_t> bytecode_bytes;  // Of the method itself.
  std::optional<int64_t> inlined_bytes;   // Bytecodes of the methods that were inlined.
  // It was there when the source began: when it was made, and what that cost, is not known, and its
  // times are 0.
  bool is_earlier = false;
};

// A compiler's decision to inline a call, or not to.
template <typename M>
struct BasicJitInlining {
  int64_t compile_id = 0;
  bool is_osr = false;  // That of the compilation, where the source tells it.
  M caller;
  int32_t bci = kNoBci;  // In the caller.
  M callee;
  bool succeeded = false;
  std::string reason;  // "inline (hot)", "too big", ...
};

// A thread left compiled code that did not hold what it met (HotSpot: an uncommon trap).
template <typename M>
struct BasicJitDeoptimization {
  int64_t time_ns = 0;
  int64_t compile_id = 0;
  bool is_osr = false;
  int32_t level = 0;
  M method;  // In whose bytecode it was, which may have been inlined.
  int32_t bci = kNoBci;
  int32_t line = 0;    // One-based; 0 when it is not known.
  std::string reason;  // "unstable_if", "class_check", ...
  std::string action;  // "reinterpret", "maybe_recompile", "make_not_entrant", "none", ...
  std::string thread;
};

enum class JitCodeEndKind {
  kNotEntrant,  // Made not entrant: by a trap, a dependency, or the next compilation.
  kUnloaded,    // Its memory was given back.
};

// Compiled code is not entered any more, or is gone.
template <typename M>
struct BasicJitCodeEnd {
  int64_t time_ns = 0;
  int64_t compile_id = 0;
  bool is_osr = false;
  M method;  // May be empty.
  using Kind = JitCodeEndKind;
  Kind kind = Kind::kNotEntrant;
  std::string reason;
};

// The same event with map(method) in the place of each method.
template <typename M, typename Map>
auto WithMethods(BasicJitCompilation<M> event, Map map)
    -> BasicJitCompilation<decltype(map(event.method))> {
  return {.compile_id = event.compile_id,
          .method = map(event.method),
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
          .is_earlier = event.is_earlier};
}
template <typename M, typename Map>
auto WithMethods(BasicJitInlining<M> event, Map map)
    -> BasicJitInlining<decltype(map(event.caller))> {
  return {.compile_id = event.compile_id,
          .is_osr = event.is_osr,
          .caller = map(event.caller),
          .bci = event.bci,
          .callee = map(event.callee),
          .succeeded = event.succeeded,
          .reason = std::move(event.reason)};
}
template <typename M, typename Map>
auto WithMethods(BasicJitDeoptimization<M> event, Map map)
    -> BasicJitDeoptimization<decltype(map(event.method))> {
  return {.time_ns = event.time_ns,
          .compile_id = event.compile_id,
          .is_osr = event.is_osr,
          .level = event.level,
          .method = map(event.method),
          .bci = event.bci,
          .line = event.line,
          .reason = std::move(event.reason),
          .action = std::move(event.action),
          .thread = std::move(event.thread)};
}
template <typename M, typename Map>
auto WithMethods(BasicJitCodeEnd<M> event, Map map)
    -> BasicJitCodeEnd<decltype(map(event.method))> {
  return {.time_ns = event.time_ns,
          .compile_id = event.compile_id,
          .is_osr = event.is_osr,
          .method = map(event.method),
          .kind = event.kind,
          .reason = std::move(event.reason)};
}

using JitCompilation = BasicJitCompilation<JitMethod>;
using JitInlining = BasicJitInlining<JitMethod>;
using JitDeoptimization = BasicJitDeoptimization<JitMethod>;
using JitCodeEnd = BasicJitCodeEnd<JitMethod>;

// Takes events one by one, in the order in which they ended as far as the source keeps it.
class JitEventSink {
 public:
  virtual ~JitEventSink() = default;
  virtual void On(JitCompilation) = 0;
  virtual void On(JitInlining) = 0;
  virtual void On(JitDeoptimization) = 0;
  virtual void On(JitCodeEnd) = 0;
};

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_JIT_EVENTS_H_
