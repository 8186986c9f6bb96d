#ifndef YP_HOTSPOT_PROBES_PROBE_HOST_H_
#define YP_HOTSPOT_PROBES_PROBE_HOST_H_

#include <jni.h>

#include <functional>

#include "base/clock.h"
#include "base/ids.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/support/drops.h"
#include "hotspot/support/jvm.h"
#include "hotspot/threads/thread_registry.h"
#include "hotspot/vmstructs/code_cache.h"

namespace yp::hotspot {

class BytecodeMemory;

// What probes are made from. All of it outlives the process's threads.
struct ProbeHost {
  const Jvm& jvm;
  const CodeCache* code_cache = nullptr;  // Not null for probes on compiled entries.
  // Whether the collector changes compiled code while threads run (ZGC, Shenandoah).
  bool collector_patches_code = true;
  Clock& clock;
  ThreadRegistry& threads;
  MethodRegistry& registry;
  Drops& drops;
  EntryHandler& entry_handler;  // Takes the calls of probes on compiled entries.
  BytecodeMemory& bytecode;
  std::function<void()> on_redefinition;              // Classes have other bytecode than before.
  std::function<MethodId(JNIEnv*, jmethodID)> id_of;  // Of a method in a frame.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PROBE_HOST_H_
