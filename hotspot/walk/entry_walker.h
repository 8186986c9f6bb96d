#ifndef YP_HOTSPOT_WALK_ENTRY_WALKER_H_
#define YP_HOTSPOT_WALK_ENTRY_WALKER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/support/class_filter.h"
#include "hotspot/support/drops.h"
#include "hotspot/vmstructs/class_reader.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/frame_reader.h"
#include "hotspot/vmstructs/method_reader.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "hotspot/walk/memo_table.h"
#include "hotspot/walk/stack_walker.h"
#include "recorder/sample_cost.h"

namespace yp::hotspot {

// Finds the edge of a call that was caught at its callee's compiled entry.
//
// Nothing of it needs the VM: code and frames are read through the exported layouts, while the
// thread stands at the entry, so that neither the compilations nor the methods can go. A call from
// compiled code is remembered under the return address, the entry and both compilations' ids, none
// of which ever comes again: about 20 ns. What is new, or comes from an interpreted caller, takes
// 1 to 3 us, and where what was inlined into a compilation is found out 10 to 100 us.
class EntryWalker {
 public:
  enum class Outcome {
    kEdge,
    kNotObserved,  // The filter leaves the callee out, or it is the VM's own glue.
    kUnresolved,   // `reason` says why.
  };
  struct Answer {
    Outcome outcome = Outcome::kUnresolved;
    EdgeId edge{};
    CompiledCallId call = kNoCompiledCall;  // With kEdge, where calls are to be inferred.
    Drop reason = Drop::kCallerUnknown;
  };

  // An error names what is missing from the tables.
  static Result<std::unique_ptr<EntryWalker>> Create(const VmStructs& structs,
                                                     const CodeCache& code_cache,
                                                     int jdk_feature_version,
                                                     MethodRegistry& registry);

  // The id of a method by its names, if the latest recording observes it; else kNoMethod. From any
  // thread.
  MethodId Observed(const ClassReader::MethodNames& names);
  // Whether it may observe methods of the class. The same.
  bool ObservesClass(const std::string& class_name, bool is_of_boot_loader) const;
  // The id of any method but the VM's own glue, which is kNoMethod. `source` is asked where it is
  // not known. The same.
  MethodId Named(const ClassReader::MethodNames& names,
                 const std::function<ClassReader::Source()>& source);

  // On the thread that makes the call. `stack_end`: one past its stack. `cost`, if there is one,
  // becomes long where the edge is not remembered.
  Answer Walk(const EntryCall& call, uintptr_t stack_end, SampleCost* cost = nullptr);

  // Has the compilation that the call enters told, with what it inlined. On the same thread.
  void Describe(const EntryCall& call);

  // The callers of a call, on the thread that makes it: see StackWalker. Only where Begin said that
  // stacks are wanted.
  StackWalker::Answer WalkStack(const EntryCall& call, uintptr_t stack_end,
                                std::span<RawFrame> stack);

  struct Wanted {
    // Calls that are inlined are to be inferred, so that what was inlined into the callers and
    // callees is told, and calls of a method count that is not observed, but inlines one that is.
    bool inlined_calls = false;
    bool stacks = false;
  };
  // Another recording begins, with another filter. A walk that is under way on another thread
  // meanwhile answers by the old one, or has no answer, as before the first Begin.
  void Begin(const ClassFilter& filter, PackageSet platform_packages, Wanted wanted);

 private:
  // Of one recording.
  struct Scope {
    ClassFilter filter;
    PackageSet platform_packages;
    uint32_t epoch = 0;
    Wanted wanted;
  };
  // What a method is to the recording.
  struct Identity {
    MethodId id = kNoMethod;  // kNoMethod for the VM's own glue.
    bool is_observed = false;
    bool is_glue() const { return id == kNoMethod; }
  };
  // Key: return address, entry, both compile ids, steps and epoch. Value: an edge and, above it, a
  // compiled call; or kNone.
  using EdgeMemo = MemoTable<4, 1, 14>;
  static constexpr uint64_t kNone = ~uint64_t{0};
  // Key: an address in compiled code. Value: its blob and compile id.
  using FrameMemo = MemoTable<1, 2, 13>;
  // Key: an nmethod, its compile id and the epoch. Value: a Compilations::Known*.
  using CompilationMemo = MemoTable<2, 1, 12>;
  // Key: hashes of the class's name, the method's and its descriptor; the epoch, and whether the
  // class is the boot loader's. Value: an Identity. Not under the method's address, at which
  // another one may come to lie.
  using IdentityMemo = MemoTable<4, 1, 13>;
  static constexpr int kMaxFrames = 64;
  static constexpr size_t kMaxScopes = 64;

  EntryWalker(const CodeCache& code_cache, FrameReader frames, MethodReader methods,
              int64_t nmethod_method, MethodRegistry& registry)
      : code_cache_(code_cache),
        frames_(std::move(frames)),
        methods_(std::move(methods)),
        nmethod_method_(nmethod_method),
        registry_(registry) {}

  Answer WalkIn(const Scope& scope, const EntryCall& call, uintptr_t stack_end, SampleCost* cost);
  // The compiled code at an address on whose code the calling thread is, or returns to.
  std::optional<CodeCache::Frame> CodeAt(uintptr_t pc);
  Answer WalkNew(const EntryCall& call, const CodeCache::Frame& callee, uintptr_t stack_end,
                 const Scope& scope, bool& is_memorable);
  // What was inlined into code with a profile (C1's) is not found out, as the VM counts its calls:
  // the tree is the method alone. Null when its debug information makes no sense. The code is that
  // of a frame on the calling thread's stack, or about to be.
  const Compilations::Known* CompilationOf(const CodeCache::Frame& code, const Scope& scope);
  const Compilations::Known* NewCompilation(const Compilations::Key& key,
                                            const CodeCache::Frame& code, const Scope& scope);
  DebugInfo::InlineTree TreeOf(const CodeCache::Compilation& described, const Scope& scope);
  bool MayCall(const DebugInfo::Scope& position) const;
  Identity Identify(const void* method, const Scope& scope);
  MethodId Name(const void* method, uint32_t flags);
  bool IsObserved(std::string_view class_name, bool is_of_boot_loader, const Scope& scope) const;

  const CodeCache& code_cache_;
  const FrameReader frames_;
  const MethodReader methods_;
  const int64_t nmethod_method_;
  MethodRegistry& registry_;
  std::vector<std::unique_ptr<const Scope>> scopes_;  // The latest, and what walks may still use.
  std::atomic<const Scope*> scope_{nullptr};          // The latest; null between two.
  std::atomic<int> walks_{0};                         // Under way.
  uint32_t epoch_ = 0;                                // Of the latest scope.
  EdgeMemo edges_;
  FrameMemo code_;
  CompilationMemo compilations_;
  IdentityMemo identities_;
  std::unique_ptr<StackWalker> stacks_;  // Once they were wanted.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_WALK_ENTRY_WALKER_H_
