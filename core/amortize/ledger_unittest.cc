#include "core/amortize/ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/time_test_util.h"
#include "core/amortize/ledger_for_test.h"

namespace yp {
namespace {

class LedgerTest : public testing::Test {
 protected:
  // In milliseconds.
  JitMethodId Compile(const std::string& method, int64_t id, int32_t level, int64_t start_ms,
                      int64_t end_ms, bool succeeded = true, bool is_osr = false) {
    JitCompilation compilation;
    compilation.compile_id = id;
    compilation.method = {method, "app"};
    compilation.level = level;
    compilation.start_ns = start_ms * 1'000'000;
    compilation.end_ns = end_ms * 1'000'000;
    compilation.succeeded = succeeded;
    compilation.is_osr = is_osr;
    log_.On(std::move(compilation));
    return log_.Intern({method, "app"});
  }
  void Trap(int64_t id, int64_t time_ms) {
    JitDeoptimization trap;
    trap.compile_id = id;
    trap.time_ns = time_ms * 1'000'000;
    trap.action = "reinterpret";
    trap.method = {"inlined", "app"};
    log_.On(std::move(trap));
  }
  void Executed(JitMethodId method, int64_t id, double time_ms, double calls,
                std::vector<Period> periods = {}) {
    executions_.versions[{method, id}] = {{time_ms * kMs / kUnitNs, Calls::Counted(calls)},
                                          std::move(periods)};
  }
  Ledger Make() const { return MakeLedger(log_, kRunNs, executions_); }

