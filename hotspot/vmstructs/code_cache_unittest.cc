#include "hotspot/vmstructs/code_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hotspot/vmstructs/code_heap_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Jdk = FakeCodeCache::Jdk;

class CodeCacheTest : public ::testing::TestWithParam<Jdk> {
 protected:
  CodeCacheTest() {
    Result<CodeCache> created = vm_->Create();
    EXPECT_TRUE(created.ok()) << created.message();
    if (created) cache_.emplace(*std::move(created));
  }

  const std::unique_ptr<FakeCodeCache> vm_ = std::make_unique<FakeCodeCache>(GetParam());
  std::optional<CodeCache> cache_;
};

INSTANTIATE_TEST_SUITE_P(Jdks, CodeCacheTest,
                         ::testing::Values(Jdk::k11, Jdk::k17, Jdk::k21, Jdk::k25),
                         [](const auto& jdk) { return FakeCodeCache::NameOf(jdk.param); });

TEST_P(CodeCacheTest, KnowsTheFrameOfEveryPcOfACompiledMethod) {
  const uintptr_t start = vm_->Add(0, 3, 5, "nmethod", 77, 12);
  const uintptr_t end = vm_->SegmentAddress(0, 8) - FakeCodeCache::kSlack;
  for (uintptr_t pc = start; pc < end; ++pc) {
    const std::optional<CodeCache::Frame> frame = cache_->FrameAt(pc);
    ASSERT_TRUE(frame.has_value()) << pc - start;
    ASSERT_EQ(reinterpret_cast<uintptr_t>(frame->blob), start);
    ASSERT_EQ(frame->compile_id, 77);
    ASSERT_EQ(frame->frame_words, 12);
    ASSERT_TRUE(frame->is_compiled_java);
  }
  EXPECT_FALSE(cache_->FrameAt(end).has_value()) << "the block's slack is no code";
  EXPECT_FALSE(cache_->FrameAt(start - 1).has_value()) << "nor is its header";
}

TEST_P(CodeCacheTest, FindsTheStartOfABlockOfManySegments) {
  const uintptr_t start = vm_->Add(1, 10, 900, "nmethod", 5, 4);
  for (size_t segment = 10; segment < 909; ++segment) {
    const uintptr_t pc = vm_->SegmentAddress(1, segment) + FakeCodeCache::kSegment - 1;
    const std::optional<CodeCache::Frame> frame = cache_->FrameAt(pc);
    ASSERT_TRUE(frame.has_value()) << segment;
    ASSERT_EQ(reinterpret_cast<uintptr_t>(frame->blob), start);
  }
}

TEST_P(CodeCacheTest, TellsStubsFromCompiledMethods) {
  const uintptr_t native = vm_->Add(0, 0, 4, "native nmethod", 3, 6);
  const uintptr_t stub = vm_->Add(0, 4, 4, "StubRoutines (1)", 0, 2);
  const uintptr_t nameless = vm_->Add(0, 8, 4, nullptr, 0, 2);
  ASSERT_TRUE(cache_->FrameAt(native).has_value());
  EXPECT_TRUE(cache_->FrameAt(native)->is_compiled_java);
  EXPECT_EQ(cache_->FrameAt(native)->compile_id, 3);
  ASSERT_TRUE(cache_->FrameAt(stub).has_value());
  EXPECT_FALSE(cache_->FrameAt(stub)->is_compiled_java);
  ASSERT_TRUE(cache_->FrameAt(nameless).has_value());
  EXPECT_FALSE(cache_->FrameAt(nameless)->is_compiled_java);
}

TEST_P(CodeCacheTest, KnowsTheUncommonTrapByItsName) {
  const uintptr_t method = vm_->Add(0, 0, 4, "nmethod", 3, 6);
  const uintptr_t trap = vm_->Add(0, 4, 4, "UncommonTrapBlob", 0, 2);
  const uintptr_t nameless = vm_->Add(0, 8, 4, nullptr, 0, 2);
  EXPECT_TRUE(cache_->IsUncommonTrap(trap));
  EXPECT_TRUE(cache_->IsUncommonTrap(trap + 64));
  for (const uintptr_t other : {method, nameless, uintptr_t{0}, vm_->high(), vm_->low() - 1}) {
    EXPECT_FALSE(cache_->IsUncommonTrap(other));
  }
}

TEST_P(CodeCacheTest, TellsAFrameThatWaitsForItsDeoptimisation) {
  const uintptr_t start = vm_->Add(0, 0, 4, "nmethod", 3, 6);
  vm_->Add(0, 4, 4, "nmethod", 4, 6);
  for (uintptr_t pc = start + 180; pc < start + 230; ++pc) {
    const bool handler =
        pc == start + FakeCodeCache::kDeoptHandler || pc == start + FakeCodeCache::kDeoptMhHandler;
    ASSERT_TRUE(cache_->FrameAt(pc).has_value());
    EXPECT_EQ(cache_->FrameAt(pc)->is_deopt_handler, handler) << pc - start;
  }
}

