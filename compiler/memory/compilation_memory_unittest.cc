#include "compiler/memory/compilation_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace yp::compiler {
namespace {

// Of which each byte says which object it is of.
struct Filled {
  void* place = nullptr;
  size_t bytes = 0;
  uint8_t with = 0;

  static Filled Take(size_t bytes, uint8_t with) {
    Filled object{CompilationMemory::Take(bytes), bytes, with};
    if (object.place != nullptr) std::memset(object.place, with, bytes);
    return object;
  }
  bool IsWhole() const {
    const auto* const begin = static_cast<const uint8_t*>(place);
    return std::all_of(begin, begin + bytes, [this](uint8_t byte) { return byte == with; });
  }
};

TEST(CompilationMemory, GivesNothingOutsideAScopeAndNothingLarge) {
  EXPECT_EQ(CompilationMemory::Take(16), nullptr);
  const CompilationMemory::Scope scope;
  EXPECT_EQ(CompilationMemory::Take(CompilationMemory::kMostBytes + 1), nullptr);
  void* const largest = CompilationMemory::Take(CompilationMemory::kMostBytes);
  EXPECT_NE(largest, nullptr);
  EXPECT_TRUE(CompilationMemory::Give(largest));
}

TEST(CompilationMemory, KnowsWhatIsNotItsOwn) {
  const CompilationMemory::Scope scope;
  void* const own = std::malloc(16);
  int on_stack = 0;
  EXPECT_FALSE(CompilationMemory::Give(own));
  EXPECT_FALSE(CompilationMemory::Give(&on_stack));
  EXPECT_FALSE(CompilationMemory::Give(nullptr));
  EXPECT_FALSE(CompilationMemory::Give(reinterpret_cast<void*>(uintptr_t{64})));
  std::free(own);
}

TEST(CompilationMemory, ObjectsOfAllSizesAreApartAndAligned) {
  const CompilationMemory::Scope scope;
  std::vector<Filled> objects;
  for (int round = 0; round < 3; ++round) {
    for (size_t bytes = 0; bytes <= CompilationMemory::kMostBytes; bytes += bytes < 600 ? 1 : 61) {
      objects.push_back(Filled::Take(bytes, static_cast<uint8_t>(objects.size() * 37)));
      ASSERT_NE(objects.back().place, nullptr) << bytes;
      ASSERT_EQ(reinterpret_cast<uintptr_t>(objects.back().place) % 16, 0u) << bytes;
    }
    // Every other one of the last is given back, and its place used again.
    std::vector<Filled> kept;
    for (size_t i = 0; i < objects.size(); ++i) {
      ASSERT_TRUE(objects[i].IsWhole()) << objects[i].bytes;
      if (i % 2 == 0) {
        kept.push_back(objects[i]);
      } else {
        ASSERT_TRUE(CompilationMemory::Give(objects[i].place));
      }
    }
    objects = kept;
  }
  for (const Filled& object : objects) {
    ASSERT_TRUE(object.IsWhole()) << object.bytes;
    ASSERT_TRUE(CompilationMemory::Give(object.place));
  }
}

TEST(CompilationMemory, UsesPlacesAgain) {
  const CompilationMemory::Scope scope;
  void* const first = CompilationMemory::Take(40);
  CompilationMemory::Give(first);
  EXPECT_EQ(CompilationMemory::Take(33), first);
  CompilationMemory::Give(first);
}

TEST(CompilationMemory, ScopesWithinAnotherAreOne) {
  const CompilationMemory::Scope outer;
  void* const before = CompilationMemory::Take(48);
  {
    const CompilationMemory::Scope inner;
    CompilationMemory::Give(before);
    EXPECT_EQ(CompilationMemory::Take(48), before);
  }
  CompilationMemory::Give(before);
  EXPECT_EQ(CompilationMemory::Take(48), before);
  CompilationMemory::Give(before);
}

TEST(CompilationMemory, BeginsEmptyWhereNothingOutlivesTheLastCompilation) {
  std::vector<void*> places[2];
  for (auto& of_round : places) {
    const CompilationMemory::Scope scope;
    for (int i = 0; i < 5000; ++i) of_round.push_back(CompilationMemory::Take(64));
    for (void* const place : of_round) CompilationMemory::Give(place);
  }
  std::sort(places[0].begin(), places[0].end());
  std::sort(places[1].begin(), places[1].end());
  EXPECT_EQ(places[0], places[1]);
}

TEST(CompilationMemory, WhatOutlivesACompilationStaysWhole) {
  std::optional<CompilationMemory::Scope> scope(std::in_place);
  Filled lasting = Filled::Take(100, 77);
  for (int round = 0; round < 3; ++round) {
    scope.emplace();
    std::vector<Filled> others;
    for (int i = 0; i < 2000; ++i) others.push_back(Filled::Take(100, 5));
    EXPECT_TRUE(lasting.IsWhole());
    for (const Filled& other : others) CompilationMemory::Give(other.place);
  }
  scope.reset();
  EXPECT_TRUE(CompilationMemory::Give(lasting.place));  // Outside a scope.
  scope.emplace();
  Filled again = Filled::Take(100, 6);
  EXPECT_EQ(again.place, lasting.place);  // The heap was empty: its first place.
  CompilationMemory::Give(again.place);
}

TEST(CompilationMemory, ReturnsToTheSystemWhatALargeCompilationTook) {
  constexpr size_t kBytes = 4096, kObjects = 4 * CompilationMemory::kKeptBytes / kBytes;
  std::vector<void*> places;
  {
    const CompilationMemory::Scope scope;
    for (size_t i = 0; i < kObjects; ++i) places.push_back(Filled::Take(kBytes, 1).place);
    for (void* const place : places) CompilationMemory::Give(place);
  }
  size_t resident = 0;
  for (void* const place : places) {
    unsigned char is_resident = 0;
    const uintptr_t page = (reinterpret_cast<uintptr_t>(place) + 4095) & ~uintptr_t{4095};
    ASSERT_EQ(mincore(reinterpret_cast<void*>(page), 1, &is_resident), 0);
    resident += (is_resident & 1) * kBytes;
  }
  EXPECT_LE(resident, CompilationMemory::kKeptBytes);
}

// Threads that compile give each other's objects back, in their scopes and outside.
TEST(CompilationMemory, ThreadsGiveBackWhatOthersTook) {
  std::mutex lock;
  std::deque<Filled> shared;
  const auto run = [&](unsigned seed) {
    for (int compilation = 0; compilation < 200; ++compilation) {
      std::optional<CompilationMemory::Scope> scope;
      if (seed % 3 != 0) scope.emplace();
      for (int i = 0; i < 100; ++i) {
        seed = seed * 1664525 + 1013904223;
        const Filled made = Filled::Take(seed >> 16 & 1023, static_cast<uint8_t>(seed >> 8));
        const std::lock_guard guard(lock);
        if (made.place != nullptr) shared.push_back(made);
        if (shared.size() < 300 && scope) continue;
        if (shared.empty()) continue;
        ASSERT_TRUE(shared.front().IsWhole());
        ASSERT_TRUE(CompilationMemory::Give(shared.front().place));
        shared.pop_front();
      }
      ++seed;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) threads.emplace_back(run, i);
  for (std::thread& thread : threads) thread.join();
  for (const Filled& left : shared)
    ASSERT_TRUE(left.IsWhole() && CompilationMemory::Give(left.place));
}

}  // namespace
}  // namespace yp::compiler
