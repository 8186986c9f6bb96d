#ifndef YP_BASE_IDS_H_
#define YP_BASE_IDS_H_

#include <cstdint>
#include <functional>

namespace yp {

// Strong ids. Each is an index into a table of its own; a value of one kind never stands for
// another.

// A method, in one run or one profile.
enum class MethodId : uint32_t {};
// An edge of the dynamic call graph, in one run or one profile.
enum class EdgeId : uint32_t {};
// A Java thread, in one run.
enum class ThreadId : uint32_t {};

// A compilation of a method, in one run.
enum class CompilationId : uint32_t {};
// A way of calling at a compiled entry, in one run: an edge between two compilations.
enum class CompiledCallId : uint32_t {};

// A calling context, in one run or one profile.
enum class ContextId : uint32_t {};

// No method: the caller of an edge that has none, such as a thread's first method.
inline constexpr MethodId kNoMethod{0xffffffffu};
// The bytecode index of a call that has no bytecode: from native code or from the VM itself.
inline constexpr int32_t kNoBci = -1;
// No compilation: that of an interpreted or native caller, or one that is not known.
inline constexpr CompilationId kNoCompilation{0};
// No compiled call: where the probe is not at compiled entries.
inline constexpr CompiledCallId kNoCompiledCall{0};
// No edge.
inline constexpr EdgeId kNoEdge{0xffffffffu};
// The context of a thread's first method's caller, which is none: what all others lie below.
inline constexpr ContextId kRootContext{0};

constexpr uint32_t ToIndex(MethodId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t ToIndex(EdgeId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t ToIndex(ThreadId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t ToIndex(CompilationId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t ToIndex(CompiledCallId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t ToIndex(ContextId id) { return static_cast<uint32_t>(id); }

}  // namespace yp

#endif  // YP_BASE_IDS_H_
