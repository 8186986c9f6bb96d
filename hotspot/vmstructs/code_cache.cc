#include "hotspot/vmstructs/code_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

// HotSpot's nmethod: what _entry_bci is unless it is entered in a loop, and _state while calls may
// go to it; the same on JDK 11 to 25.
constexpr int32_t kInvocationEntryBci = -1;
constexpr int8_t kInUse = 0;

}  // namespace

Result<CodeCache> CodeCache::Create(const VmStructs& structs) {
  CodeCache cache;
  FieldFinder find(structs);
  cache.library_constants_ = structs.constants();
  cache.heaps_address_ = find.Address("CodeCache", "_heaps");
  cache.low_bound_address_ = find.Address("CodeCache", "_low_bound");
  cache.high_bound_address_ = find.Address("CodeCache", "_high_bound");
  cache.array_length_ = find.GrowableArrayLength();
  // GrowableArray's template instances share one layout; the tables name only this one.
  cache.array_data_ = find.Offset("GrowableArray<int>", "_data");
  cache.heap_memory_ = find.Offset("CodeHeap", "_memory");
  cache.heap_segmap_ = find.Offset("CodeHeap", "_segmap");
  cache.heap_log2_segment_ = find.Offset("CodeHeap", "_log2_segment_size");
  cache.space_low_ = find.Offset("VirtualSpace", "_low");
  cache.space_high_ = find.Offset("VirtualSpace", "_high");
  cache.block_size_ = find.Size("HeapBlock");  // 16 on 17, 8 on 25.
  const int64_t block_header = find.Offset("HeapBlock", "_header");
  cache.block_used_ = block_header + find.Offset("HeapBlock::Header", "_used");
  // A size_t or, since JDK 20, 32 bits: the low ones are enough.
  cache.block_length_ = block_header + find.Offset("HeapBlock::Header", "_length");
  cache.blob_name_ = find.Offset("CodeBlob", "_name");
  cache.blob_size_ = find.Offset("CodeBlob", "_size");
  cache.blob_frame_size_ = find.Offset("CodeBlob", "_frame_size");
  cache.compile_id_ = find.Offset("nmethod", "_compile_id");
  cache.level_ = find.Offset("nmethod", "_comp_level");
  cache.entry_bci_ = find.Offset("nmethod", "_entry_bci");
  cache.state_ = find.Offset("nmethod", "_state");
  cache.places_are_pointers_ = structs.Find("CodeBlob", "_code_begin") != nullptr;
  if (cache.places_are_pointers_) {
    cache.code_begin_ = find.Offset("CodeBlob", "_code_begin");
    cache.code_end_ = find.Offset("CodeBlob", "_code_end");
    cache.verified_entry_ = find.Offset("nmethod", "_verified_entry_point");
  } else {
    cache.code_begin_ = find.Offset("CodeBlob", "_code_offset");
    cache.code_end_ = find.Offset("CodeBlob", "_data_offset");
    cache.verified_entry_ = find.Offset("nmethod", "_verified_entry_offset");
  }
  cache.method_ = find.NmethodOffset("_method");
  cache.const_method_ = find.Offset("Method", "_constMethod");
  cache.constants_ = find.Offset("ConstMethod", "_constants");
  cache.pool_holder_ = find.Offset("ConstantPool", "_pool_holder");
  if (structs.Find("CompiledMethod", "_deopt_handler_begin") != nullptr) {
    cache.deopt_is_pointer_ = true;
    cache.deopt_[0] = find.Offset("CompiledMethod", "_deopt_handler_begin");
    cache.deopt_[1] = find.Offset("CompiledMethod", "_deopt_mh_handler_begin");
  } else {
    cache.deopt_[0] = find.Offset("nmethod", "_deopt_handler_offset");
    cache.deopt_[1] = find.Offset("nmethod", "_deopt_mh_handler_offset");
  }
  if (Status found = find.status(); !found) return found;
  for (const int64_t offset :
       {cache.blob_name_, cache.blob_size_, cache.blob_frame_size_, cache.compile_id_, cache.level_,
        cache.entry_bci_, cache.state_, cache.code_begin_, cache.code_end_, cache.verified_entry_,
        cache.method_, cache.deopt_[0], cache.deopt_[1]}) {
    cache.compiled_header_bytes_ =
        std::max(cache.compiled_header_bytes_,
                 cache.block_size_ + offset + static_cast<int64_t>(sizeof(uint64_t)));
  }
  return cache;
}

