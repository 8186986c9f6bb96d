#ifndef YP_HOTSPOT_VMSTRUCTS_CODE_CACHE_H_
#define YP_HOTSPOT_VMSTRUCTS_CODE_CACHE_H_

#include <cstdint>
#include <optional>

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
  // Nothing when pc lies in no live blob.
  std::optional<Frame> FrameAt(uintptr_t pc) const;
  // Whether the blob of a frame that FrameAt gave is still the same compilation.
  bool StillSame(const Frame& frame) const;
  // Names the class whose method was compiled (the root of the inlining); nothing more may be done
  // with it. The frame is one of compiled Java on the calling thread's stack.
  const void* HolderOf(const Frame& frame) const;

 private:
  struct Heap {
    uintptr_t low, high;
    const uint8_t* segmap;
    int log2_segment;
  };
  Heap HeapAt(int index) const;
  int HeapCount() const;
  const char* FindBlob(uintptr_t pc) const;

  const void* heaps_address_ = nullptr;  // Address of CodeCache::_heaps.
  const void* low_bound_address_ = nullptr;
  const void* high_bound_address_ = nullptr;
  int64_t array_length_ = 0, array_data_ = 0;
  int64_t heap_memory_ = 0, heap_segmap_ = 0, heap_log2_segment_ = 0;
  int64_t space_low_ = 0, space_high_ = 0;
  int64_t block_size_ = 0, block_used_ = 0;
  int64_t blob_name_ = 0, blob_size_ = 0, blob_frame_size_ = 0;
  int64_t compile_id_ = 0, method_ = 0;
  int64_t const_method_ = 0, constants_ = 0, pool_holder_ = 0;
  int64_t deopt_[2] = {0, 0};  // The two deoptimisation handlers: pointers on 17, offsets on 25.
  bool deopt_is_pointer_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_CODE_CACHE_H_
