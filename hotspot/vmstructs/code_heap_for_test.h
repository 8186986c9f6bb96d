#ifndef YP_HOTSPOT_VMSTRUCTS_CODE_HEAP_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_CODE_HEAP_FOR_TEST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/layout_tables_for_test.h"

namespace yp::hotspot {

// A code cache of two heaps in ordinary memory, laid out like that of a JDK.
class FakeCodeCache {
 public:
  enum class Jdk { k17, k21, k25 };
  static constexpr int kLog2Segment = 7;
  static constexpr size_t kSegment = size_t{1} << kLog2Segment;
  static constexpr size_t kSegments = 1024;
  // Where a blob's deoptimisation handlers are, from its start.
  static constexpr int32_t kDeoptHandler = 200, kDeoptMhHandler = 210;
  // Where its code begins, and in that its verified entry.
  static constexpr int32_t kCodeOffset = 136, kVerifiedEntry = 32;

  explicit FakeCodeCache(Jdk jdk) : jdk_(jdk) {
    for (Heap& heap : heaps_) {
      low_ = std::min(low_, reinterpret_cast<uintptr_t>(heap.memory));
      high_ = std::max(high_, reinterpret_cast<uintptr_t>(heap.memory + sizeof(heap.memory)));
      std::fill(std::begin(heap.segmap), std::end(heap.segmap), uint8_t{0xff});
      heap.vm = {{heap.memory, heap.memory + sizeof(heap.memory)},
                 kLog2Segment,
                 {heap.segmap, heap.segmap + kSegments}};
      heap_pointers_.push_back(&heap.vm);
    }
    array_ = {static_cast<int>(heap_pointers_.size()), 0, heap_pointers_.data()};

    tables.AddStatic("CodeCache", "_heaps", &heaps_address_);
    tables.AddStatic("CodeCache", "_low_bound", &low_);
    tables.AddStatic("CodeCache", "_high_bound", &high_);
    tables.AddField("GrowableArrayBase", "_len", offsetof(Array, length));
    tables.AddField("GrowableArray<int>", "_data", offsetof(Array, data));
    tables.AddField("CodeHeap", "_memory", offsetof(VmHeap, memory));
    tables.AddField("CodeHeap", "_segmap", offsetof(VmHeap, segmap));
    tables.AddField("CodeHeap", "_log2_segment_size", offsetof(VmHeap, log2_segment_size));
    tables.AddField("VirtualSpace", "_low", offsetof(Space, low));
    tables.AddField("VirtualSpace", "_high", offsetof(Space, high));
    tables.AddType("HeapBlock", block_bytes());
    tables.AddField("HeapBlock", "_header", 0);
    tables.AddField("HeapBlock::Header", "_used", used_offset());
    tables.AddField("HeapBlock::Header", "_length", 0);
    tables.AddField("nmethod", "_comp_level", offsetof(Blob, level));
    tables.AddField("nmethod", "_entry_bci", offsetof(Blob, entry_bci));
    tables.AddField("nmethod", "_state", offsetof(Blob, state));
    if (jdk == Jdk::k25) {
      tables.AddField("CodeBlob", "_code_offset", offsetof(Blob, code_offset));
      tables.AddField("CodeBlob", "_data_offset", offsetof(Blob, data_offset));
      tables.AddField("nmethod", "_verified_entry_offset", offsetof(Blob, verified_entry_offset));
    } else {
      tables.AddField("CodeBlob", "_code_begin", offsetof(Blob, code_begin));
      tables.AddField("CodeBlob", "_code_end", offsetof(Blob, code_end));
      tables.AddField("nmethod", "_verified_entry_point", offsetof(Blob, verified_entry));
    }
    tables.AddField("CodeBlob", "_name", offsetof(Blob, name));
    tables.AddField("CodeBlob", "_size", offsetof(Blob, size));
    tables.AddField("CodeBlob", "_frame_size", offsetof(Blob, frame_size));
    tables.AddField("nmethod", "_compile_id", offsetof(Blob, compile_id));
    tables.AddField(jdk == Jdk::k17 ? "CompiledMethod" : "nmethod", "_method",
                    offsetof(Blob, method));
    tables.AddField("Method", "_constMethod", offsetof(Method, const_method));
    tables.AddField("ConstMethod", "_constants", offsetof(ConstMethod, constants));
    tables.AddField("ConstantPool", "_pool_holder", offsetof(ConstantPool, pool_holder));
    if (jdk == Jdk::k25) {
      tables.AddField("nmethod", "_deopt_handler_offset", offsetof(Blob, deopt.offsets[0]));
      tables.AddField("nmethod", "_deopt_mh_handler_offset", offsetof(Blob, deopt.offsets[1]));
    } else {
      const char* type = jdk == Jdk::k17 ? "CompiledMethod" : "nmethod";
      tables.AddField(type, "_deopt_handler_begin", offsetof(Blob, deopt.pointers[0]));
      tables.AddField(type, "_deopt_mh_handler_begin", offsetof(Blob, deopt.pointers[1]));
    }
  }

  Result<CodeCache> Create() {
    const Result<VmStructs> structs = tables.Read();
    if (!structs) return structs.status();
    return CodeCache::Create(*structs);
  }

