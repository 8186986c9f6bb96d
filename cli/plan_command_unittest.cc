// yp plan as a user types it, on profiles made here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_test_util.h"
#include "format/profile/profile.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// main calls get at line 12, which C2 refuses to inline, and run of four classes at line 14.
class PlanTest : public CommandTest {
 protected:
  PlanTest() {
    main_ = Add("App", "main", {{0, 11}, {4, 12}, {9, 14}});
    get_ = Add("Cache", "get", {{0, 3}, {100, 9}});
    Call(4, get_, 9'000);
    for (const char* name : {"A", "B", "C", "D"}) Call(9, Add(name, "run", {{0, 1}}), 1'000);
    Compile(1, 4);
  }

  MethodId Add(const std::string& class_name, const char* name, std::vector<Method::Line> lines) {
    Method method = MethodOfFullName(class_name + "." + name + "()V");
    method.source_file = class_name + ".java";
    method.lines = std::move(lines);
    return profile_.methods.Intern(method);
  }
  void Call(int32_t bci, MethodId callee, double calls) {
    EdgeStats stats;
    stats.edge = {main_, bci, callee};
    stats.calls = stats.low = stats.high = stats.uncorrected = calls;
    stats.flags = kEdgeExact;
    profile_.edges.push_back(stats);
  }
  void Compile(int64_t id, int32_t level) {
    JitCompilation compilation;
    compilation.compile_id = id;
    compilation.method.full_name = "App.main()V";
    compilation.level = level;
    profile_.jit.log.On(compilation);
  }
  void Refuse(int64_t compile_id, std::string reason) {
    Decide(compile_id, false, std::move(reason));
  }
  void Decide(int64_t compile_id, bool succeeded, std::string reason) {
    JitInlining inlining;
    inlining.compile_id = compile_id;
    inlining.succeeded = succeeded;
    inlining.caller.full_name = "App.main()V";
    inlining.bci = 4;
    inlining.callee.full_name = "Cache.get()V";
    inlining.reason = std::move(reason);
    profile_.jit.log.On(inlining);
  }
  int Plan(std::vector<const char*> arguments = {}) {
    const std::string path = directory_ / "p.yp";
    EXPECT_TRUE(SaveProfile(profile_, path));
    arguments.insert(arguments.begin(), {"plan", path.c_str()});
    return Run(std::move(arguments));
  }

  spool::TemporaryDirectory directory_;
  Profile profile_;
  MethodId main_, get_;
};

TEST_F(PlanTest, ShowsWhatWasRefusedWithTheReasonAndWhatToDo) {
  Refuse(1, "already compiled into a big method");
  ASSERT_EQ(Plan(), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("9,000"), HasSubstr("App.java:12"), HasSubstr("1 of 1"),
                          HasSubstr(">= 101"), HasSubstr("make the callee smaller")));
  EXPECT_THAT(out_, HasSubstr("yp advise --try '-XX:CompileCommand=quiet "
                              "-XX:CompileCommand=inline,Cache::get' -- COMMAND"));
}

TEST_F(PlanTest, ShowsSitesWithManyTargets) {
  Decide(1, true, "inline (hot)");
  ASSERT_EQ(Plan(), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("C2 inlined every call that is made often.\n"));
  EXPECT_THAT(out_, AllOf(HasSubstr("App.java:14"), HasSubstr("A.run 25.0 %, B.run 25.0 %"),
                          HasSubstr("1 more")));
  EXPECT_THAT(out_, HasSubstr("No recompilation is known not to have paid off.\n"));
  EXPECT_THAT(out_, Not(HasSubstr("yp advise")));
}

TEST_F(PlanTest, OnlyWhatC2DecidedCounts) {
  Compile(2, 3);
  Refuse(2, "callee is too large");
  Refuse(2, "too big");
  ASSERT_EQ(Plan(), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("What C2 inlined is not known"));
  ASSERT_EQ(Plan({"--json"}), 0) << err_;
  EXPECT_TRUE(json::parse(out_)["missed"].is_null());
  Decide(1, true, "inline (hot)");
  ASSERT_EQ(Plan(), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("C2 inlined every call that is made often.\n"));
}

TEST_F(PlanTest, IsAlsoThereAsJson) {
  Refuse(1, "hot method too big");
  ASSERT_EQ(Plan({"--json"}), 0) << err_;
  const json plan = json::parse(out_);
  ASSERT_THAT(plan["missed"], SizeIs(1));
  const json& missed = plan["missed"][0];
  EXPECT_EQ(missed["caller"], "App.main()V");
  EXPECT_EQ(missed["line"], 12);
  EXPECT_EQ(missed["calls"], 9'000);
  EXPECT_TRUE(missed["bytes"].is_null());
  EXPECT_EQ(missed["bytes_at_least"], 101);
  EXPECT_EQ(missed["reason"], "hot method too big");
  ASSERT_THAT(plan["spread"], SizeIs(1));
  EXPECT_THAT(plan["spread"][0]["targets"], SizeIs(4));
  EXPECT_EQ(plan["spread"][0]["targets"][0]["part"], 0.25);
  EXPECT_THAT(plan["vain"], SizeIs(0));
  EXPECT_EQ(plan["try"].back(), "-XX:CompileCommand=inline,Cache::get");
}

TEST_F(PlanTest, WhatIsRareIsLeftOut) {
  Refuse(1, "hot method too big");
  ASSERT_EQ(Plan({"--min-share", "80"}), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("C2 inlined every call"), HasSubstr("No call site has more")));
  EXPECT_EQ(Plan({"--min-share", "101"}), 2);
}

TEST_F(PlanTest, NeedsWhatTheCompilersDidAndNumbersOfCalls) {
  profile_.config["mode"] = "edges";
  EXPECT_EQ(Plan(), 2);
  EXPECT_THAT(err_, HasSubstr("has no numbers of calls"));
  profile_.jit = {};
  EXPECT_EQ(Plan(), 2);
  EXPECT_THAT(err_, HasSubstr("record it with yp run --jit"));
}

}  // namespace
}  // namespace yp
