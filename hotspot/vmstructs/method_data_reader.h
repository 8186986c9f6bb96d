#ifndef YP_HOTSPOT_VMSTRUCTS_METHOD_DATA_READER_H_
#define YP_HOTSPOT_VMSTRUCTS_METHOD_DATA_READER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "hotspot/vmstructs/guarded_blocks.h"
#include "hotspot/vmstructs/profile_records.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Reads what the VM has counted in its methods (MethodData, "MDO") while the VM runs and counts.
//
// Guarantees:
//  - A Method may be gone, and its memory be unmapped or another's: everything is read through
//    guarded memory. A profile is given only when its MethodData names the method as its own and
//    all of its records make sense.
//  - From any thread, one at a time; calls nothing of the VM, holds nothing of it alive.
//
// What a profile names (receivers' classes) may be gone as well.
class MethodDataReader {
 public:
  // Fewer profiles do not tell a layout for sure, unless it is the usual one of that release.
  static constexpr size_t kMinVoters = 4;
  // For ProfileLayout::cells_before_rows; nothing where builds differ.
  static std::optional<size_t> UsualCells(int jdk_feature_version);

  // An error names what is missing from the tables. `memory` must live as long, and what it
  // remembers is what is read.
  static Result<MethodDataReader> Create(const VmStructs& structs, GuardedBlocks& memory);

  // Finds out what the tables do not tell of the layout, by a vote: all profiles of those methods
  // must make sense under the layout that is chosen, and at least kMinVoters of them under no
  // other; one is enough where that is the `usual` layout. After an error it may be asked again,
  // with other methods or when the VM has counted more.
  Status ChooseLayout(std::span<const void* const> methods, std::optional<size_t> usual = {});
  bool has_layout() const { return has_layout_; }

  // Nothing for a method without a profile, or one that is gone. Nothing without a layout.
  std::optional<MethodProfile> Read(const void* method) const;
  // The same for each: 1 to 2 us of CPU time for each (2026-11, twelve programs, 2-core x86-64
  // virtual machine), of which 0.2 us for 16 records of one with branches (UncountedCalls).
  std::vector<std::optional<MethodProfile>> ReadAll(std::span<const void* const> methods) const;

 private:
  // A MethodData, as far as it was read.
  struct Found {
    const void* method = nullptr;
    size_t index = 0;  // Of the method in what was asked for.
    const void* const_method = nullptr;
    const void* data = nullptr;
    uint16_t code_size = 0;
    const void* counters = nullptr;
    uint32_t interpreted = 0;  // As it is counted there.
    size_t bytes = 0;          // Of its fixed part and its records; 0 when it is not the method's.
  };
  // A MethodData whose records have not been looked at.
  struct Raw {
    const void* const_method = nullptr;
    int32_t code_size = 0;
    int64_t invocations = 0, backedges = 0, interpreted = 0;
    std::span<const uint64_t> records;
  };
  using RawVisitor = std::function<void(size_t index, const Raw& raw)>;

  explicit MethodDataReader(GuardedBlocks& memory) : memory_(&memory) {}

  // Three rounds of reads, each of which follows the pointers of the one before.
  void VisitRaw(std::span<const void* const> methods, const RawVisitor& visit) const;
  std::vector<Found> FindData(std::span<const void* const> methods) const;
  void Measure(std::vector<Found>& found) const;
  void CopyData(std::span<const Found> found, const RawVisitor& visit) const;
  // The bytes of a MethodData's fixed part and its records, by its fixed part at `fixed`; 0 when it
  // is not the method's.
  size_t BytesOf(const void* fixed, const void* method) const;
  int64_t CountAt(const void* data, int64_t offset) const;

  GuardedBlocks* memory_;
  ProfileLayout layout_;
  bool has_layout_ = false;
  int64_t const_method_ = 0, method_data_ = 0, counters_ = 0;
  size_t method_words_ = 0;  // Of a Method, what is read of it.
  int64_t code_size_ = 0;
  int64_t owner_ = 0, size_ = 0, records_size_ = 0;
  size_t fixed_bytes_ = 0;  // Before the records.
  int64_t invocations_ = 0, backedges_ = 0;
  int64_t interpreted_ = 0;  // In a MethodCounters.
  int64_t count_shift_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_METHOD_DATA_READER_H_
