#include "hotspot/probes/bytecode/bytecode_memory.h"

#include "base/zeroed_pages.h"

namespace yp::hotspot {

BytecodeMemory::BytecodeMemory()
    : control_(std::make_unique<ControlBlock>()),
      discovery_tables_(static_cast<DiscoveryTables*>(MapZeroedPages(sizeof(DiscoveryTables)))) {}

void BytecodeMemory::MakeContextCounts() {
  if (context_counts_ == nullptr) context_counts_ = std::make_unique<ContextCounts>();
}

}  // namespace yp::hotspot
