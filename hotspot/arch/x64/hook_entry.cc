#include "hotspot/arch/x64/hook_entry.h"

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "hotspot/arch/x64/barrier_code.h"
#include "hotspot/arch/x64/barrier_hook.h"
#include "hotspot/arch/x64/near_code.h"

namespace yp::hotspot {
namespace {

constexpr size_t kOriginalOffset = 16;
constexpr size_t kCodeBytes = 32;

}  // namespace

Result<HookEntry> HookEntryFor(uintptr_t stub) {
  // Never given back: a thread may be in the code for any length of time.
  struct Kept {
    std::unique_ptr<NearCode> code;
    HookEntry entry;
  };
  static auto* kept = new std::map<uintptr_t, Kept>;
  if (const auto found = kept->find(stub); found != kept->end()) return found->second.entry;
  Result<std::unique_ptr<NearCode>> created =
      NearCode::Create("yieldpoint-barrier", kCodeBytes, stub, stub + kStubHeadBytes);
  if (!created) return created.status();
  std::unique_ptr<NearCode> code = std::move(created).value();
  HookEntry entry;
  entry.hook = code->address();
  entry.original = code->address() + kOriginalOffset;

  std::array<uint8_t, kCodeBytes> bytes = {0xff, 0x25, 0, 0, 0, 0};  // jmp [rip + 0]
  const uintptr_t hook_code = BarrierHookCode();
  std::memcpy(&bytes[6], &hook_code, sizeof(hook_code));
  const std::array<uint8_t, 6> original = {0x68, 0xff, 0xff, 0xff, 0xff, 0xe9};  // push -1; jmp
  std::memcpy(&bytes[kOriginalOffset], original.data(), original.size());
  const size_t end = kOriginalOffset + original.size() + sizeof(int32_t);
  const auto distance = static_cast<int32_t>(stub + kStubHeadBytes - (code->address() + end));
  std::memcpy(&bytes[end - sizeof(distance)], &distance, sizeof(distance));
  code->Write(0, bytes);
  kept->emplace(stub, Kept{std::move(code), entry});
  return entry;
}

}  // namespace yp::hotspot
