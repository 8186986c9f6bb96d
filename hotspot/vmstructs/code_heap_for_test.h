#ifndef YP_HOTSPOT_VMSTRUCTS_CODE_HEAP_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_CODE_HEAP_FOR_TEST_H_

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/layout_tables_for_test.h"
#include "hotspot/vmstructs/methods_for_test.h"
#include "hotspot/vmstructs/scopes_for_test.h"

namespace yp::hotspot {

// A code cache of two heaps in memory of its own, where code can be written and run, laid out like
// that of a JDK.
class FakeCodeCache {
 public:
  enum class Jdk { k11, k17, k21, k25 };
  static Jdk JdkOf(int feature_version) {
    return feature_version == 11   ? Jdk::k11
           : feature_version == 17 ? Jdk::k17
           : feature_version == 21 ? Jdk::k21
                                   : Jdk::k25;
  }
  static int VersionOf(Jdk jdk) {
    constexpr int kVersions[] = {11, 17, 21, 25};
    return kVersions[static_cast<int>(jdk)];
  }
  static std::string NameOf(Jdk jdk) { return "Jdk" + std::to_string(VersionOf(jdk)); }
  static constexpr int kLog2Segment = 7;
  static constexpr size_t kSegment = size_t{1} << kLog2Segment;
  static constexpr size_t kSegments = 1024;
  static constexpr size_t kHeapBytes = kSegments * kSegment;
  // Where a blob's deoptimisation handlers are, from its start.
  static constexpr int32_t kDeoptHandler = 190, kDeoptMhHandler = 196;
  // Where its code begins, and in that its verified entry.
  static constexpr int32_t kCodeOffset = 168, kVerifiedEntry = 32;

  explicit FakeCodeCache(Jdk jdk) : jdk_(jdk) {
    void* memory = mmap(nullptr, heaps_.size() * kHeapBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    low_ = reinterpret_cast<uintptr_t>(memory);
    high_ = low_ + heaps_.size() * kHeapBytes;
    char* heap_memory = static_cast<char*>(memory);
    for (Heap& heap : heaps_) {
      heap.memory = heap_memory;
      heap_memory += kHeapBytes;
      std::fill(std::begin(heap.segmap), std::end(heap.segmap), uint8_t{0xff});
      heap.vm = {{heap.memory, heap.memory + kHeapBytes},
                 kLog2Segment,
                 {heap.segmap, heap.segmap + kSegments}};
      heap_pointers_.push_back(&heap.vm);
    }
    array_ = {static_cast<int>(heap_pointers_.size()), 0, heap_pointers_.data()};

    tables.AddStatic("CodeCache", "_heaps", &heaps_address_);
    tables.AddStatic("CodeCache", "_low_bound", &low_);
    tables.AddStatic("CodeCache", "_high_bound", &high_);
    const char* array = jdk == Jdk::k11 ? "GenericGrowableArray" : "GrowableArrayBase";
    tables.AddType(array, sizeof(Array));
    tables.AddField(array, "_len", offsetof(Array, length));
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
    tables.AddField(jdk < Jdk::k25 ? "CompiledMethod" : "nmethod", "_method",
                    offsetof(Blob, method));
    tables.AddField("nmethod", "_orig_pc_offset", offsetof(Blob, orig_pc_offset));
    FakeMethod::AddTables(tables, feature_version());
    AddScopesTables();
    if (jdk == Jdk::k25) {
      tables.AddField("nmethod", "_deopt_handler_offset", offsetof(Blob, deopt.offsets[0]));
      tables.AddField("nmethod", "_deopt_mh_handler_offset", offsetof(Blob, deopt.offsets[1]));
    } else {
      tables.AddField("CompiledMethod", "_deopt_handler_begin", offsetof(Blob, deopt.pointers[0]));
      tables.AddField("CompiledMethod", "_deopt_mh_handler_begin",
                      offsetof(Blob, deopt.pointers[1]));
    }
  }

  ~FakeCodeCache() { munmap(reinterpret_cast<void*>(low_), high_ - low_); }
  FakeCodeCache(const FakeCodeCache&) = delete;
  FakeCodeCache& operator=(const FakeCodeCache&) = delete;

  int feature_version() const { return VersionOf(jdk_); }

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
    methods_.push_back(std::make_unique<FakeMethod>());
    methods_.back()->SetHolder(holder);
    SetMethod(start, methods_.back()->method());
  }
  void SetMethod(uintptr_t start, const void* method) {
    Change(start, [&](Blob& blob) { blob.method = method; });
  }
  void SetCompileId(uintptr_t start, int32_t compile_id) {
    Change(start, [&](Blob& blob) { blob.compile_id = compile_id; });
  }
  // Where in the frame the real pc is kept of one that waits for its deoptimisation, in bytes.
  void SetOrigPcOffset(uintptr_t start, int32_t offset) {
    Change(start, [&](Blob& blob) { blob.orig_pc_offset = offset; });
  }
  // Gives a compilation its debug information: at the end of its blob, which must have room, or
  // elsewhere, as the JDK has it.
  void SetScopes(uintptr_t start, const FakeScopes& scopes) {
    const std::vector<FakeScopes::PcDesc> pcs = scopes.pcs();
    const auto append = [](std::vector<char>& to, const void* from, size_t size) {
      const size_t at = (to.size() + 7) & ~size_t{7};
      to.resize(at + size);
      if (size > 0) std::memcpy(to.data() + at, from, size);
      return static_cast<int32_t>(at);
    };
    std::vector<char> changing, fixed;
    if (jdk_ == Jdk::k25) changing.assign(48, 'r');
    const int32_t metadata =
        append(changing, scopes.metadata().data(), scopes.metadata().size() * sizeof(void*));
    if (jdk_ == Jdk::k25) {
      fixed.assign(32, 'd');
      const int32_t pcs_at = append(fixed, pcs.data(), pcs.size() * sizeof(pcs[0]));
      const int32_t data = append(fixed, scopes.data().data(), scopes.data().size());
      Change(start, [&](Blob& blob) {
        blob.relocation_size = metadata;
        blob.mutable_data_size = static_cast<int32_t>(changing.size());
        blob.scopes_pcs_offset = pcs_at;
        blob.scopes_data_offset = data;
        blob.immutable_data_size = static_cast<int32_t>(fixed.size());
        blob.mutable_data = Keep(std::move(changing));
        blob.immutable_data = Keep(std::move(fixed));
      });
      return;
    }
    const int32_t data = append(changing, scopes.data().data(), scopes.data().size());
    const int32_t pcs_at = append(changing, pcs.data(), pcs.size() * sizeof(pcs[0]));
    Change(start, [&](Blob& blob) {
      const int32_t at = (blob.size - static_cast<int32_t>(changing.size())) & ~7;
      if (at < kCodeOffset + kVerifiedEntry) throw std::bad_alloc();
      char* memory = reinterpret_cast<char*>(start) + at;
      if (!changing.empty()) std::memcpy(memory, changing.data(), changing.size());
      blob.data_offset = at;
      blob.code_end = memory;
      blob.metadata_offset = at + metadata;
      blob.scopes_data_begin = memory + data;
      blob.scopes_pcs_offset = at + pcs_at;
      blob.dependencies_offset = at + static_cast<int32_t>(changing.size());
    });
  }
  // Of a blob: the level, the bytecode index at which it is entered (-1: the method's), its state.
  void SetCompilation(uintptr_t start, int8_t level, int32_t entry_bci, int8_t state) {
    Change(start, [&](Blob& blob) {
      blob.level = level;
      blob.entry_bci = entry_bci;
      blob.state = state;
    });
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
    const void* method;
    const char *scopes_data_begin, *mutable_data, *immutable_data;
    int32_t metadata_offset, scopes_data_offset, scopes_pcs_offset, dependencies_offset;
    int32_t mutable_data_size, relocation_size, immutable_data_size, orig_pc_offset;
    union {
      const char* pointers[2];
      int32_t offsets[2];
    } deopt;
  };
  struct Heap {
    char* memory;
    uint8_t segmap[kSegments];
    VmHeap vm;
  };

