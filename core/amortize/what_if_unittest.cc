#include "core/amortize/what_if.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yp {
namespace {

constexpr double kMs = 1e6;
constexpr int64_t kRunNs = 1'000'000'000;
constexpr double kUnitNs = 10;  // So many samples that they leave no doubt.

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
  WhatIf Of(const std::string& method) {
    const Ledger ledger = MakeLedger(log_, kRunNs, executions_);
    const JitMethodId id = log_.Intern({method, "app"});
    for (const WhatIf& what : WhatIfOf(log_, kRunNs, executions_, *ledger.model)) {
      if (what.method == id) return what;
    }
    ADD_FAILURE() << method;
    return {};
  }

  JitLog log_;
  Executions executions_;
};

TEST_F(WhatIfTest, CallsWouldTakeTheTimeOfTheOtherVersion) {
  const WhatIf what = Of("m7");
  EXPECT_NEAR(what.time_ns, 90 * kMs, kMs);
  EXPECT_NEAR(what.compile_ns, 33 * kMs, 1);
  // 1000 calls of 0.18 ms more and 10,000 of 0.195; no compilation.
  EXPECT_NEAR(what.never.value, (33 - 180 - 1950) * kMs, 30 * kMs);
  EXPECT_LT(what.never.high, 0);
  // 100 calls of 0.195 ms less, 1000 of 0.015; the first compilation is spared.
  EXPECT_NEAR(what.at_once.value, (3 + 19.5 + 15) * kMs, 2 * kMs);
  EXPECT_GT(what.at_once.low, 0);
}

TEST_F(WhatIfTest, Level1IsBetweenLevel3And4AndLessCertain) {
  const WhatIf what = Of("m7");
  // At level 3 it had been 150 ms more for 30 ms of compilation; level 1 is somewhat faster.
  EXPECT_LT(what.at_level_1.value, 0);
  EXPECT_GT(what.at_level_1.value, -120 * kMs);
  EXPECT_GT(what.at_level_1.high - what.at_level_1.low, 20 * kMs);
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
  EXPECT_GT(what.never.low, 25 * kMs);
  EXPECT_GT(what.at_level_1.low, 30 * kMs);
  EXPECT_NEAR(what.at_once.value, 8 * kMs, 0.5 * kMs);
}

TEST_F(WhatIfTest, WhatWasNeverCompiledIsNotThere) {
  JitCompilation failed;
  failed.compile_id = 2001;
  failed.method = {"failed", "app"};
  failed.succeeded = false;
  log_.On(failed);
  const Ledger ledger = MakeLedger(log_, kRunNs, executions_);
  EXPECT_EQ(WhatIfOf(log_, kRunNs, executions_, *ledger.model).size(), 50u);
}

}  // namespace
}  // namespace yp
