// The fallbacks beside this machine's glibc, which has the functions.
#include "cmake/old_glibc/fallbacks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace yp::old_glibc {
namespace {

using ::testing::ElementsAre;

timespec FromNow(clockid_t clock, int64_t milliseconds) {
  timespec time{};
  clock_gettime(clock, &time);
  const int64_t nanoseconds = time.tv_nsec + milliseconds * 1'000'000;
  return {.tv_sec = time.tv_sec + nanoseconds / 1'000'000'000,
          .tv_nsec = nanoseconds % 1'000'000'000};
}

bool HasPassed(clockid_t clock, const timespec& time) {
  const timespec now = FromNow(clock, 0);
  return now.tv_sec > time.tv_sec || (now.tv_sec == time.tv_sec && now.tv_nsec >= time.tv_nsec);
}

class WaitUntilTest : public testing::Test {
 protected:
  WaitUntilTest() { pthread_mutex_lock(&mutex_); }
  ~WaitUntilTest() override { pthread_mutex_unlock(&mutex_); }

  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

TEST_F(WaitUntilTest, EndsAtTheDeadline) {
  for (const clockid_t clock : {CLOCK_MONOTONIC, CLOCK_REALTIME}) {
    const timespec deadline = FromNow(clock, 30);
    int result = 0;
    while (result == 0) result = WaitUntil(&condition_, &mutex_, clock, &deadline);
    EXPECT_EQ(result, ETIMEDOUT);
    EXPECT_TRUE(HasPassed(clock, deadline));
  }
}

TEST_F(WaitUntilTest, ADeadlineThatHasPassedEndsAtOnce) {
  const timespec deadline{};
  EXPECT_EQ(WaitUntil(&condition_, &mutex_, CLOCK_MONOTONIC, &deadline), ETIMEDOUT);
}

TEST_F(WaitUntilTest, ALongWaitComesBackBeforeItsDeadline) {
  const timespec deadline = FromNow(CLOCK_MONOTONIC, 3'600'000);
  EXPECT_EQ(WaitUntil(&condition_, &mutex_, CLOCK_MONOTONIC, &deadline), 0);
  const timespec never{.tv_sec = INT64_MAX, .tv_nsec = 999'999'999};
  EXPECT_EQ(WaitUntil(&condition_, &mutex_, CLOCK_MONOTONIC, &never), 0);
}

TEST_F(WaitUntilTest, IsWoken) {
  bool ready = false;
  std::thread other([&] {
    pthread_mutex_lock(&mutex_);
    ready = true;
    pthread_cond_signal(&condition_);
    pthread_mutex_unlock(&mutex_);
  });
  const timespec deadline = FromNow(CLOCK_MONOTONIC, 3'600'000);
  while (!ready) ASSERT_EQ(WaitUntil(&condition_, &mutex_, CLOCK_MONOTONIC, &deadline), 0);
  other.join();
}

TEST_F(WaitUntilTest, RefusesWhatIsNoTime) {
  const timespec deadline{.tv_sec = 1, .tv_nsec = 1'000'000'000};
  EXPECT_EQ(WaitUntil(&condition_, &mutex_, CLOCK_MONOTONIC, &deadline), EINVAL);
}

std::vector<int> destroyed;
void Destroy(void* number) { destroyed.push_back(*static_cast<int*>(number)); }

TEST(AtThreadExitTest, TheLastComesFirst) {
  static int numbers[] = {1, 2, 3};
  destroyed.clear();
  std::thread([] {
    for (int& number : numbers) EXPECT_EQ(AtThreadExit(Destroy, &number), 0);
    EXPECT_TRUE(destroyed.empty());
  }).join();
  EXPECT_THAT(destroyed, ElementsAre(3, 2, 1));
}

TEST(AtThreadExitTest, ADestructorMayAskForAnother) {
  static int number = 7;
  destroyed.clear();
  std::thread([] {
    EXPECT_EQ(
        AtThreadExit([](void* object) { EXPECT_EQ(AtThreadExit(Destroy, object), 0); }, &number),
        0);
  }).join();
  EXPECT_THAT(destroyed, ElementsAre(7));
}

TEST(FindObjectTest, FindsWhatGlibcFinds) {
  static const int data = 0;
  for (const void* address :
       {reinterpret_cast<const void*>(&HasPassed), reinterpret_cast<const void*>(&printf),
        static_cast<const void*>(&data)}) {
    dl_find_object ours{}, theirs{};
    ASSERT_EQ(FindObject(const_cast<void*>(address), &ours), 0);
    ASSERT_EQ(_dl_find_object(const_cast<void*>(address), &theirs), 0);
    EXPECT_EQ(ours.dlfo_eh_frame, theirs.dlfo_eh_frame);
    EXPECT_LE(ours.dlfo_map_start, address);
    EXPECT_GT(ours.dlfo_map_end, address);
  }
}

TEST(FindObjectTest, FindsNothingOutsideOfObjects) {
  int local = 0;
  dl_find_object found{};
  EXPECT_EQ(FindObject(&local, &found), -1);
  EXPECT_EQ(FindObject(nullptr, &found), -1);
}

}  // namespace
}  // namespace yp::old_glibc