TEST_P(CodeCacheTest, KnowsNothingOfPcsThatAreNoCode) {
  const int on_the_stack = 0;
  vm_->Add(0, 0, 4, "nmethod", 3, 6);
  for (const uintptr_t pc :
       {uintptr_t{0}, ~uintptr_t{0}, reinterpret_cast<uintptr_t>(&on_the_stack), vm_->low() - 1,
        vm_->high()}) {
    EXPECT_FALSE(cache_->Contains(pc));
    EXPECT_FALSE(cache_->FrameAt(pc).has_value());
  }
  // Reserved, and not used.
  EXPECT_TRUE(cache_->Contains(vm_->SegmentAddress(0, 100)));
  EXPECT_FALSE(cache_->FrameAt(vm_->SegmentAddress(0, 100)).has_value());
  EXPECT_FALSE(cache_->FrameAt(vm_->SegmentAddress(1, 0)).has_value());
}

TEST_P(CodeCacheTest, AFreedBlockIsNoCode) {
  const uintptr_t start = vm_->Add(0, 3, 5, "nmethod", 77, 12);
  ASSERT_TRUE(cache_->FrameAt(start).has_value());
  vm_->Free(start);
  EXPECT_FALSE(cache_->FrameAt(start).has_value());
  EXPECT_FALSE(cache_->FrameAt(start + 300).has_value());
}

TEST_P(CodeCacheTest, AFrameIsNoLongerTheSameWhenItsPlaceIsReused) {
  const uintptr_t start = vm_->Add(0, 3, 5, "nmethod", 77, 12);
  const std::optional<CodeCache::Frame> frame = cache_->FrameAt(start + 40);
  ASSERT_TRUE(frame.has_value());
  EXPECT_TRUE(cache_->StillSame(*frame));
  vm_->Free(start);
  EXPECT_FALSE(cache_->StillSame(*frame)) << "a free block keeps its id";
  ASSERT_EQ(vm_->Add(0, 3, 2, "nmethod", 78, 12), start);
  EXPECT_FALSE(cache_->StillSame(*frame));
  ASSERT_TRUE(cache_->FrameAt(start + 40).has_value());
  EXPECT_EQ(cache_->FrameAt(start + 40)->compile_id, 78);
}

TEST_P(CodeCacheTest, NamesTheClassOfACompiledMethod) {
  const int one = 0, other = 0;
  const uintptr_t first = vm_->Add(0, 0, 4, "nmethod", 1, 6);
  const uintptr_t second = vm_->Add(0, 4, 4, "native nmethod", 2, 6);
  const uintptr_t third = vm_->Add(1, 0, 4, "nmethod", 3, 6);
  const uintptr_t nameless = vm_->Add(1, 4, 4, "nmethod", 4, 6);
  vm_->SetHolder(first, &one);
  vm_->SetHolder(second, &one);
  vm_->SetHolder(third, &other);
  const auto holder = [&](uintptr_t start) {
    return cache_->HolderOf(*cache_->FrameAt(start + 9));
  };
  EXPECT_EQ(holder(first), &one);
  EXPECT_EQ(holder(second), &one);
  EXPECT_EQ(holder(third), &other);
  EXPECT_EQ(holder(nameless), nullptr);
}

