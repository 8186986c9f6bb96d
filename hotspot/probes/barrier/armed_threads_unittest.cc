#include "hotspot/probes/barrier/armed_threads.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace yp::hotspot {
namespace {

constexpr size_t kDisplacement = 0x24;
int told = 0;

struct FakeThread {
  std::array<uint8_t, 64> bytes{};
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(bytes.data()); }
  uint8_t top() const { return bytes[kDisplacement + 3]; }
  // Whether all but the top byte are zero.
  bool rest_is_zero() const {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (i != kDisplacement + 3 && bytes[i] != 0) return false;
    }
    return true;
  }
};

class ArmedThreadsTest : public ::testing::Test {
 protected:
  ArmedThreadsTest() {
    told = 0;
    threads_.SetDisplacement(kDisplacement);
  }
  FakeThread a_, b_, c_;
  ArmedThreads threads_{[] { ++told; }};
};

TEST_F(ArmedThreadsTest, ArmingStoresOneByteOfEachThread) {
  threads_.Started(a_.address());
  threads_.Started(b_.address());
  threads_.Arm();
  EXPECT_EQ(a_.top(), 0x40);
  EXPECT_EQ(b_.top(), 0x40);
  EXPECT_EQ(c_.top(), 0);
  EXPECT_TRUE(a_.rest_is_zero());
  threads_.Disarm();
  threads_.Disarm();
  EXPECT_EQ(a_.top(), 0);
  EXPECT_EQ(b_.top(), 0);
  EXPECT_TRUE(b_.rest_is_zero());
}

TEST_F(ArmedThreadsTest, ThreadsThatStartWhileArmedAreArmedAndThoseThatEndedAreLeftAlone) {
  threads_.Arm();
  threads_.Started(a_.address());
  EXPECT_EQ(a_.top(), 0x40);
  threads_.Ended(a_.address());
  EXPECT_EQ(a_.top(), 0);
  a_.bytes.fill(0x11);  // Freed, and used for something else.
  threads_.Arm();
  threads_.Disarm();
  EXPECT_EQ(a_.top(), 0x11);
  threads_.Started(b_.address());
  EXPECT_EQ(b_.top(), 0) << "no longer armed";
}

TEST_F(ArmedThreadsTest, AThreadThatEndsWhileThreadsAreListedStaysOut) {
  threads_.BeginListing();
  threads_.Ended(a_.address());
  threads_.Ended(b_.address());
  threads_.Started(b_.address());  // Another thread in the same memory.
  const std::vector<uintptr_t> listed = {a_.address(), b_.address(), c_.address(), 0};
  threads_.Listed(listed);
  EXPECT_EQ(threads_.size(), 2u);
  threads_.Arm();
  EXPECT_EQ(a_.top(), 0);
  EXPECT_EQ(b_.top(), 0x40);
  EXPECT_EQ(c_.top(), 0x40);
}

TEST_F(ArmedThreadsTest, WithoutADisplacementNothingIsStored) {
  ArmedThreads never([] { ++told; });
  never.Started(a_.address());
  never.Arm();
  never.Disarm();
  EXPECT_EQ(a_.top(), 0);
  threads_.Started(b_.address());
  threads_.Arm();
  threads_.ForgetDisplacement();
  EXPECT_EQ(b_.top(), 0);
  threads_.Arm();
  threads_.Started(c_.address());
  threads_.Disarm();
  for (const FakeThread* thread : {&a_, &b_, &c_}) {
    EXPECT_EQ(thread->top(), 0);
    EXPECT_TRUE(thread->rest_is_zero());
  }
}

TEST_F(ArmedThreadsTest, ForgottenThreadsAreDisarmedFirst) {
  threads_.Started(a_.address());
  threads_.Arm();
  threads_.Clear();
  EXPECT_EQ(a_.top(), 0);
  EXPECT_EQ(threads_.size(), 0u);
}

TEST_F(ArmedThreadsTest, ANewGenerationBeginsOnlyWhereAByteIsStoredThatWasNotThere) {
  threads_.Started(a_.address());
  threads_.Started(b_.address());
  threads_.Arm();
  EXPECT_EQ(told, 1);
  threads_.Arm();
  EXPECT_EQ(told, 1);
  b_.bytes[kDisplacement + 3] = 0;  // A collector's phase.
  threads_.Arm();
  EXPECT_EQ(told, 2);
  EXPECT_EQ(b_.top(), 0x40);
}

TEST_F(ArmedThreadsTest, SeesWhetherTheVmUsesTheTopBytes) {
  threads_.Started(a_.address());
  threads_.Started(b_.address());
  a_.bytes[kDisplacement] = 0xff;
  EXPECT_TRUE(threads_.TopBytesAreZero(kDisplacement));
  b_.bytes[kDisplacement + 3] = 1;
  EXPECT_FALSE(threads_.TopBytesAreZero(kDisplacement));
}

TEST_F(ArmedThreadsTest, ThreadsComeAndGoWhileOthersArm) {
  std::atomic<bool> stop{false};
  std::thread arming([&] {
    while (!stop) {
      threads_.Arm();
      threads_.Disarm();
    }
  });
  std::atomic<int> wrong{0};
  std::vector<std::thread> lives;
  for (int i = 0; i < 2; ++i) {
    lives.emplace_back([&] {
      FakeThread thread;
      for (int j = 0; j < 20'000; ++j) {
        threads_.Started(thread.address());
        threads_.Ended(thread.address());
        // Whatever is there now is another's.
        thread.bytes[kDisplacement + 3] = 0x22;
        if (thread.top() != 0x22) ++wrong;
        thread.bytes[kDisplacement + 3] = 0;
      }
    });
  }
  for (std::thread& life : lives) life.join();
  stop = true;
  arming.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace yp::hotspot