  // A blob whose block begins at that segment and takes `segments` of them; its address, which is
  // what the VM calls the start of its code here.
  uintptr_t Add(size_t heap_index, size_t segment, size_t segments, const char* name,
                int32_t compile_id, int32_t frame_words) {
    Heap& heap = heaps_[heap_index];
    // As CodeHeap::mark_segmap_as_used: distances that are too large for a byte go in hops.
    for (size_t i = 0; i < segments; ++i) {
      heap.segmap[segment + i] = static_cast<uint8_t>(i < 0xff ? i : 1 + (i - 1) % 0xfe);
    }
    char* block = heap.memory + segment * kSegment;
    std::memset(block, 0xcc, segments * kSegment);
    block[used_offset()] = 1;
    const auto length = static_cast<uint32_t>(segments);
    std::memcpy(block, &length, sizeof(length));
    char* start = block + block_bytes();
    Blob blob{};
    blob.name = name;
    blob.size = static_cast<int32_t>(segments * kSegment - block_bytes() - kSlack);
    blob.frame_size = frame_words;
    blob.compile_id = compile_id;
    blob.level = 4;
    blob.entry_bci = -1;
    blob.code_offset = kCodeOffset;
    blob.data_offset = blob.size - 8;
    blob.verified_entry_offset = kVerifiedEntry;
    blob.code_begin = start + kCodeOffset;
    blob.code_end = start + blob.data_offset;
    blob.verified_entry = blob.code_begin + kVerifiedEntry;
    if (jdk_ == Jdk::k25) {
      blob.deopt.offsets[0] = kDeoptHandler;
      blob.deopt.offsets[1] = kDeoptMhHandler;
    } else {
      blob.deopt.pointers[0] = start + kDeoptHandler;
      blob.deopt.pointers[1] = start + kDeoptMhHandler;
    }
    std::memcpy(start, &blob, sizeof(blob));
    return reinterpret_cast<uintptr_t>(start);
  }
  // Makes the blob one of a method of that class.
  void SetHolder(uintptr_t start, const void* holder) {
    auto& method = methods_.emplace_back(std::make_unique<MethodOfAClass>());
    method->pool.pool_holder = holder;
    const Method* address = &method->method;
    std::memcpy(reinterpret_cast<char*>(start) + offsetof(Blob, method), &address, sizeof(address));
  }
  // Of a blob: the level, the bytecode index at which it is entered (-1: the method's), its state.
  void SetCompilation(uintptr_t start, int8_t level, int32_t entry_bci, int8_t state) {
    Blob blob;
    std::memcpy(&blob, reinterpret_cast<const char*>(start), sizeof(blob));
    blob.level = level;
    blob.entry_bci = entry_bci;
    blob.state = state;
    std::memcpy(reinterpret_cast<char*>(start), &blob, sizeof(blob));
  }
  // As CodeHeap::deallocate: the block goes to the free list, its segments keep their distances.
  void Free(uintptr_t start) {
    reinterpret_cast<char*>(start)[-static_cast<ptrdiff_t>(block_bytes() - used_offset())] = 0;
  }
  uintptr_t SegmentAddress(size_t heap_index, size_t segment) const {
    return reinterpret_cast<uintptr_t>(heaps_[heap_index].memory + segment * kSegment);
  }
  uintptr_t low() const { return low_; }
  uintptr_t high() const { return high_; }
  void SetHeapCount(int count) { array_.length = count; }
  void SetSegmentSize(int log2) {
    for (Heap& heap : heaps_) heap.vm.log2_segment_size = log2;
  }
  // The map of a heap that grows is behind the heap for a moment.
  void SetMapSegments(size_t heap_index, size_t segments) {
    heaps_[heap_index].vm.segmap.high = heaps_[heap_index].segmap + segments;
  }
  void SetDistance(size_t heap_index, size_t segment, uint8_t distance) {
    heaps_[heap_index].segmap[segment] = distance;
  }
  // Bytes of a block that its blob does not use.
  static constexpr size_t kSlack = 24;

  LayoutTables tables;

 private:
  struct Space {
    const void* low;
    const void* high;
  };
  struct VmHeap {
    Space memory;
    int log2_segment_size;
    Space segmap;
  };
  struct Array {
    int length;
    int capacity;
    VmHeap** data;
  };
  struct ConstantPool {
    int64_t tags = 0;
    const void* pool_holder = nullptr;
  };
  struct ConstMethod {
    int64_t fingerprint = 0;
    const ConstantPool* constants = nullptr;
  };
  struct Method {
    int64_t vtable = 0;
    const ConstMethod* const_method = nullptr;
  };
  struct MethodOfAClass {
    ConstantPool pool;
    ConstMethod const_method{.constants = &pool};
    Method method{.const_method = &const_method};
  };
  struct Blob {
    int32_t size;
    int32_t frame_size;
    const char* name;
    int32_t compile_id;
    int32_t entry_bci;
    int32_t code_offset, data_offset;
    uint16_t verified_entry_offset;
    int8_t level, state;
    const char *code_begin, *code_end, *verified_entry;
    const Method* method;
    union {
      const char* pointers[2];
      int32_t offsets[2];
    } deopt;
  };
  struct Heap {
    alignas(kSegment) char memory[kSegments * kSegment];
    uint8_t segmap[kSegments];
    VmHeap vm;
  };

  size_t block_bytes() const { return jdk_ == Jdk::k25 ? 8 : 16; }
  size_t used_offset() const { return jdk_ == Jdk::k25 ? 4 : 8; }

  const Jdk jdk_;
  std::vector<Heap> heaps_ = std::vector<Heap>(2);
  std::vector<VmHeap*> heap_pointers_;
  std::vector<std::unique_ptr<MethodOfAClass>> methods_;
  Array array_{};
  const Array* heaps_address_ = &array_;
  uintptr_t low_ = ~uintptr_t{0};
  uintptr_t high_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_CODE_HEAP_FOR_TEST_H_
