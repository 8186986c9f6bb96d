#ifndef YP_HOTSPOT_RECORDING_VM_COUNTS_H_
#define YP_HOTSPOT_RECORDING_VM_COUNTS_H_

#include <memory>

#include "base/clock.h"
#include "hotspot/profiles/profile_reader.h"
#include "hotspot/recording/session.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/walk/entry_walker.h"

namespace yp::hotspot {

// Has recordings read what the VM has counted in its methods: inlined calls are inferred from that.
class VmCounts {
 public:
  // The code cache outlives the process's threads.
  VmCounts(const CodeCache* code_cache, int jdk_feature_version, Clock& clock)
      : code_cache_(code_cache), jdk_feature_version_(jdk_feature_version), clock_(clock) {}

  // For a session at compiled entries, before it starts; goes on without where the counts cannot be
  // read, which the log says. `walker`: has begun with the session's filter. `is_vm_start`: nothing
  // was counted before.
  void ReadIn(Session& session, EntryWalker& walker, bool is_vm_start);
  // The session did not start.
  void GiveUp();

 private:
  // Only recordings that infer need the reader: it takes memory, and a system call that not every
  // sandbox allows.
  void MakeReader();

  const CodeCache* const code_cache_;
  const int jdk_feature_version_;
  Clock& clock_;
  std::unique_ptr<ProfileReader> reader_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_VM_COUNTS_H_