AddressRange CodeCache::bounds() const {
  return {Load<uintptr_t>(low_bound_address_, 0), Load<uintptr_t>(high_bound_address_, 0)};
}

bool CodeCache::Contains(uintptr_t pc) const {
  return pc >= Load<uintptr_t>(low_bound_address_, 0) &&
         pc < Load<uintptr_t>(high_bound_address_, 0);
}

int CodeCache::HeapCount() const {
  const void* heaps = Load<const void*>(heaps_address_, 0);
  if (heaps == nullptr) return 0;
  const int count = Load<int>(heaps, array_length_);
  return count < 0 || count > kMaxHeaps ? 0 : count;
}

CodeCache::Heap CodeCache::HeapAt(int index) const {
  const void* heaps = Load<const void*>(heaps_address_, 0);
  const void* data = Load<const void*>(heaps, array_data_);
  const void* heap = Load<const void*>(data, index * static_cast<int64_t>(sizeof(void*)));
  Heap found{Load<uintptr_t>(heap, heap_memory_ + space_low_),
             Load<uintptr_t>(heap, heap_memory_ + space_high_),
             Load<const uint8_t*>(heap, heap_segmap_ + space_low_), 0,
             Load<int>(heap, heap_log2_segment_)};
  if (found.log2_segment < 4 || found.log2_segment > 16 || found.high < found.low) return found;
  // The VM commits memory of a heap that grows before it commits that of the map.
  const auto map_end = Load<uintptr_t>(heap, heap_segmap_ + space_high_);
  const auto map = reinterpret_cast<uintptr_t>(found.segmap);
  found.segments = std::min<size_t>((found.high - found.low) >> found.log2_segment,
                                    map_end < map ? 0 : map_end - map);
  return found;
}

std::optional<CodeCache::Heap> CodeCache::HeapOf(uintptr_t address) const {
  for (int i = 0, n = HeapCount(); i < n; ++i) {
    const Heap heap = HeapAt(i);
    if (address < heap.low || address >= heap.high) continue;
    return heap.segments > 0 ? std::optional(heap) : std::nullopt;
  }
  return std::nullopt;
}

const char* CodeCache::FindBlob(uintptr_t pc) const {
  const std::optional<Heap> heap = HeapOf(pc);
  const std::optional<size_t> block = heap ? BlockOf(*heap, heap->SegmentOf(pc)) : std::nullopt;
  if (!block) return nullptr;
  const char* blob = BlobAt(*heap, *block);
  return IsInUse(blob) ? blob : nullptr;
}

// CodeHeap::find_start: a segment's byte in the map is the distance, in segments, towards the start
// of its block; 0 is the start itself and 0xff a free segment.
std::optional<size_t> CodeCache::BlockOf(const Heap& heap, size_t segment) {
  if (segment >= heap.segments) return std::nullopt;
  for (;;) {
    const uint8_t distance = __atomic_load_n(heap.segmap + segment, __ATOMIC_RELAXED);
    if (distance == kFreeSegment || distance > segment) return std::nullopt;
    if (distance == 0) return segment;
    segment -= distance;
  }
}

const char* CodeCache::BlobAt(const Heap& heap, size_t segment) const {
  return reinterpret_cast<const char*>(heap.low + (segment << heap.log2_segment)) + block_size_;
}

bool CodeCache::IsInUse(const char* blob) const {
  return Load<uint8_t>(blob - block_size_, block_used_) != 0;
}

// What is too short for a compiled method may lie at the end of the committed memory.
size_t CodeCache::LengthAt(const Heap& heap, size_t segment) const {
  const char* block = BlobAt(heap, segment) - block_size_;
  const auto length = Load<uint32_t>(block, block_length_);  // In segments.
  if (length > heap.segments - segment) return 0;
  const auto bytes = static_cast<int64_t>(size_t{length} << heap.log2_segment);
  return bytes >= compiled_header_bytes_ ? length : 0;
}

