#include "hotspot/vmstructs/code_cache.h"

#include <cstring>
#include <string>

namespace yp::hotspot {
namespace {

// HotSpot's own threads write what is read here: a relaxed atomic load is the least that is sound,
// and on x86-64 a plain mov.
template <typename T>
T Load(const void* base, int64_t offset) {
  return __atomic_load_n(reinterpret_cast<const T*>(static_cast<const char*>(base) + offset),
                         __ATOMIC_RELAXED);
}

}  // namespace

Result<CodeCache> CodeCache::Create(const VmStructs& structs) {
  CodeCache cache;
  std::string missing;
  const auto field = [&](const char* type, const char* name) -> VmStructs::Field {
    if (const VmStructs::Field* found = structs.Find(type, name)) return *found;
    missing += (missing.empty() ? "" : ", ") + std::string(type) + "::" + name;
    return {};
  };

  cache.heaps_address_ = field("CodeCache", "_heaps").address;
  cache.low_bound_address_ = field("CodeCache", "_low_bound").address;
  cache.high_bound_address_ = field("CodeCache", "_high_bound").address;
  cache.array_length_ = field("GrowableArrayBase", "_len").offset;
  // GrowableArray's template instances share one layout; the tables name only this one.
  cache.array_data_ = field("GrowableArray<int>", "_data").offset;
  cache.heap_memory_ = field("CodeHeap", "_memory").offset;
  cache.heap_segmap_ = field("CodeHeap", "_segmap").offset;
  cache.heap_log2_segment_ = field("CodeHeap", "_log2_segment_size").offset;
  cache.space_low_ = field("VirtualSpace", "_low").offset;
  cache.space_high_ = field("VirtualSpace", "_high").offset;
  cache.block_size_ = structs.SizeOf("HeapBlock");  // 16 on 17, 8 on 25.
  cache.block_used_ =
      field("HeapBlock", "_header").offset + field("HeapBlock::Header", "_used").offset;
  cache.blob_name_ = field("CodeBlob", "_name").offset;
  cache.blob_size_ = field("CodeBlob", "_size").offset;
  cache.blob_frame_size_ = field("CodeBlob", "_frame_size").offset;
  cache.compile_id_ = field("nmethod", "_compile_id").offset;
  const bool has_base_class = structs.Find("CompiledMethod", "_method") != nullptr;
  cache.method_ = field(has_base_class ? "CompiledMethod" : "nmethod", "_method").offset;
  cache.const_method_ = field("Method", "_constMethod").offset;
  cache.constants_ = field("ConstMethod", "_constants").offset;
  cache.pool_holder_ = field("ConstantPool", "_pool_holder").offset;
  if (structs.Find("CompiledMethod", "_deopt_handler_begin") != nullptr) {
    cache.deopt_is_pointer_ = true;
    cache.deopt_[0] = field("CompiledMethod", "_deopt_handler_begin").offset;
    cache.deopt_[1] = field("CompiledMethod", "_deopt_mh_handler_begin").offset;
  } else if (structs.Find("nmethod", "_deopt_handler_begin") != nullptr) {
    cache.deopt_is_pointer_ = true;
    cache.deopt_[0] = field("nmethod", "_deopt_handler_begin").offset;
    cache.deopt_[1] = field("nmethod", "_deopt_mh_handler_begin").offset;
  } else {
    cache.deopt_[0] = field("nmethod", "_deopt_handler_offset").offset;
    cache.deopt_[1] = field("nmethod", "_deopt_mh_handler_offset").offset;
  }
  if (cache.block_size_ <= 0) missing += (missing.empty() ? "" : ", ") + std::string("HeapBlock");
  if (!missing.empty()) {
    return Status::Error("this JVM's layout tables lack " + missing);
  }
  return cache;
}

bool CodeCache::Contains(uintptr_t pc) const {
  return pc >= Load<uintptr_t>(low_bound_address_, 0) &&
         pc < Load<uintptr_t>(high_bound_address_, 0);
}

int CodeCache::HeapCount() const {
  const void* heaps = Load<const void*>(heaps_address_, 0);
  if (heaps == nullptr) return 0;
  const int count = Load<int>(heaps, array_length_);
  return count < 0 || count > 16 ? 0 : count;
}

CodeCache::Heap CodeCache::HeapAt(int index) const {
  const void* heaps = Load<const void*>(heaps_address_, 0);
  const void* data = Load<const void*>(heaps, array_data_);
  const void* heap = Load<const void*>(data, index * static_cast<int64_t>(sizeof(void*)));
  return Heap{Load<uintptr_t>(heap, heap_memory_ + space_low_),
              Load<uintptr_t>(heap, heap_memory_ + space_high_),
              Load<const uint8_t*>(heap, heap_segmap_ + space_low_),
              Load<int>(heap, heap_log2_segment_)};
}

// CodeHeap::find_start: a segment's byte in the map is the distance, in segments, towards the start
// of its block; 0 is the start itself and 0xff a free segment.
const char* CodeCache::FindBlob(uintptr_t pc) const {
  for (int i = 0, n = HeapCount(); i < n; ++i) {
    const Heap heap = HeapAt(i);
    if (pc < heap.low || pc >= heap.high) continue;
    if (heap.log2_segment < 4 || heap.log2_segment > 16) return nullptr;
    uintptr_t segment = (pc - heap.low) >> heap.log2_segment;
    for (;;) {
      const uint8_t distance = __atomic_load_n(heap.segmap + segment, __ATOMIC_RELAXED);
      if (distance == 0xff || distance > segment) return nullptr;
      if (distance == 0) break;
      segment -= distance;
    }
    const char* block = reinterpret_cast<const char*>(heap.low + (segment << heap.log2_segment));
    if (Load<uint8_t>(block, block_used_) == 0) return nullptr;
    return block + block_size_;
  }
  return nullptr;
}

std::optional<CodeCache::Frame> CodeCache::FrameAt(uintptr_t pc) const {
  if (!Contains(pc)) return std::nullopt;
  const char* blob = FindBlob(pc);
  if (blob == nullptr) return std::nullopt;
  const uintptr_t start = reinterpret_cast<uintptr_t>(blob);
  const int size = Load<int>(blob, blob_size_);
  if (size <= 0 || pc < start || pc >= start + static_cast<uintptr_t>(size)) return std::nullopt;

  Frame frame;
  frame.blob = blob;
  frame.frame_words = Load<int>(blob, blob_frame_size_);
  const char* name = Load<const char*>(blob, blob_name_);
  frame.is_compiled_java = name != nullptr && (std::strcmp(name, "nmethod") == 0 ||
                                               std::strcmp(name, "native nmethod") == 0);
  if (frame.is_compiled_java) {
    frame.compile_id = Load<int32_t>(blob, compile_id_);
    for (const int64_t offset : deopt_) {
      const uintptr_t handler = deopt_is_pointer_
                                    ? Load<uintptr_t>(blob, offset)
                                    : start + static_cast<uintptr_t>(Load<int32_t>(blob, offset));
      frame.is_deopt_handler |= handler == pc;
    }
  }
  return frame;
}

bool CodeCache::StillSame(const Frame& frame) const {
  return Load<int32_t>(frame.blob, compile_id_) == frame.compile_id;
}

const void* CodeCache::HolderOf(const Frame& frame) const {
  const void* at = frame.blob;
  for (const int64_t offset : {method_, const_method_, constants_, pool_holder_}) {
    at = Load<const void*>(at, offset);
    if (at == nullptr) break;
  }
  return at;
}

}  // namespace yp::hotspot
