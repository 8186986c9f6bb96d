#include "compiler/runtime/leaf_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "compiler/install/test_store_for_test.h"
#include "compiler/x64/executable_for_test.h"

namespace yp::compiler {
namespace {

using enum x64::Reg;
using enum x64::Width;
using testing::ElementsAre;

// As a test calls the code: six integers, each with rubbish in the upper half where it is an int.
constexpr int64_t Int(int32_t value) {
  return int64_t{0x7fff} << 32 | static_cast<uint32_t>(value);
}

int64_t taken[5];

int64_t Take(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
  const int64_t all[] = {a, b, c, d, e};
  std::memcpy(taken, all, sizeof taken);
  return Int(-7);
}

// What the function has taken, and what it has given in the end.
std::vector<int64_t> Call(Leaf leaf, const std::vector<int64_t>& inputs, Kind result) {
  VmLayout vm = *VmLayout::From(ReadTestStore("../install/testdata/jdk17.txt"));
  vm.array_base['B'] = 100;
  vm.array_base['I'] = 1000;
  vm.array_base['J'] = 10'000;
  vm.leaves[static_cast<size_t>(leaf)] = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(&Take));
  x64::Assembler a;
  SiteWriter sites(vm);
  HeapCode heap(a, sites, vm);
  a.Push(rbx);  // The stack is aligned.
  EmitLeafCall(a, heap, vm, leaf, result);
  a.Pop(rbx);
  a.Return();
  const x64::Executable<int64_t(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)> function(
      a.TakeCode());
  std::vector<int64_t> in = inputs;
  in.resize(6);
  std::vector<int64_t> all = {function(in[0], in[1], in[2], in[3], in[4], in[5])};
  size_t arguments = 0;
  for (const LeafArgument argument : FunctionOf(leaf).arguments) {
    arguments += argument == LeafArgument::kNone ? 0 : 1;
  }
  all.insert(all.begin(), taken, taken + arguments);
  return all;
}

TEST(LeafCode, GivesTheAddressOfAnElementAndALength) {
  const int64_t array = 0x7'0000'0000;
  EXPECT_THAT(Call(Leaf::kCrc32, {Int(-5), array, Int(7), Int(300)}, Kind::kInt),
              ElementsAre(0xffff'fffb, array + 107, 300, 0xffff'fff9));
  EXPECT_THAT(Call(Leaf::kCrc32C, {Int(-5), array, Int(7), Int(300)}, Kind::kInt),
              ElementsAre(0xffff'fffb, array + 107, 293, 0xffff'fff9));
}

TEST(LeafCode, GivesTheSumOfAnAddressAndAnOffset) {
  const int64_t address = 0x7fff'0000'0000;
  EXPECT_THAT(Call(Leaf::kAdler32OfMemory, {1, address, Int(-3), Int(9)}, Kind::kInt),
              ElementsAre(1, address - 3, 9, 0xffff'fff9));
  EXPECT_THAT(Call(Leaf::kMismatch, {address, 16, 0, address + 8, Int(5), Int(2)}, Kind::kInt),
              ElementsAre(address + 16, address + 8, 5, 2, 0xffff'fff9));
}

TEST(LeafCode, GivesFirstElementsByTheirType) {
  const int64_t array = 0x7'0000'0000;
  EXPECT_THAT(Call(Leaf::kShiftLeft, {array, array + 8, Int(1), Int(2), Int(3)}, Kind::kDead),
              ElementsAre(array + 1000, array + 1008, 1, 2, 3, Int(-7)));
  EXPECT_THAT(Call(Leaf::kSha256, {array, Int(64), array + 8}, Kind::kDead),
              ElementsAre(array + 164, array + 1008, Int(-7)));
  EXPECT_THAT(Call(Leaf::kSha512, {array, Int(64), array + 8}, Kind::kDead),
              ElementsAre(array + 164, array + 10'008, Int(-7)));
}

TEST(LeafCode, KeepsAllOfALong) {
  EXPECT_THAT(Call(Leaf::kNanoTime, {}, Kind::kLong), ElementsAre(Int(-7)));
}

}  // namespace
}  // namespace yp::compiler
