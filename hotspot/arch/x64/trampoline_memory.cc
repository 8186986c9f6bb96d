#include "hotspot/arch/x64/trampoline_memory.h"

#include <cstring>
#include <utility>

namespace yp::hotspot {

Result<std::unique_ptr<TrampolineMemory>> TrampolineMemory::Create(uintptr_t low, uintptr_t high,
                                                                   size_t capacity,
                                                                   uintptr_t slow_path) {
  Result<std::unique_ptr<NearCode>> code =
      NearCode::Create("yieldpoint-trampolines", (capacity + 1) * kTrampolineBytes, low, high);
  if (!code) return code.status();
  std::unique_ptr<TrampolineMemory> memory(new TrampolineMemory(std::move(code).value(), capacity));
  std::array<uint8_t, kTrampolineBytes> bridge = {0xff, 0x25, 0, 0, 0, 0};  // jmp [rip + 0]
  std::memcpy(&bridge[6], &slow_path, sizeof(slow_path));
  memory->Write(static_cast<uint32_t>(capacity), bridge);
  return memory;
}

void TrampolineMemory::Write(uint32_t number, const std::array<uint8_t, kTrampolineBytes>& code) {
  code_->Write(number * kTrampolineBytes, code);
}

}  // namespace yp::hotspot
