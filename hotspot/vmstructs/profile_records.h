#ifndef YP_HOTSPOT_VMSTRUCTS_PROFILE_RECORDS_H_
#define YP_HOTSPOT_VMSTRUCTS_PROFILE_RECORDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// What the VM has counted in one method: the interpreter, and C1's code with full
// profiling (tier 3). Counting stops while the method runs at another tier, so that ratios mean
// something and absolute numbers do not. All threads count without a lock: counts are approximate.
struct MethodProfile {
  struct Receiver {
    const void* klass = nullptr;  // The VM's Klass of the receiver.
    int64_t calls = 0;
  };
  struct CallSite {
    int32_t bci = 0;
    bool is_virtual = false;  // Its receivers are counted (invokevirtual, invokeinterface).
    int64_t calls = 0;        // All of them, whatever their receivers.
    // Its receivers are that range of `receivers`: as many different ones as the VM had room for.
    uint32_t first_receiver = 0, receiver_count = 0;
  };

  std::span<const Receiver> ReceiversOf(const CallSite& site) const {
    return std::span(receivers).subspan(site.first_receiver, site.receiver_count);
  }

  const void* const_method = nullptr;  // The method's own.
  int64_t invocations = 0;
  int64_t backedges = 0;
  int64_t interpreted = 0;      // Calls before there was a profile, while it was interpreted.
  std::vector<CallSite> sites;  // By bci.
  std::vector<Receiver> receivers;
};

// How the records of a MethodData lie (HotSpot's methodData.hpp): each is a header word with a tag
// and a bci, and then cells, a word each.
struct ProfileLayout {
  enum class Record : uint8_t {
    kNone,  // No record of a bytecode.
    kBit,
    kCounter,
    kJump,
    kReceiverType,
    kVirtualCall,
    kRet,
    kBranch,
    kMultiBranch,
    kCallType,
    kVirtualCallType,
  };
  static constexpr size_t kMaxTags = 32;

  // An error names what is missing from the tables.
  static Result<ProfileLayout> Create(const VmStructs& structs);

  std::array<Record, kMaxTags> record_of_tag{};
  int64_t tag_offset = 0, bci_offset = 0;  // Within the header.
  size_t receiver_rows = 0;                // Of a receiver and its count: TypeProfileWidth.
  // Cells between a virtual call's count and its rows: one where the VM was built with JVMCI up to
  // JDK 17 or so, which the tables do not tell.
  size_t cells_before_rows = 0;
};

// A record as it lies there.
struct ProfileRecord {
  ProfileLayout::Record kind{};
  int32_t bci = 0;
  std::span<const uint64_t> cells;

  bool IsVirtualCall() const {
    return kind == ProfileLayout::Record::kVirtualCall ||
           kind == ProfileLayout::Record::kVirtualCallType;
  }
  bool IsCall() const {
    return IsVirtualCall() || kind == ProfileLayout::Record::kCounter ||
           kind == ProfileLayout::Record::kCallType;
  }
};

// The first record of `words`, which are not empty and are behind it then; nothing where there is
// none, or it is cut off.
std::optional<ProfileRecord> NextRecord(std::span<const uint64_t>& words,
                                        const ProfileLayout& layout);
// What was counted in a cell. Cells are counted without a lock, and may be anything for a moment;
// sums do not overflow.
int64_t CountIn(uint64_t cell);

// Reads the records of a method with `code_size` bytes of bytecode into the profile's sites. False
// when they are none: a record of another kind, bcis that do not ascend, or records that do not end
// where `words` do.
bool ReadRecords(std::span<const uint64_t> words, const ProfileLayout& layout, int32_t code_size,
                 MethodProfile& profile);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_PROFILE_RECORDS_H_
