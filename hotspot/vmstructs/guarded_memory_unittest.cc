#include "hotspot/vmstructs/guarded_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "format/spool/spool_test_util.h"

namespace yp::hotspot {
namespace {

using Way = GuardedMemory::Way;

// Three pages: bytes that count up, then whatever a test makes of the second and the third.
class GuardedMemoryTest : public ::testing::TestWithParam<Way> {
 protected:
  GuardedMemoryTest() {
    Result<GuardedMemory> created = GuardedMemory::Create(GetParam());
    EXPECT_TRUE(created.ok()) << created.message();
    if (created) memory_.emplace(*std::move(created));
    pages_ = static_cast<uint8_t*>(
        mmap(nullptr, 3 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::iota(pages_, pages_ + 3 * page_, uint8_t{0});
  }
  ~GuardedMemoryTest() override { munmap(pages_, 3 * page_); }

  void Unmap(int page) { munmap(pages_ + static_cast<size_t>(page) * page_, page_); }

  const size_t page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  uint8_t* pages_ = nullptr;
  std::optional<GuardedMemory> memory_;
};

INSTANTIATE_TEST_SUITE_P(Ways, GuardedMemoryTest,
                         ::testing::Values(Way::kMemoryFile, Way::kReadv, Way::kProcMem),
                         [](const auto& way) {
                           return way.param == Way::kMemoryFile ? "MemoryFile"
                                  : way.param == Way::kReadv    ? "Readv"
                                                                : "ProcMem";
                         });

TEST_P(GuardedMemoryTest, ReadsWhatIsMapped) {
  std::vector<uint8_t> bytes(2 * page_);
  ASSERT_TRUE(memory_->Read(pages_ + 100, bytes.data(), bytes.size())) << "over a page's end";
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), pages_ + 100));
  EXPECT_EQ(memory_->Get<uint16_t>(pages_ + 8, -6), 0x0302);
  EXPECT_TRUE(memory_->Read(pages_, bytes.data(), 0));
}

TEST_P(GuardedMemoryTest, AnUnmappedPageIsNotRead) {
  Unmap(1);
  std::vector<uint8_t> bytes(3 * page_);
  EXPECT_TRUE(memory_->Read(pages_ + page_ - 8, bytes.data(), 8)) << "up to its edge";
  EXPECT_FALSE(memory_->Read(pages_ + page_ - 4, bytes.data(), 8)) << "over its edge";
  EXPECT_FALSE(memory_->Read(pages_ + page_, bytes.data(), 1));
  EXPECT_FALSE(memory_->Read(pages_ + 2 * page_ - 1, bytes.data(), 2)) << "out of it";
  EXPECT_TRUE(memory_->Read(pages_ + 2 * page_, bytes.data(), page_)) << "behind it";
  EXPECT_FALSE(memory_->Read(pages_, bytes.data(), bytes.size())) << "across it";
}

// By /proc/self/mem the kernel shows it to its owner.
TEST_P(GuardedMemoryTest, AProtectedPageDoesNoHarm) {
  ASSERT_EQ(mprotect(pages_ + page_, page_, PROT_NONE), 0);
  const std::optional<uint32_t> word = memory_->Get<uint32_t>(pages_, static_cast<int64_t>(page_));
  if (GetParam() != Way::kProcMem) {
    EXPECT_FALSE(word.has_value());
  }
  EXPECT_EQ(memory_->Get<uint32_t>(pages_, 0), 0x03020100U);
}

TEST_P(GuardedMemoryTest, AddressesThatCannotBeAreNotRead) {
  uint64_t word = 0;
  for (const uintptr_t address :
       {uintptr_t{0}, uintptr_t{8}, ~uintptr_t{0}, ~uintptr_t{0} - 7, uintptr_t{1} << 63,
        uintptr_t{0xdead'beef'0000'0000}, uintptr_t{0x0000'7fff'ffff'fff8}}) {
    EXPECT_FALSE(memory_->Read(reinterpret_cast<const void*>(address), &word, sizeof(word)))
        << address;
  }
}

TEST_P(GuardedMemoryTest, EachPieceOfABatchIsReadOrNot) {
  Unmap(1);
  std::vector<uint64_t> words(1000, 0);
  std::vector<GuardedMemory::Piece> pieces;
  for (size_t i = 0; i < words.size(); ++i) {
    // Every seventh lies in the unmapped page, some one after the other.
    const size_t page = i % 7 == 3 || i % 49 == 4 ? 1 : i % 2 * 2;
    pieces.push_back({.from = pages_ + page * page_ + i, .to = &words[i], .bytes = 8});
  }
  pieces.back().from = pages_ + page_;
  memory_->ReadEach(pieces);
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto from = static_cast<size_t>(static_cast<const uint8_t*>(pieces[i].from) - pages_);
    const bool is_mapped = from / page_ != 1;
    ASSERT_EQ(pieces[i].is_read, is_mapped) << i;
    if (is_mapped) {
      ASSERT_EQ(words[i] & 0xff, from & 0xff) << i;
    }
  }
  memory_->ReadEach({});
}

