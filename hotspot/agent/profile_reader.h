#ifndef YP_HOTSPOT_AGENT_PROFILE_READER_H_
#define YP_HOTSPOT_AGENT_PROFILE_READER_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "format/spool/records.h"
#include "hotspot/graph/compilations.h"
#include "hotspot/graph/inline_tree.h"
#include "hotspot/vmstructs/call_resolver.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/guarded_memory.h"
#include "hotspot/vmstructs/method_data_reader.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Reads what the VM has counted in the methods that sampled compilations consist of. From one
// thread at a time, which need not be a Java thread.
class ProfileReader {
 public:
  // An error says what cannot be read. `code_cache` must live as long.
  static Result<std::unique_ptr<ProfileReader>> Create(const VmStructs& structs,
                                                       const CodeCache& code_cache);

  // Why the last Read gave none; ok when the layout is known.
  const Status& layout_status() const { return layout_status_; }
  // The id of a method that no compilation consists of, by its names; kNoMethod for one that is
  // not observed. What the compiler inlined without a trace is known by such callees only.
  using Namer = std::function<MethodId(const ClassReader::MethodNames& names)>;
  // Another recording begins, to which nothing has been told.
  void Begin(Namer namer);
  // Those profiles in which something was counted since the last time; of copies and versions of a
  // method that in which most was counted. Nothing as long as too little was counted to tell the
  // layout for sure. 2 us for each method; 3 us more for each call site of those that are told that
  // is virtual.
  std::vector<spool::MethodProfile> Read(const Compilations& compilations);

 private:
  // A method whose bytecode is only read when it has a call.
  class LazyCaller {
   public:
    LazyCaller(const CallResolver& resolver, const void* method)
        : resolver_(resolver), method_(method) {}
    // Null when it is gone.
    const CallResolver::Caller* Get();

   private:
    const CallResolver& resolver_;
    const void* method_;
    std::optional<CallResolver::Caller> caller_;
    bool is_open_ = false;
  };

  ProfileReader(const CodeCache& code_cache, std::unique_ptr<const GuardedMemory> memory,
                MethodDataReader data, CallResolver resolver)
      : code_cache_(code_cache),
        memory_(std::move(memory)),
        data_(std::move(data)),
        resolver_(std::move(resolver)) {}

  // Methods that are compiled, whatever they are: to tell the layout by.
  std::vector<const void*> Voters() const;
  spool::MethodProfile Tell(const void* method, const MethodProfile& profile);
  MethodId IdOf(const void* method);
  // kNoMethod when it is none of the compilations' methods, nor observed.
  MethodId CalleeOf(LazyCaller& caller, int32_t bci, const void* klass);

  const CodeCache& code_cache_;
  const std::unique_ptr<const GuardedMemory> memory_;
  MethodDataReader data_;
  CallResolver resolver_;
  Status layout_status_;
  Namer namer_;
  // Of one Read: of the compilations' methods, and of callees that were named.
  std::map<VmMethod, MethodId> ids_;
  struct Counted {
    VmMethod method;
    int64_t counted = 0;
    bool operator==(const Counted&) const = default;
  };
  std::map<MethodId, Counted> counted_;  // In what was told last.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_PROFILE_READER_H_
