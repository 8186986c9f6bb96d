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

// More blocks than it has room for, so that it forgets some on the way.
TEST(GuardedBlocksTest, ReadsManyPiecesTogether) {
  const GuardedMemory memory = *GuardedMemory::Create();
  GuardedBlocks blocks(memory);
  std::mt19937_64 random(1);
  std::vector<uint64_t> words((24 << 20) / sizeof(uint64_t));
  for (size_t i = 0; i < words.size(); ++i) words[i] = i;
  for (int round = 0; round < 20; ++round) {
    std::vector<uint64_t> read(2000);
    std::vector<size_t> from;
    std::vector<GuardedMemory::Piece> pieces;
    for (uint64_t& word : read) {
      from.push_back(random() % words.size());
      pieces.push_back({.from = &words[from.back()], .to = &word, .bytes = sizeof(word)});
    }
    // A piece of several blocks, none at all, and what cannot be read.
    std::vector<uint64_t> many(5000);
    pieces.push_back({.from = &words[100], .to = many.data(), .bytes = many.size() * 8});
    pieces.push_back({.from = nullptr, .to = nullptr, .bytes = 0});
    uint64_t nowhere = 0;
    for (const uintptr_t bad : {uintptr_t{0}, uintptr_t{8}, ~uintptr_t{3}}) {
      pieces.push_back({.from = reinterpret_cast<const void*>(bad), .to = &nowhere, .bytes = 8});
    }
    blocks.ReadEach(pieces);
    for (size_t i = 0; i < read.size(); ++i) {
      ASSERT_TRUE(pieces[i].is_read);
      ASSERT_EQ(read[i], from[i]);
    }
    EXPECT_TRUE(pieces[2000].is_read);
    EXPECT_EQ(many.front(), 100U);
    EXPECT_EQ(many.back(), 5099U);
    EXPECT_TRUE(pieces[2001].is_read) << "nothing is read anywhere";
    for (size_t i = 2002; i < pieces.size(); ++i) EXPECT_FALSE(pieces[i].is_read) << i;
  }
}

TEST(GuardedBlocksTest, OnePieceMayNeedMoreThanThereIsRoomFor) {
  const GuardedMemory memory = *GuardedMemory::Create();
  GuardedBlocks blocks(memory);
  std::vector<uint64_t> words((24 << 20) / sizeof(uint64_t)), read(words.size());
  for (size_t i = 0; i < words.size(); ++i) words[i] = i;
  GuardedMemory::Piece whole{
      .from = words.data(), .to = read.data(), .bytes = words.size() * sizeof(words[0])};
  blocks.ReadEach({&whole, 1});
  EXPECT_TRUE(whole.is_read);
  EXPECT_EQ(read, words);
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