TEST_P(CodeCacheTest, FindsEveryCompilationInAllHeaps) {
  const int app = 0;
  const uintptr_t first = vm_->Add(0, 0, 4, "nmethod", 1, 6);
  vm_->Add(0, 4, 3, "Stub", 0, 6);
  vm_->Add(0, 7, 3, "native nmethod", 2, 6);
  const uintptr_t second = vm_->Add(0, 10, 600, "nmethod", 3, 6);
  const uintptr_t gone = vm_->Add(0, 610, 5, "nmethod", 4, 6);
  const uintptr_t behind_a_hole = vm_->Add(0, 700, 4, "nmethod", 5, 6);
  const uintptr_t last = vm_->Add(1, FakeCodeCache::kSegments - 4, 4, "nmethod", 6, 6);
  vm_->Free(gone);
  vm_->SetHolder(first, &app);
  vm_->SetCompilation(second, 3, 17, 0);
  vm_->SetCompilation(behind_a_hole, 1, -1, -1);
  vm_->SetCompilation(last, 2, -1, 1);

  std::vector<CodeCache::Compilation> found;
  cache_->ForEachCompilation([&](const auto& compilation) { found.push_back(compilation); });
  ASSERT_EQ(found.size(), 4u);
  const auto address = [](const char* blob) { return reinterpret_cast<uintptr_t>(blob); };
  EXPECT_EQ(address(found[0].nmethod), first);
  EXPECT_EQ(found[0].compile_id, 1);
  EXPECT_EQ(found[0].level, 4);
  EXPECT_FALSE(found[0].is_osr);
  EXPECT_TRUE(found[0].is_in_use);
  EXPECT_NE(found[0].method, nullptr);
  EXPECT_EQ(found[0].code_begin, first + FakeCodeCache::kCodeOffset);
  EXPECT_EQ(found[0].verified_entry, found[0].code_begin + FakeCodeCache::kVerifiedEntry);
  EXPECT_GT(found[0].code_end, found[0].verified_entry);
  EXPECT_EQ(address(found[1].nmethod), second);
  EXPECT_TRUE(found[1].is_osr);
  EXPECT_EQ(found[1].level, 3);
  EXPECT_EQ(address(found[2].nmethod), behind_a_hole);
  EXPECT_FALSE(found[2].is_in_use) << "it is being made";
  EXPECT_EQ(address(found[3].nmethod), last);
  EXPECT_FALSE(found[3].is_in_use) << "it is made not entrant";
}

TEST_P(CodeCacheTest, ABlockThatHasJustBeenTakenIsNoCompilation) {
  vm_->Add(0, 0, 4, nullptr, 1, 6);
  // What lay there before: bytes that look like a pointer, and lead nowhere.
  vm_->Add(0, 4, 4, reinterpret_cast<const char*>(uintptr_t{0x7f00deadbeef}), 2, 6);
  int found = 0;
  cache_->ForEachCompilation([&](const auto&) { ++found; });
  EXPECT_EQ(found, 0);
}

// Read while the VM changes it, anything may stand there.
TEST_P(CodeCacheTest, AHeapThatGrowsIsReadNoFurtherThanItsMap) {
  const uintptr_t first = vm_->Add(0, 3, 5, "nmethod", 77, 12);
  const uintptr_t last = vm_->Add(0, 100, 5, "nmethod", 78, 12);
  const auto ids = [&] {
    std::vector<int32_t> found;
    cache_->ForEachCompilation([&](const CodeCache::Compilation& compilation) {
      found.push_back(compilation.compile_id);
    });
    return found;
  };
  EXPECT_EQ(ids(), (std::vector<int32_t>{77, 78}));
  for (const size_t segments : {size_t{100}, size_t{104}}) {
    vm_->SetMapSegments(0, segments);
    EXPECT_EQ(ids(), (std::vector<int32_t>{77}));
    EXPECT_TRUE(cache_->FrameAt(first + 10).has_value());
    EXPECT_FALSE(cache_->FrameAt(vm_->SegmentAddress(0, 104) + 10).has_value());
  }
  vm_->SetMapSegments(0, 105);
  EXPECT_EQ(ids(), (std::vector<int32_t>{77, 78}));
  EXPECT_TRUE(cache_->FrameAt(last + 10).has_value());
}

TEST_P(CodeCacheTest, WhatHasChangedIsToldOnce) {
  CodeCache::Seen seen;
  const auto changed = [&] {
    std::vector<uintptr_t> blobs;
    cache_->ForEachChanged(
        seen, [&](const char* blob) { blobs.push_back(reinterpret_cast<uintptr_t>(blob)); });
    return blobs;
  };
  const auto id_in = [&](uintptr_t blob) {
    const auto found = cache_->CompilationIn(reinterpret_cast<const char*>(blob));
    return found ? found->compile_id : 0;
  };
  EXPECT_EQ(changed(), std::vector<uintptr_t>());
  const uintptr_t first = vm_->Add(0, 3, 5, "nmethod", 77, 12);
  const uintptr_t stub = vm_->Add(0, 8, 3, "Stub", 0, 12);
  const uintptr_t large = vm_->Add(1, 60, 600, "nmethod", 78, 12);
  EXPECT_EQ(changed(), (std::vector<uintptr_t>{first, stub, large}));
  EXPECT_EQ(changed(), std::vector<uintptr_t>());
  EXPECT_EQ(id_in(first), 77);
  EXPECT_EQ(id_in(stub), 0);
  EXPECT_EQ(id_in(large), 78);
  // One in the place of another, with the same length, and one that is shorter.
  EXPECT_EQ(vm_->Add(0, 3, 5, "nmethod", 79, 12), first);
  EXPECT_EQ(vm_->Add(1, 60, 400, "nmethod", 80, 12), large);
  const uintptr_t behind = vm_->Add(1, 460, 200, "nmethod", 81, 12);
  EXPECT_EQ(changed(), std::vector<uintptr_t>{behind});
  EXPECT_EQ(id_in(first), 79);
  // One that has taken the place of two.
  EXPECT_EQ(vm_->Add(1, 60, 600, "nmethod", 82, 12), large);
  EXPECT_EQ(changed(), std::vector<uintptr_t>{large});
  EXPECT_EQ(id_in(large), 82);
  EXPECT_EQ(id_in(behind), 0) << "within a block";
  vm_->Free(large);
  EXPECT_EQ(id_in(large), 0);
  const uintptr_t brief = vm_->Add(0, 20, 1, "nmethod", 83, 12);
  EXPECT_EQ(changed(), std::vector<uintptr_t>{brief});
  EXPECT_EQ(id_in(brief), 0) << "too short for a compilation";
  EXPECT_EQ(cache_->CompilationIn("elsewhere"), std::nullopt);
}

