#include "hotspot/probes/barrier/barrier_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "hotspot/vmstructs/code_heap_for_test.h"

namespace yp::hotspot {
namespace {

TEST(BarrierProbeTest, ARefusedProbeDoesNothing) {
  const auto vm = std::make_unique<FakeCodeCache>(FakeCodeCache::Jdk::k25);
  const Result<CodeCache> cache = vm->Create();
  ASSERT_TRUE(cache.ok()) << cache.message();
  int begun = 0;
  BarrierProbe probe(*cache, {.jdk = 26, .begin_counting = [&] { ++begun; }});
  probe.Arm(1, Arming::Countdown::kBegins);  // Never installed.
  probe.Disarm();
  const Status status = probe.Install(nullptr);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("26"));
  probe.Arm(1, Arming::Countdown::kBegins);
  probe.Maintain();
  probe.Disarm();
  probe.Remove(nullptr);
  probe.Remove(nullptr);
  EXPECT_EQ(begun, 0);
  EXPECT_STREQ(probe.name(), "barrier");
}

TEST(BarrierProbeTest, GivesUpWhereMoreThanTheOddEntryIsUnknown) {
  EXPECT_FALSE(BarrierProbe::IsTooMuch(1000, 0));
  EXPECT_TRUE(BarrierProbe::IsTooMuch(1001, 0));
  EXPECT_TRUE(BarrierProbe::IsTooMuch(1001, 100'000));
  EXPECT_FALSE(BarrierProbe::IsTooMuch(1001, 100'100));
  EXPECT_FALSE(BarrierProbe::IsTooMuch(100'000, 10'000'000));
  EXPECT_TRUE(BarrierProbe::IsTooMuch(100'001, 10'000'000));
}

}  // namespace
}  // namespace yp::hotspot
