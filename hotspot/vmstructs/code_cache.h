#ifndef YP_HOTSPOT_VMSTRUCTS_CODE_CACHE_H_
#define YP_HOTSPOT_VMSTRUCTS_CODE_CACHE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// What the VM's code cache says of a program counter, read while the VM runs.
//
// Guarantees:
//  - Reads only the code cache's reserved and committed memory, which HotSpot never unmaps, and the
//    VM's own static tables: a stale answer is possible, a fault is not. HolderOf alone reads more,
//    what its condition keeps alive.
//  - Takes no lock, allocates nothing, calls nothing of the VM.
//  - A caller that keeps a Frame asks StillSame() before it uses it again: a slot of the code cache
//    is reused by other methods, but never with the same compile id.
class CodeCache {
 public:
  static constexpr int kMaxHeaps = 16;
  struct Frame {
    const char* blob = nullptr;
    int32_t compile_id = 0;   // 0 for a native method's wrapper on VMs that do not number them.
    int32_t frame_words = 0;  // Size of the physical frame, return address and saved rbp included.
    bool is_compiled_java = false;  // An nmethod; otherwise a stub, an adapter or the interpreter.
    bool is_deopt_handler =
        false;  // The frame's real pc is saved elsewhere: it will be deoptimised.
  };

  // An error names what is missing from the tables; then nothing here may be used.
  static Result<CodeCache> Create(const VmStructs& structs);

  bool Contains(uintptr_t pc) const;
  // What is reserved for it; nothing before the VM has.
  AddressRange bounds() const;
  // Nothing when pc lies in no live blob.
  std::optional<Frame> FrameAt(uintptr_t pc) const;
  // Whether the blob of a frame that FrameAt gave is still the same compilation.
  bool StillSame(const Frame& frame) const;
  // Whether C2's code that calls this address leaves for the interpreter: it is the VM's uncommon
  // trap.
  bool IsUncommonTrap(uintptr_t address) const;
  // Begins to load what StillSame reads.
  void Prefetch(const Frame& frame) const;
  // A compiled method's code, as the VM describes it at this moment.
  struct Compilation {
    const char* nmethod = nullptr;
    int32_t compile_id = 0;
    int32_t level = 0;       // 1 to 3 are C1's, 4 is C2's.
    bool is_osr = false;     // Entered in a loop, not at its entry.
    bool is_in_use = false;  // Calls may go to it: neither in the making nor made not entrant.
    uintptr_t code_begin = 0, code_end = 0;
    uintptr_t verified_entry = 0;  // Where calls that need no check of the receiver's class enter.
    const void* method = nullptr;  // The VM's Method; it may be gone.
  };
  // Nothing for a frame of what is no compiled Java method.
  std::optional<Compilation> CompilationOf(const Frame& frame) const {
    return Describe(frame.blob);
  }
  // Calls visit(const Compilation&) for each compiled Java method in the code cache. A compilation
  // that comes or goes meanwhile may be missed, or be described half as what it was: whoever writes
  // to its code checks what is there. 5-10 ns for each, and as much for each stub.
  template <typename Visit>
  void ForEachCompilation(Visit visit) const {
    for (int i = 0, n = HeapCount(); i < n; ++i) {
      const Heap heap = HeapAt(i);
      for (size_t segment = 0; const char* blob = NextBlob(heap, segment);) {
        if (const std::optional<Compilation> compilation = Describe(blob)) visit(*compilation);
      }
    }
  }

