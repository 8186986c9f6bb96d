#include "core/amortize/jit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yp {
namespace {

using testing::ElementsAre;

const JitMethod kMain{"a.Main.main()V", "app"};
const JitMethod kLeaf{"a.Main.leaf()V", "app"};
const JitMethod kOtherLeaf{"a.Main.leaf()V", "plugin"};

TEST(JitLogTest, AMethodIsToldOnceForEachLoader) {
  JitLog log;
  EXPECT_TRUE(log.empty());
  const JitMethodId leaf = log.Intern(kLeaf);
  EXPECT_NE(log.Intern(kOtherLeaf), leaf);
  EXPECT_EQ(log.Intern(kLeaf), leaf);
  EXPECT_EQ(log[leaf], kLeaf);
  EXPECT_THAT(log.methods(), ElementsAre(kLeaf, kOtherLeaf));
  EXPECT_FALSE(log.empty());
}

TEST(JitLogTest, KeepsAllOfEachEvent) {
  JitLog log;
  log.On(JitCompilation{7, kMain, true, 12, 4, "c2", "C2 CompilerThread0", 4711, 5, 10, 30, 18,
                        false, "out of nodes", 400, 50, 90});
  log.On(JitInlining{7, true, kMain, 3, kLeaf, true, "inline (hot)"});
  log.On(JitDeoptimization{40, 7, true, 4, kLeaf, 2, 17, "class_check", "reinterpret", "main"});
  log.On(JitCodeEnd{41, 7, true, kMain, JitCodeEndKind::kUnloaded, "cold"});
  const JitMethodId main = log.Intern(kMain), leaf = log.Intern(kLeaf);

  ASSERT_EQ(log.compilations.size(), 1u);
  const JitLog::Compilation& compilation = log.compilations[0];
  EXPECT_EQ(compilation.compile_id, 7);
  EXPECT_EQ(compilation.method, main);
  EXPECT_TRUE(compilation.is_osr);
  EXPECT_EQ(compilation.osr_bci, 12);
  EXPECT_EQ(compilation.level, 4);
  EXPECT_EQ(compilation.compiler, "c2");
  EXPECT_EQ(compilation.thread, "C2 CompilerThread0");
  EXPECT_EQ(compilation.thread_id, 4711);
  EXPECT_EQ(compilation.queued_ns, 5);
  EXPECT_EQ(compilation.cpu_ns, 18);
  EXPECT_EQ(compilation.start_ns, 10);
  EXPECT_EQ(compilation.end_ns, 30);
  EXPECT_FALSE(compilation.succeeded);
  EXPECT_EQ(compilation.failure, "out of nodes");
  EXPECT_EQ(compilation.code_bytes, 400);
  EXPECT_EQ(compilation.bytecode_bytes, 50);
  EXPECT_EQ(compilation.inlined_bytes, 90);

  ASSERT_EQ(log.inlinings.size(), 1u);
  const JitLog::Inlining& inlining = log.inlinings[0];
  EXPECT_EQ(inlining.compile_id, 7);
  EXPECT_TRUE(inlining.is_osr);
  EXPECT_EQ(inlining.caller, main);
  EXPECT_EQ(inlining.bci, 3);
  EXPECT_EQ(inlining.callee, leaf);
  EXPECT_TRUE(inlining.succeeded);
  EXPECT_EQ(inlining.reason, "inline (hot)");

  ASSERT_EQ(log.deoptimizations.size(), 1u);
  const JitLog::Deoptimization& trap = log.deoptimizations[0];
  EXPECT_EQ(trap.time_ns, 40);
  EXPECT_EQ(trap.compile_id, 7);
  EXPECT_TRUE(trap.is_osr);
  EXPECT_EQ(trap.level, 4);
  EXPECT_EQ(trap.method, leaf);
  EXPECT_EQ(trap.bci, 2);
  EXPECT_EQ(trap.line, 17);
  EXPECT_EQ(trap.reason, "class_check");
  EXPECT_EQ(trap.action, "reinterpret");
  EXPECT_EQ(trap.thread, "main");

  ASSERT_EQ(log.code_ends.size(), 1u);
  const JitLog::CodeEnd& end = log.code_ends[0];
  EXPECT_EQ(end.time_ns, 41);
  EXPECT_EQ(end.compile_id, 7);
  EXPECT_TRUE(end.is_osr);
  EXPECT_EQ(end.method, main);
  EXPECT_EQ(end.kind, JitCodeEndKind::kUnloaded);
  EXPECT_EQ(end.reason, "cold");
}

}  // namespace
}  // namespace yp
