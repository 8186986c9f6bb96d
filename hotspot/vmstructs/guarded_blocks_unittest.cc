#include "hotspot/vmstructs/guarded_blocks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <random>
#include <vector>

namespace yp::hotspot {
namespace {

TEST(GuardedBlocksTest, ReadsWhatIsThereWhereverItLies) {
  const GuardedMemory memory = *GuardedMemory::Create();
  GuardedBlocks blocks(memory);
  std::mt19937_64 random(1);
  std::vector<uint8_t> bytes(5 << 20);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  std::vector<uint8_t> read(5000);
  for (int round = 0; round < 5000; ++round) {
    const size_t size = random() % read.size();
    const size_t from = random() % (bytes.size() - size);
    ASSERT_TRUE(blocks.Read(&bytes[from], read.data(), size));
    ASSERT_TRUE(std::equal(read.begin(), read.begin() + static_cast<int64_t>(size),
                           bytes.begin() + static_cast<int64_t>(from)));
  }
}

TEST(GuardedBlocksTest, RemembersUntilItForgets) {
  const GuardedMemory memory = *GuardedMemory::Create();
  GuardedBlocks blocks(memory);
  int64_t word = 1;
  EXPECT_EQ(blocks.Get<int64_t>(&word, 0), 1);
  word = 2;
  EXPECT_EQ(blocks.Get<int64_t>(&word, 0), 1);
  blocks.Forget();
  EXPECT_EQ(blocks.Get<int64_t>(&word, 0), 2);
}

TEST(GuardedBlocksTest, WhatIsGoneIsNotRead) {
  const GuardedMemory memory = *GuardedMemory::Create();
  GuardedBlocks blocks(memory);
  auto* pages = static_cast<char*>(
      mmap(nullptr, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  munmap(pages + 4096, 4096);
  EXPECT_TRUE(blocks.Get<int64_t>(pages, 4088).has_value());
  EXPECT_FALSE(blocks.Get<int64_t>(pages, 4092).has_value()) << "over the edge";
  EXPECT_FALSE(blocks.Get<int64_t>(pages, 4096).has_value());
  EXPECT_FALSE(blocks.Get<int64_t>(nullptr, 0).has_value());
  EXPECT_FALSE(blocks.Get<int64_t>(nullptr, -8).has_value());
  EXPECT_FALSE(blocks.Get<int64_t>(nullptr, -4).has_value()) << "and round to null";
  munmap(pages, 4096);
}

}  // namespace
}  // namespace yp::hotspot
