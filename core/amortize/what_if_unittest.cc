#include "core/amortize/what_if.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "base/time_test_util.h"
#include "core/amortize/ledger_for_test.h"

namespace yp {
namespace {

// Fifty methods alike: interpreted, ten times as fast at level 3, four times as fast again at level
// 4, which took 3 and 30 ms to compile.
class WhatIfTest : public testing::Test {
 protected:
  WhatIfTest() {
    executions_.unit_ns = kUnitNs;
    for (int i = 0; i < 50; ++i) {
      const std::string name = "m" + std::to_string(i);
      Compile(name, 2 * i + 1, 3, 10, 13);
      const JitMethodId m = Compile(name, 2 * i + 2, 4, 50, 80);
      Executed(m, 0, 20, 100);             // 0.2 ms each,
      Executed(m, 2 * i + 1, 20, 1000);    // 0.02 ms,
      Executed(m, 2 * i + 2, 50, 10'000);  // 0.005 ms.
    }
  }
  JitMethodId Compile(const std::string& method, int64_t id, int32_t level, int64_t start_ms,
                      int64_t end_ms, bool is_osr = false) {
    JitCompilation compilation;
    compilation.compile_id = id;
    compilation.method = {method, "app"};
    compilation.level = level;
    compilation.is_osr = is_osr;
    compilation.start_ns = start_ms * 1'000'000;
    compilation.end_ns = end_ms * 1'000'000;
    log_.On(std::move(compilation));
    return log_.Intern({method, "app"});
  }
  void Executed(JitMethodId method, int64_t id, double time_ms, double calls) {
    executions_.versions[{method, id}] = {{time_ms * kMs / kUnitNs, Calls::Counted(calls)}, {}};
  }
  JitMethodId Id(const std::string& method) { return log_.Intern({method, "app"}); }
  WhatIf Of(const std::string& method) {
    const Ledger ledger = MakeLedger(log_, kRunNs, executions_);
    for (const WhatIfOfMethod& what : WhatIfOfEach(log_, kRunNs, executions_, *ledger.model)) {
      if (what.method == Id(method)) return what;
    }
    ADD_FAILURE() << method;
    return {};
  }
  WhatIf OfAll(const std::set<std::string>& methods) {
    const Ledger ledger = MakeLedger(log_, kRunNs, executions_);
    std::set<JitMethodId> ids;
    for (const std::string& method : methods) ids.insert(Id(method));
    return WhatIfOfAll(ids, log_, kRunNs, executions_, *ledger.model);
  }
  void Inlined(std::initializer_list<std::string> path, double time_ms) {
    InlinedExecution inlined;
    for (const std::string& method : path) inlined.path.push_back(Id(method));
    inlined.samples = time_ms * kMs / kUnitNs;
    executions_.inlined.push_back(inlined);
  }

  JitLog log_;
  Executions executions_;
};

TEST_F(WhatIfTest, CallsWouldTakeTheTimeOfTheOtherVersion) {
  const WhatIf what = Of("m7");
  EXPECT_NEAR(what.time_ns, 90 * kMs, kMs);
  EXPECT_NEAR(what.compile_ns, 33 * kMs, 1);
  // 1000 calls of 0.18 ms more and 10,000 of 0.195; no compilation.
  EXPECT_NEAR(what.By("never").value, (33 - 180 - 1950) * kMs, 30 * kMs);
  EXPECT_LT(what.By("never").high, 0);
  // 100 calls of 0.195 ms less, 1000 of 0.015; the first compilation is spared.
  EXPECT_NEAR(what.By("at-once").value, (3 + 19.5 + 15) * kMs, 2 * kMs);
  EXPECT_GT(what.By("at-once").low, 0);
}

TEST_F(WhatIfTest, Level1IsBetweenLevel3And4AndLessCertain) {
  const WhatIf what = Of("m7");
  // At level 3 it had been 150 ms more for 30 ms of compilation; level 1 is somewhat faster.
  EXPECT_LT(what.By("level-1").value, 0);
  EXPECT_GT(what.By("level-1").value, -120 * kMs);
  EXPECT_GT(what.By("level-1").high - what.By("level-1").low, 20 * kMs);
}

TEST_F(WhatIfTest, KeptFromC2WhatItNeverMadeStaysAsItWas) {
  const JitMethodId m = Compile("early", 1001, 3, 10, 13);
  Executed(m, 0, 20, 100);
  Executed(m, 1001, 20, 1000);
  EXPECT_EQ(Of("early").By("level-1"), Uncertain());
}

// The code was thrown away, and what came then would not have been there.
TEST_F(WhatIfTest, WhatCameAfterC2sFirstCodeIsSparedAsWell) {
  const double without = Of("m7").By("level-1").value;
  Compile("m7", 1001, 3, 100, 105);
  Compile("m7", 1002, 4, 200, 240);
  Executed(Id("m7"), 1001, 10, 500);
  EXPECT_NEAR(Of("m7").By("level-1").value - without, (5 + 40 - 0.6 * 2 + 10 * 0.375) * kMs,
              2 * kMs);
}

TEST_F(WhatIfTest, WhatWasHardlyCalledWouldHaveSavedItsCompilation) {
  const JitMethodId m = Compile("rare", 1001, 3, 10, 13);
  Compile("rare", 1002, 4, 50, 80);
  Compile("rare", 1003, 4, 80, 85, true);
  Executed(m, 0, 0.1, 1);
  Executed(m, 1001, 0.1, 10);
  Executed(m, 1002, 0.1, 20);
  const WhatIf what = Of("rare");
  EXPECT_NEAR(what.compile_ns, 38 * kMs, 1);
  EXPECT_GT(what.By("never").low, 25 * kMs);
  EXPECT_NEAR(what.By("level-1").value, (35 - 0.6 * 3) * kMs, 2 * kMs);
  EXPECT_GT(what.By("level-1").low, 25 * kMs);
  EXPECT_NEAR(what.By("at-once").value, 8 * kMs, 0.5 * kMs);
}

TEST_F(WhatIfTest, WithoutC1ItIsInterpretedUntilC2sCodeIsThere) {
  const WhatIf what = Of("m7");
  // Level 3's compilation of 3 ms is spared, and its 1000 calls take 0.18 ms more.
  EXPECT_NEAR(what.By("no-c1").value, (3 - 180) * kMs, 10 * kMs);
  EXPECT_LT(what.By("no-c1").high, 0);
  // What C2 never compiled is never compiled.
  const JitMethodId m = Compile("early", 1001, 3, 10, 13);
  Compile("early", 1002, 3, 13, 15, true);
  Executed(m, 0, 20, 100);
  Executed(m, 1001, 20, 1000);
  EXPECT_EQ(Of("early").By("no-c1"), Of("early").By("never"));
  EXPECT_NEAR(Of("early").By("no-c1").value, (5 - 180) * kMs, 10 * kMs);
}

// Of m3's 20 ms in m1's code, m4 took 8: without C2 all had been executed at level
// 1, at 1.6 / 4 of its speed; interpreted, only m3's own 12, at a fortieth.
TEST_F(WhatIfTest, WhatOthersHaveInlinedWouldHaveRunAtThatLevelToo) {
  const WhatIf alone = Of("m3"), whole = Of("m1");
  Inlined({"m1"}, 1000);
  Inlined({"m1", "m3"}, 12);
  Inlined({"m1", "m3", "m4"}, 8);
  Inlined({"m3", "m3"}, 500);  // Its own code, and its own bytecodes.
  const WhatIf what = Of("m3");
  EXPECT_NEAR(alone.By("never").value - what.By("never").value, 12 * 39 * kMs, 40 * kMs);
  EXPECT_NEAR(alone.By("level-1").value - what.By("level-1").value, 20 * 1.5 * kMs, 5 * kMs);
  EXPECT_EQ(alone.By("at-once"), what.By("at-once"));
  EXPECT_EQ(alone.time_ns, what.time_ns);
  EXPECT_NEAR(Of("m5").By("level-1").value - Of("m4").By("level-1").value, 8 * 1.5 * kMs, 3 * kMs);
  EXPECT_EQ(whole.By("level-1"), Of("m1").By("level-1"));
}

TEST_F(WhatIfTest, OfAMethodThatRanInItsLoopsNothingIsSaid) {
  const JitMethodId m = Compile("main", 1001, 3, 50, 51);
  executions_.versions[{m, 1001}] = {{50 * kMs / kUnitNs, std::nullopt}, {}, true};
  EXPECT_EQ(OfAll({"main"}).time_ns, 0);
  EXPECT_EQ(OfAll({"main", "m1"}).time_ns, OfAll({"m1"}).time_ns);
}

// Of 50 ms of its code it has 20 inlined: 30 become forty times as many, as those of others do.
TEST_F(WhatIfTest, WhatAMethodHasInlinedWouldNotHaveBeenInterpreted) {
  const JitMethodId m = Compile("unseen", 1001, 4, 50, 80);
  executions_.versions[{m, 1001}] = {{50 * kMs / kUnitNs, std::nullopt}, {}};
  const WhatIf without = Of("unseen");
  Inlined({"unseen", "m4"}, 20);
  const WhatIf with = Of("unseen");
  EXPECT_NEAR(without.By("never").value, (30 - 50 * 39) * kMs, 250 * kMs);
  EXPECT_NEAR(with.By("never").value, (30 - 30 * 39) * kMs, 150 * kMs);
  EXPECT_EQ(with.By("level-1"), without.By("level-1"));
}

TEST_F(WhatIfTest, ManyTogetherAreTheSumWhereNoneHasInlinedAnother) {
  const WhatIf one = Of("m1"), all = OfAll({"m1", "m2", "m3"});
  EXPECT_NEAR(all.time_ns, 3 * one.time_ns, 1);
  EXPECT_NEAR(all.compile_ns, 3 * one.compile_ns, 1);
  EXPECT_NEAR(all.By("never").value, 3 * one.By("never").value,
              0.1 * std::abs(all.By("never").value));
  // A mean, and its distribution is skewed.
  EXPECT_LT(all.By("level-1").value, 3 * one.By("level-1").value);
  EXPECT_GT(all.By("level-1").value, 4.5 * one.By("level-1").value);
  EXPECT_NEAR(all.By("at-once").value, 3 * one.By("at-once").value, 0.1 * all.By("at-once").value);
  // How fast level 1 is, is not known better of three than of one.
  const double width = one.By("level-1").high - one.By("level-1").low;
  EXPECT_GT(all.By("level-1").high - all.By("level-1").low, 1.8 * width);
}

TEST_F(WhatIfTest, WhatOneOfThemHasInlinedOfAnotherCountsOnce) {
  const WhatIf without = OfAll({"m1", "m2"});
  Inlined({"m1", "m2"}, 10);
  EXPECT_EQ(OfAll({"m1", "m2"}).By("level-1"), without.By("level-1")) << "m1's code is m1's";
  Inlined({"m9", "m1", "m2"}, 100);
  const WhatIf both = OfAll({"m1", "m2"});
  EXPECT_NEAR(without.By("level-1").value - both.By("level-1").value, 100 * 1.5 * kMs, 50 * kMs);
  // Interpreted, both parts are m2's.
  EXPECT_NEAR(Of("m3").By("never").value - Of("m2").By("never").value, 110 * 39 * kMs, 400 * kMs);
}

TEST_F(WhatIfTest, WhatWasNeverCompiledIsNotThere) {
  JitCompilation failed;
  failed.compile_id = 2001;
  failed.method = {"failed", "app"};
  failed.succeeded = false;
  log_.On(failed);
  const Ledger ledger = MakeLedger(log_, kRunNs, executions_);
  EXPECT_EQ(WhatIfOfEach(log_, kRunNs, executions_, *ledger.model).size(), 50u);
}

}  // namespace
}  // namespace yp