TEST_P(CodeCacheTest, ABlockTooShortForACompilationIsNone) {
  vm_->Add(0, 3, 1, "nmethod", 77, 12);
  int found = 0;
  cache_->ForEachCompilation([&](const CodeCache::Compilation&) { ++found; });
  EXPECT_EQ(found, 0);
}

TEST_P(CodeCacheTest, NonsenseInTheMapsLeadsNowhere) {
  const uintptr_t start = vm_->Add(0, 3, 5, "nmethod", 77, 12);
  vm_->SetDistance(0, 1, 2);
  EXPECT_FALSE(cache_->FrameAt(vm_->SegmentAddress(0, 1)).has_value()) << "before the heap's start";
  for (const int count : {-1, 0, 17, 1 << 30}) {
    vm_->SetHeapCount(count);
    EXPECT_FALSE(cache_->FrameAt(start).has_value()) << count;
  }
  vm_->SetHeapCount(2);
  for (const int log2 : {-1, 0, 3, 17, 64}) {
    vm_->SetSegmentSize(log2);
    EXPECT_FALSE(cache_->FrameAt(start).has_value()) << log2;
    EXPECT_FALSE(cache_->CompilationIn(reinterpret_cast<const char*>(start))) << log2;
    CodeCache::Seen seen;
    cache_->ForEachChanged(seen, [&](const char*) { ADD_FAILURE() << log2; });
  }
  vm_->SetSegmentSize(FakeCodeCache::kLog2Segment);
  EXPECT_TRUE(cache_->FrameAt(start).has_value());
}

TEST_P(CodeCacheTest, WhatIsMissingIsRefusedByName) {
  struct {
    const char *type, *field;
  } const needed[] = {
      {"CodeCache", "_heaps"},
      {"CodeCache", "_low_bound"},
      {"CodeCache", "_high_bound"},
      {GetParam() == Jdk::k11 ? "GenericGrowableArray" : "GrowableArrayBase", "_len"},
      {"GrowableArray<int>", "_data"},
      {"CodeHeap", "_memory"},
      {"CodeHeap", "_segmap"},
      {"CodeHeap", "_log2_segment_size"},
      {"VirtualSpace", "_low"},
      {"VirtualSpace", "_high"},
      {"HeapBlock", "_header"},
      {"HeapBlock::Header", "_used"},
      {"CodeBlob", "_name"},
      {"CodeBlob", "_size"},
      {"CodeBlob", "_frame_size"},
      {"nmethod", "_compile_id"},
      {"HeapBlock::Header", "_length"},
      {"nmethod", "_comp_level"},
      {"nmethod", "_entry_bci"},
      {"nmethod", "_state"},
      {"Method", "_constMethod"},
      {"ConstMethod", "_constants"},
      {"ConstantPool", "_pool_holder"}};
  for (const auto& [type, field] : needed) {
    const auto vm = std::make_unique<FakeCodeCache>(GetParam());
    vm->tables.RemoveField(type, field);
    const std::string name = std::string(type) + "::" + field;
    const std::string message(vm->Create().message());
    EXPECT_THAT(message, HasSubstr("lack " + name));
    EXPECT_THAT(message, Not(HasSubstr(", "))) << "only that is missing";
  }
}

TEST(CodeCacheOfAnUnknownVmTest, AllThatIsMissingIsListed) {
  LayoutTables tables;
  tables.AddField("Unrelated", "_field", 8);
  const Result<VmStructs> structs = tables.Read();
  ASSERT_TRUE(structs.ok());
  const std::string message(CodeCache::Create(*structs).message());
  for (const std::string name : {"CodeCache::_heaps, ", "nmethod::_compile_id, ",
                                 "nmethod::_deopt_handler_offset, ", ", HeapBlock"}) {
    EXPECT_THAT(message, HasSubstr(name));
  }
}

}  // namespace
}  // namespace yp::hotspot