  JitLog log_;
  Executions executions_{.unit_ns = kUnitNs, .versions = {}, .callees = {}};
};

TEST_F(LedgerTest, TellsWhetherC2WasAtWorkInTheEnd) {
  const auto compile = [this](int32_t level, const char* thread, double begin, double end) {
    JitCompilation compilation;
    compilation.method = {"busy", "app"};
    compilation.level = level;
    compilation.thread = thread;
    compilation.start_ns = static_cast<int64_t>(begin * kRunNs);
    compilation.end_ns = static_cast<int64_t>(end * kRunNs);
    log_.On(compilation);
  };
  EXPECT_EQ(Make().c2_busy, 0);
  compile(4, "C2 CompilerThread0", 0.1, 0.5);
  compile(3, "C1 CompilerThread0", 0.9, 1);
  EXPECT_EQ(Make().c2_busy, 0);
  compile(4, "C2 CompilerThread0", 0.85, 0.95);
  EXPECT_NEAR(Make().c2_busy, 0.5, 1e-9);
  compile(4, "C2 CompilerThread0", 0.97, 1.2);
  EXPECT_NEAR(Make().c2_busy, 0.8, 1e-9);
  compile(4, "C2 CompilerThread1", 0.98, 1);
  EXPECT_NEAR(Make().c2_busy, 0.5, 1e-9);
}

TEST_F(LedgerTest, VersionsAreComparedWithWhatTheOtherInlines) {
  const JitMethodId m = Compile("m", 1, 3, 10, 12);
  Compile("m", 2, 4, 50, 80);
  Executed(m, 1, 20, 1000);    // 0.02 ms, and 0.03 in what it calls,
  Executed(m, 2, 50, 10'000);  // which this one has inlined, but for another 0.001.
  executions_.callees[1] = {30 * kMs / kUnitNs, 10 * kMs / kUnitNs};
  const Ledger ledger = Make();
  ASSERT_EQ(ledger.recompilations.size(), 2u);
  const Recompilation& second = ledger.recompilations[1];
  ASSERT_TRUE(second.pay_off.has_value());
  EXPECT_NEAR(second.pay_off->before_ns->value, 0.05 * kMs, 0.001 * kMs);
  EXPECT_NEAR(second.pay_off->after_ns->value, 0.006 * kMs, 0.0001 * kMs);
  EXPECT_NEAR(second.pay_off->gain_ns.value, (500 - 60 - 30) * kMs, 5 * kMs);
  EXPECT_EQ(second.calls_after, (Uncertain{10'000, 10'000, 10'000}));
}

TEST_F(LedgerTest, EachVersionIsComparedWithTheOneBefore) {
  const JitMethodId m = Compile("m", 1, 3, 10, 12);
  Compile("m", 2, 4, 50, 80);
  Executed(m, 0, 10, 100);     // 0.1 ms each.
  Executed(m, 1, 20, 1000);    // 0.02 ms.
  Executed(m, 2, 50, 10'000);  // 0.005 ms.
  const Ledger ledger = Make();
  ASSERT_EQ(ledger.recompilations.size(), 2u);
  const Recompilation& first = ledger.recompilations[0];
  EXPECT_EQ(first.previous, std::nullopt);
  EXPECT_EQ(first.compilation, 0u);
  EXPECT_NEAR(first.pay_off->gain_ns.value, (100 - 20 - 2) * kMs, kMs);
  const Recompilation& second = ledger.recompilations[1];
  EXPECT_EQ(second.previous, 0u);
  EXPECT_NEAR(second.pay_off->gain_ns.value, (200 - 50 - 30) * kMs, kMs);
  EXPECT_EQ(ledger.Count(Verdict::kPaidOff), 2u);
  EXPECT_NEAR(ledger.compile_ns, 32 * kMs, 1);
}

// Of one method alone nobody knows what others would gain.
TEST_F(LedgerTest, TheWholeIsOfLevelsThatManyMethodsTell) {
  for (int i = 0; i < 50; ++i) {
    const JitMethodId m = Compile("m" + std::to_string(i), 2 * i + 1, 3, 10, 12);
    Compile("m" + std::to_string(i), 2 * i + 2, 4, 50, 80);
    Executed(m, 2 * i + 1, 20, 1000);
    Executed(m, 2 * i + 2, 50, 10'000);
    if (i == 0) {
      EXPECT_EQ(Make().gain_ns, Uncertain());
    }
  }
  const Ledger ledger = Make();
  ASSERT_EQ(ledger.speedups.size(), 1u);
  EXPECT_NEAR(std::exp(ledger.speedups.at({3, 4}).mean), 4, 0.3);
  EXPECT_NEAR(ledger.gain_ns.value, 50 * 120 * kMs, 50 * kMs);
  EXPECT_LT(ledger.gain_ns.low, ledger.gain_ns.value);
}

TEST_F(LedgerTest, CostsAreThoseOfAllCompilations) {
  Compile("m", 1, 4, 0, 5);
  Compile("m", 2, 4, 10, 17, false);
  Compile("m", 3, 4, 20, 31, true, true);
  Trap(1, 50);
  Compile("m", 4, 4, 60, 63);
  const Ledger ledger = Make();
  EXPECT_NEAR(ledger.compile_ns, (5 + 7 + 11 + 3) * kMs, 1);
  EXPECT_NEAR(ledger.failed_ns, 7 * kMs, 1);
  EXPECT_NEAR(ledger.loops_ns, 11 * kMs, 1);
  EXPECT_NEAR(ledger.not_entrant_ns, 5 * kMs, 1);
  ASSERT_EQ(ledger.recompilations.size(), 2u);
  EXPECT_TRUE(ledger.recompilations[0].was_made_not_entrant);
  EXPECT_FALSE(ledger.recompilations[1].was_made_not_entrant);
  EXPECT_EQ(ledger.recompilations[1].previous, std::nullopt) << "interpreted again";
}

TEST_F(LedgerTest, WhereNothingIsKnownNothingIsDecided) {
  Compile("m", 1, 4, 0, 5);
  executions_.unit_ns = 0;
  const Ledger ledger = Make();
  ASSERT_EQ(ledger.recompilations.size(), 1u);
  EXPECT_FALSE(ledger.recompilations[0].pay_off.has_value());
  EXPECT_EQ(ledger.Count(Verdict::kUndecided), 1u);
  EXPECT_EQ(ledger.gain_ns, Uncertain());
}

// The paper's matmult: faster code, and ever longer calls.
TEST_F(LedgerTest, CallsThatGrowAreFlaggedNotJudged) {
  const JitMethodId m = Compile("matmult", 1, 4, 100, 105);
  Executed(m, 0, 31, 5, {{1, 1, 0}, {1, 2, 0}, {1, 4, 0}, {1, 8, 0}, {1, 16, 0}});
  Executed(m, 1, 992, 5, {{1, 32, 0}, {1, 64, 0}, {1, 128, 0}, {1, 256, 0}, {1, 512, 0}});
  const Ledger ledger = Make();
  const Recompilation& judged = ledger.recompilations.at(0);
  EXPECT_LT(judged.pay_off->gain_ns.high, 0) << "as if the new code were slower";
  EXPECT_EQ(judged.verdict(), Verdict::kUndecided);
  EXPECT_EQ(judged.undecided, Undecided::kCallsDiffer);
  ASSERT_TRUE(judged.drift.has_value());
  EXPECT_GT(*judged.drift, 2);
  EXPECT_EQ(ledger.gain_ns, Uncertain());
}

TEST_F(LedgerTest, WhatIsNotKnownOfCallsIsNotJudged) {
  const JitMethodId m = Compile("m", 1, 4, 100, 190);
  Executed(m, 0, 31, 500);
  executions_.versions[{m, 1}] = {{1000, {}}, {}};
  const Ledger ledger = Make();
  const Recompilation& judged = ledger.recompilations.at(0);
  EXPECT_FALSE(judged.pay_off.has_value());
  EXPECT_EQ(judged.verdict(), Verdict::kUndecided);
  EXPECT_EQ(judged.undecided, Undecided::kCallsNotKnown);
  EXPECT_EQ(ledger.gain_ns, Uncertain());
}

TEST_F(LedgerTest, FewCallsInLoopsAreUndecidedForThat) {
  const JitMethodId m = Compile("main", 1, 3, 100, 101);
  Executed(m, 0, 20, 1);
  executions_.versions[{m, 1}] = {{1000, {}}, {}, true};
  const Recompilation judged = Make().recompilations.at(0);
  EXPECT_FALSE(judged.pay_off.has_value());
  EXPECT_EQ(judged.undecided, Undecided::kInLoops);
}

TEST_F(LedgerTest, TheUndecidedAreGroupedByWhyTheyAre) {
  const JitMethodId sure = Compile("sure", 1, 4, 0, 5);
  Executed(sure, 0, 10, 100);
  Executed(sure, 1, 10, 10'000);
  const JitMethodId unknown = Compile("unknown", 2, 4, 10, 17);
  Executed(unknown, 0, 10, 100);
  const JitMethodId few = Compile("few", 3, 4, 20, 20);
  Executed(few, 0, 3 * kUnitNs / kMs, 100);
  Executed(few, 3, 2 * kUnitNs / kMs, 100);
  const Ledger ledger = Make();
  EXPECT_EQ(ledger.GroupOf(Undecided::kNo).rows, 1u);
  EXPECT_EQ(ledger.GroupOf(Undecided::kCallsNotKnown).rows, 1u);
  EXPECT_NEAR(ledger.GroupOf(Undecided::kCallsNotKnown).compile_ns, 7 * kMs, 1);
  EXPECT_EQ(ledger.GroupOf(Undecided::kHardlySeen).rows, 1u);
  size_t undecided = 0;
  for (const Undecided way : kWaysToBeUndecided) {
    undecided += ledger.GroupOf(way).rows;
    EXPECT_NE(TextOf(way).key, "");
    EXPECT_NE(TextOf(way).remedy, "");
  }
  EXPECT_EQ(undecided, ledger.Count(Verdict::kUndecided));
  EXPECT_EQ(ledger.GainOf(Verdict::kPaidOff), ledger.recompilations[0].pay_off->gain_ns.value);
}

TEST_F(LedgerTest, WhenItHadPaidIsByTheCallsUntilThen) {
  const JitMethodId m = Compile("m", 1, 4, 90, 100);
  Executed(m, 0, 10, 100);  // 0.1 ms each; 0.05 ms less pays after 200 calls.
  Executed(m, 1, 50, 1000, {{100, 5, 200'000'000}, {100, 5, 400'000'000}, {800, 40, kRunNs}});
  EXPECT_NEAR(static_cast<double>(*Make().recompilations.at(0).paid_at_ns), 400'000'000, 2'000'000);
  Executed(m, 1, 7.5, 150, {{150, 8, kRunNs}});
  EXPECT_EQ(Make().recompilations.at(0).paid_at_ns, std::nullopt);
}

TEST_F(LedgerTest, OfNoCompilationThereIsNothing) {
  const Ledger ledger = Make();
  EXPECT_TRUE(ledger.recompilations.empty());
  EXPECT_EQ(ledger.compile_ns, 0);
}

}  // namespace
}  // namespace yp