  // What the maps of the code cache's blocks were when they were last looked at.
  class Seen {
   private:
    friend class CodeCache;
    std::array<std::vector<uint8_t>, kMaxHeaps> maps_;
  };
  // Calls visit(blob) for each block that begins or ends elsewhere than when `seen` was last told,
  // and makes `seen` what is now. A block that was made not entrant and taken again as it was is
  // not among them; what is being made in one may not be there yet. 30 to 60 us for 10,000
  // compilations, where a walk over them takes milliseconds: the map is a thousandth of the code,
  // and one piece.
  template <typename Visit>
  void ForEachChanged(Seen& seen, Visit visit) const {
    for (int i = 0, n = HeapCount(); i < n; ++i) {
      const Heap heap = HeapAt(i);
      std::vector<uint8_t>& map = seen.maps_[static_cast<size_t>(i)];
      map.resize(heap.segments, kFreeSegment);
      const char* previous = nullptr;
      for (size_t segment = 0; const char* blob = NextChanged(heap, map, segment);) {
        if (blob != previous) visit(blob);
        previous = blob;
      }
    }
  }
  // Of a block that ForEachChanged has told; nothing for one that is no compiled Java method, or
  // not yet, or not any more.
  std::optional<Compilation> CompilationIn(const char* blob) const;

  // Names the class whose method was compiled (the root of the inlining); nothing more may be done
  // with it. The frame is one of compiled Java on the calling thread's stack.
  const void* HolderOf(const Frame& frame) const;

 private:
  static constexpr uint8_t kFreeSegment = 0xff;
  struct Heap {
    uintptr_t low, high;
    const uint8_t* segmap;
    size_t segments;  // That both the heap and its map have; 0 when it makes no sense.
    int log2_segment;

    size_t SegmentOf(uintptr_t address) const { return (address - low) >> log2_segment; }
  };
  Heap HeapAt(int index) const;
  int HeapCount() const;
  // Nothing for an address in none, or in one that makes no sense.
  std::optional<Heap> HeapOf(uintptr_t address) const;
  const char* FindBlob(uintptr_t pc) const;
  // The start of the block that the segment is in, as a number of segments.
  static std::optional<size_t> BlockOf(const Heap& heap, size_t segment);
  // How many segments the block has that begins there; 0 if that makes no sense, or it is too short
  // for a compiled method.
  size_t LengthAt(const Heap& heap, size_t segment) const;
  const char* BlobAt(const Heap& heap, size_t segment) const;
  bool IsInUse(const char* blob) const;
  bool IsNamed(const char* blob, const char* name) const;
  // A blob of whose segments, at or behind that one, the map tells something new; `segment` moves
  // to where to go on. Null when there is none.
  const char* NextChanged(const Heap& heap, std::vector<uint8_t>& map, size_t& segment) const;
  // The first blob in use at or behind the segment, which moves behind it; null behind the last.
  const char* NextBlob(const Heap& heap, size_t& segment) const;
  // Nothing for what is no compiled Java method.
  std::optional<Compilation> Describe(const char* blob) const;

  const void* heaps_address_ = nullptr;  // Address of CodeCache::_heaps.
  const void* low_bound_address_ = nullptr;
  const void* high_bound_address_ = nullptr;
  int64_t array_length_ = 0, array_data_ = 0;
  int64_t heap_memory_ = 0, heap_segmap_ = 0, heap_log2_segment_ = 0;
  int64_t space_low_ = 0, space_high_ = 0;
  int64_t block_size_ = 0, block_used_ = 0, block_length_ = 0;
  int64_t blob_name_ = 0, blob_size_ = 0, blob_frame_size_ = 0;
  int64_t compiled_header_bytes_ = 0;  // From a block's start, what Describe reads.
  int64_t compile_id_ = 0, method_ = 0, level_ = 0, entry_bci_ = 0, state_ = 0;
  // Pointers, or offsets from the blob (the entry's from its code).
  int64_t code_begin_ = 0, code_end_ = 0, verified_entry_ = 0;
  bool places_are_pointers_ = false;
  int64_t const_method_ = 0, constants_ = 0, pool_holder_ = 0;
  int64_t deopt_[2] = {0, 0};  // The two deoptimisation handlers: pointers on 17, offsets on 25.
  bool deopt_is_pointer_ = false;
  AddressRange library_constants_;  // Where blobs' names are.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_CODE_CACHE_H_