// As where an object is gone and a symbol is read for a pointer: the kernel may look at all
// addresses of a batch before it reads any.
TEST_P(GuardedMemoryTest, AnAddressThatCannotBeLeavesTheOthersOfItsBatch) {
  std::vector<uint64_t> words(300, 0);
  std::vector<GuardedMemory::Piece> pieces;
  for (size_t i = 0; i < words.size(); ++i) {
    pieces.push_back({.from = pages_ + i, .to = &words[i], .bytes = 8});
  }
  const std::vector<std::pair<size_t, uintptr_t>> bad = {{0, ~uintptr_t{0}},
                                                         {20, uintptr_t{1} << 63},
                                                         {21, uintptr_t{0xdead'beef'0000'0000}},
                                                         {255, 8},
                                                         {299, (uintptr_t{1} << 47) - 4}};
  for (const auto& [i, address] : bad) pieces[i].from = reinterpret_cast<const void*>(address);
  memory_->ReadEach(pieces);
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool is_bad = std::ranges::count(bad, i, &std::pair<size_t, uintptr_t>::first) > 0;
    ASSERT_EQ(pieces[i].is_read, !is_bad) << i;
  }
}

TEST_P(GuardedMemoryTest, CanBeMoved) {
  GuardedMemory moved = *std::move(memory_);
  EXPECT_EQ(moved.Get<uint8_t>(pages_, 5), 5);
  *memory_ = std::move(moved);
  EXPECT_EQ(memory_->Get<uint8_t>(pages_, 6), 6);
}

TEST_P(GuardedMemoryTest, WhatIsLargerThanAnyWindowIsReadAsWell) {
  std::vector<uint64_t> many(200'000), copy(many.size());
  std::iota(many.begin(), many.end(), 1);
  const size_t bytes = many.size() * sizeof(many[0]);
  ASSERT_TRUE(memory_->Read(many.data(), copy.data(), bytes));
  EXPECT_EQ(copy, many);
  std::ranges::fill(copy, 0);
  std::vector<GuardedMemory::Piece> pieces{
      {.from = many.data(), .to = copy.data(), .bytes = 8},
      {.from = many.data() + 1, .to = copy.data() + 1, .bytes = bytes - 16},
      {.from = &many.back(), .to = &copy.back(), .bytes = 8}};
  memory_->ReadEach(pieces);
  EXPECT_EQ(copy, many);
}

// The number of our file in memory.
int NumberOfOurs() {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(entry.path(), error);
    if (target.string().find("memfd:yieldpoint") != std::string::npos) {
      return std::stoi(entry.path().filename());
    }
  }
  return -1;
}

// As a program does that closes all files that it does not know.
TEST(GuardedMemory, AFileUnderOurNumberThatIsNotOursIsLeftAlone) {
  FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const int theirs = fileno(file);
  int number = -1;
  {
    const GuardedMemory memory = *GuardedMemory::Create(Way::kMemoryFile);
    number = NumberOfOurs();
    ASSERT_GE(number, 0);
    ASSERT_EQ(dup2(theirs, number), number);
    const uint64_t word = 7;
    EXPECT_EQ(memory.Get<uint64_t>(&word, 0), word) << "in another way";
    EXPECT_EQ(lseek(theirs, 0, SEEK_END), 0);
  }
  EXPECT_GE(fcntl(number, F_GETFD), 0) << "it is not ours to close";
  close(number);
  std::fclose(file);
}

TEST(GuardedMemory, WhereFilesMayNotBeWrittenThereIsAnotherWay) {
  const uint64_t word = 7;
  const GuardedMemory earlier = *GuardedMemory::Create(Way::kMemoryFile);
  bool has_file = true;
  std::optional<uint64_t> read, read_by_earlier;
  {
    const spool::FileSizeLimit limit;
    has_file = GuardedMemory::Create(Way::kMemoryFile).ok();
    if (const Result<GuardedMemory> memory = GuardedMemory::Create()) {
      read = memory.value().Get<uint64_t>(&word, 0);
    }
    read_by_earlier = earlier.Get<uint64_t>(&word, 0);
  }
  EXPECT_FALSE(has_file);
  EXPECT_EQ(read, word);
  EXPECT_EQ(read_by_earlier, word) << "a limit that came later";
}

TEST(GuardedMemory, SomeWayWorksHere) { EXPECT_TRUE(GuardedMemory::Create().ok()); }

}  // namespace
}  // namespace yp::hotspot