  static_assert(sizeof(Blob) <= kCodeOffset);

  void AddScopesTables() {
    FakeScopes::AddTables(tables);
    tables.AddField("nmethod", "_scopes_pcs_offset", offsetof(Blob, scopes_pcs_offset));
    if (jdk_ == Jdk::k25) {
      tables.AddField("CodeBlob", "_mutable_data", offsetof(Blob, mutable_data));
      tables.AddField("CodeBlob", "_mutable_data_size", offsetof(Blob, mutable_data_size));
      tables.AddField("CodeBlob", "_relocation_size", offsetof(Blob, relocation_size));
      tables.AddField("nmethod", "_immutable_data", offsetof(Blob, immutable_data));
      tables.AddField("nmethod", "_immutable_data_size", offsetof(Blob, immutable_data_size));
      tables.AddField("nmethod", "_scopes_data_offset", offsetof(Blob, scopes_data_offset));
    } else {
      tables.AddField("CompiledMethod", "_scopes_data_begin", offsetof(Blob, scopes_data_begin));
      tables.AddField("nmethod", "_metadata_offset", offsetof(Blob, metadata_offset));
      tables.AddField("nmethod", "_dependencies_offset", offsetof(Blob, dependencies_offset));
    }
  }
  template <typename Function>
  static void Change(uintptr_t start, Function change) {
    Blob blob;
    std::memcpy(&blob, reinterpret_cast<const char*>(start), sizeof(blob));
    change(blob);
    std::memcpy(reinterpret_cast<char*>(start), &blob, sizeof(blob));
  }
  const char* Keep(std::vector<char> memory) {
    kept_.push_back(std::make_unique<std::vector<char>>(std::move(memory)));
    return kept_.back()->data();
  }

  size_t block_bytes() const { return jdk_ == Jdk::k25 ? 8 : 16; }
  size_t used_offset() const { return jdk_ == Jdk::k25 ? 4 : 8; }

  const Jdk jdk_;
  std::vector<Heap> heaps_ = std::vector<Heap>(2);
  std::vector<VmHeap*> heap_pointers_;
  std::vector<std::unique_ptr<FakeMethod>> methods_;
  std::vector<std::unique_ptr<std::vector<char>>> kept_;
  Array array_{};
  const Array* heaps_address_ = &array_;
  uintptr_t low_ = 0;
  uintptr_t high_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_CODE_HEAP_FOR_TEST_H_