const char* CodeCache::NextBlob(const Heap& heap, size_t& segment) const {
  while (segment < heap.segments) {
    const size_t at = segment++;
    if (__atomic_load_n(heap.segmap + at, __ATOMIC_RELAXED) != 0) continue;  // Free, or within.
    const size_t length = LengthAt(heap, at);
    if (length == 0) continue;
    segment = at + length;
    if (const char* blob = BlobAt(heap, at); IsInUse(blob)) return blob;
  }
  return nullptr;
}

const char* CodeCache::NextChanged(const Heap& heap, std::vector<uint8_t>& map,
                                   size_t& segment) const {
  constexpr size_t kPiece = 64;  // Segments that are compared at a time.
  while (segment < heap.segments) {
    const size_t piece = std::min(kPiece - segment % kPiece, heap.segments - segment);
    if (std::memcmp(heap.segmap + segment, map.data() + segment, piece) == 0) {
      segment += piece;
      continue;
    }
    const size_t at = segment++;
    const uint8_t now = __atomic_load_n(heap.segmap + at, __ATOMIC_RELAXED);
    if (std::exchange(map[at], now) == now) continue;
    const std::optional<size_t> block = BlockOf(heap, at);
    if (!block) continue;
    if (*block == at) {
      segment += std::max<size_t>(1, LengthAt(heap, at)) - 1;
      std::memcpy(map.data() + at, heap.segmap + at, segment - at);
    }
    return BlobAt(heap, *block);
  }
  return nullptr;
}

std::optional<CodeCache::Compilation> CodeCache::CompilationIn(const char* blob) const {
  const auto address = reinterpret_cast<uintptr_t>(blob);
  const std::optional<Heap> heap = HeapOf(address);
  if (!heap || FindBlob(address) != blob || LengthAt(*heap, heap->SegmentOf(address)) == 0) {
    return std::nullopt;
  }
  return Describe(blob);
}

// A block that has just been taken has no name yet, but whatever was there before.
bool CodeCache::IsNamed(const char* blob, const char* name) const {
  const char* its = Load<const char*>(blob, blob_name_);
  return library_constants_.Contains(its) && std::strcmp(its, name) == 0;
}

std::optional<CodeCache::Compilation> CodeCache::Describe(const char* blob) const {
  if (!IsNamed(blob, "nmethod")) return std::nullopt;
  Compilation compilation;
  compilation.nmethod = blob;
  compilation.compile_id = Load<int32_t>(blob, compile_id_);
  compilation.level = Load<int8_t>(blob, level_);
  compilation.is_osr = Load<int32_t>(blob, entry_bci_) != kInvocationEntryBci;
  compilation.is_in_use = Load<int8_t>(blob, state_) == kInUse;
  compilation.method = Load<const void*>(blob, method_);
  const auto start = reinterpret_cast<uintptr_t>(blob);
  if (places_are_pointers_) {
    compilation.code_begin = Load<uintptr_t>(blob, code_begin_);
    compilation.code_end = Load<uintptr_t>(blob, code_end_);
    compilation.verified_entry = Load<uintptr_t>(blob, verified_entry_);
  } else {
    compilation.code_begin = start + static_cast<uintptr_t>(Load<int32_t>(blob, code_begin_));
    compilation.code_end = start + static_cast<uintptr_t>(Load<int32_t>(blob, code_end_));
    compilation.verified_entry = compilation.code_begin + Load<uint16_t>(blob, verified_entry_);
  }
  const uintptr_t end = start + static_cast<uintptr_t>(Load<int32_t>(blob, blob_size_));
  const bool lies_within =
      start < compilation.code_begin && compilation.code_begin <= compilation.verified_entry &&
      compilation.verified_entry < compilation.code_end && compilation.code_end <= end;
  if (!lies_within) return std::nullopt;
  return compilation;
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

// A block that was freed keeps its id where the VM gives only the upper part of it to other code.
bool CodeCache::StillSame(const Frame& frame) const {
  return Load<int32_t>(frame.blob, compile_id_) == frame.compile_id && IsInUse(frame.blob);
}

bool CodeCache::IsUncommonTrap(uintptr_t address) const {
  const char* blob = Contains(address) ? FindBlob(address) : nullptr;
  return blob != nullptr && IsNamed(blob, "UncommonTrapBlob");
}

void CodeCache::Prefetch(const Frame& frame) const {
  __builtin_prefetch(frame.blob + compile_id_);
  __builtin_prefetch(frame.blob - block_size_ + block_used_);
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
