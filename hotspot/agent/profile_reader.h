#ifndef YP_HOTSPOT_AGENT_PROFILE_READER_H_
#define YP_HOTSPOT_AGENT_PROFILE_READER_H_

#include <memory>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "format/spool/records.h"
#include "hotspot/graph/compilations.h"
#include "hotspot/vmstructs/call_resolver.h"
#include "hotspot/vmstructs/guarded_memory.h"
#include "hotspot/vmstructs/method_data_reader.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Reads what the VM has counted in the methods that sampled compilations consist of. From one
// thread at a time, which need not be a Java thread.
class ProfileReader {
 public:
  // An error says what cannot be read.
  static Result<std::unique_ptr<ProfileReader>> Create(const VmStructs& structs);

  // The profiles as they are now. Nothing as long as too little was counted to tell the layout for
  // sure. 2 us for each method; the first time 3 us more for each call site that is virtual.
  std::vector<spool::MethodProfile> Read(const Compilations& compilations);

 private:
  using Methods = std::vector<std::pair<const void*, MethodId>>;
  // The receivers of a call site are few, and what they are called with stays.
  struct CallKey {
    const void* method;
    int32_t bci;
    const void* klass;
    bool operator==(const CallKey&) const = default;
  };
  struct CallKeyHash {
    size_t operator()(const CallKey& key) const;
  };

  ProfileReader(std::unique_ptr<const GuardedMemory> memory, MethodDataReader data,
                CallResolver resolver)
      : memory_(std::move(memory)), data_(std::move(data)), resolver_(std::move(resolver)) {}

  spool::MethodProfile Tell(const void* method, const MethodProfile& profile);
  // kNoMethod when it is none of the compilations' methods.
  MethodId CalleeOf(const void* method, int32_t bci, const void* klass);

  const std::unique_ptr<const GuardedMemory> memory_;
  MethodDataReader data_;
  CallResolver resolver_;
  std::unordered_map<const void*, MethodId> ids_;
  std::unordered_map<CallKey, const void*, CallKeyHash> callees_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_PROFILE_READER_H_
