#ifndef YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_MEMORY_H_
#define YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_MEMORY_H_

#include <atomic>
#include <memory>

#include "hotspot/probes/bytecode/context_counts.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {

class BytecodeProbe;

// What the probes in bytecode of all recordings share: the memory that the Java side knows, and
// which of them rewrites classes. Each recording has a probe of its own, since code that an earlier
// one rewrote may go on running.
class BytecodeMemory {
 public:
  BytecodeMemory();

  // False when there was no memory for it.
  bool is_there() const { return discovery_tables_ != nullptr; }
  ControlBlock& control() { return *control_; }
  DiscoveryTables* discovery_tables() const { return discovery_tables_; }
  // Null before the first probe: it takes memory.
  ContextCounts* context_counts() const { return context_counts_.get(); }

  // The latest probe, which rewrites classes as they are loaded; null before the first.
  BytecodeProbe* rewriting() const {
    return rewriting_.load(std::memory_order_acquire);  // Partner: Use's release.
  }
  // From now on it is that one, which is never deleted.
  void Use(BytecodeProbe& probe) { rewriting_.store(&probe, std::memory_order_release); }
  void MakeContextCounts();

 private:
  const std::unique_ptr<ControlBlock> control_;
  DiscoveryTables* const discovery_tables_;
  std::unique_ptr<ContextCounts> context_counts_;
  std::atomic<BytecodeProbe*> rewriting_{nullptr};
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_MEMORY_H_
