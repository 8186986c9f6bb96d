#include "hotspot/walk/code_labeller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/frames_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int8_t kUsed = 0;      // A compilation's state.
constexpr int32_t kNotOsr = -1;  // Its entry's bytecode.
constexpr int32_t kLoopBci = 17;

// Labels in words: "4@1", the compile id behind the level; "4@1 in" an inlined method's; "osr".
class CodeLabellerTest : public ::testing::TestWithParam<int> {
 protected:
  struct Thread {
    uintptr_t vtable = 0;
    FakeVm::Wrapper::Anchor anchor{};
    uintptr_t stack_base = 0;
  };

  CodeLabellerTest() {
    vm_.code.tables.AddField("JavaThread", "_anchor", offsetof(Thread, anchor));
    vm_.code.tables.AddField("JavaThread", "_stack_base", offsetof(Thread, stack_base));
    const Result<VmStructs> structs = vm_.code.tables.Read();
    EXPECT_TRUE(structs.ok());
    code_cache_.emplace(*CodeCache::Create(*structs));
    Result<CodeLabeller> labeller = CodeLabeller::Create(*structs, *code_cache_, GetParam());
    EXPECT_TRUE(labeller.ok()) << labeller.message();
    labeller_.emplace(std::move(labeller).value());
  }

  // Of `inner` inlined into `outer`, at 40, and of a call of `outer`'s own, at 48.
  uintptr_t Compile(int32_t id, int8_t level, int32_t entry_bci = kNotOsr) {
    const uintptr_t start =
        vm_.Compile(outer_, id, 6, {{40, {{&inner_, 7}, {&outer_, 3}}}, {48, {{&outer_, 4}}}});
    vm_.code.SetCompilation(start, level, entry_bci, kUsed);
    return start;
  }
  // As found in the VM's own code, which the code on the stack has called.
  std::vector<std::string> Label(size_t frames) {
    thread_.anchor.last_sp = stack_.begin() + 8;
    thread_.anchor.last_pc = *stack_.return_address();
    thread_.anchor.last_fp = stack_.frame_pointer();
    return Label({.pc = 1, .sp = stack_.begin(), .frame_pointer = 0, .java_thread = &thread_},
                 frames);
  }
  // As found in the code itself.
  std::vector<std::string> LabelInCode(size_t frames) {
    return Label({.pc = *stack_.return_address(),
                  .sp = stack_.begin() + 8,
                  .frame_pointer = stack_.frame_pointer(),
                  .java_thread = &thread_},
                 frames);
  }
  std::vector<std::string> Label(const CodeLabeller::Interrupted& from, size_t frames) {
    thread_.stack_base = stack_.end();
    std::vector<RawFrame> raw(frames);
    labeller_->Label(from, raw);
    std::vector<std::string> labels;
    for (const RawFrame& frame : raw) labels.push_back(InWords(CodeLabel::FromPacked(frame.code)));
    return labels;
  }
  static std::string InWords(const CodeLabel& label) {
    if (!label.is_known) return "?";
    return std::to_string(label.level) + "@" + std::to_string(label.compile_id) +
           (label.is_osr ? " osr" : "") + (label.is_inlined ? " in" : "");
  }

  FakeVm vm_{GetParam()};
  FakeStack stack_{vm_};
  Thread thread_;
  FakeMethod& outer_ = vm_.AddMethod("app/Main", "outer");
  FakeMethod& inner_ = vm_.AddMethod("app/Main", "inner");
  std::optional<CodeCache> code_cache_;
  std::optional<CodeLabeller> labeller_;
};

INSTANTIATE_TEST_SUITE_P(Jdks, CodeLabellerTest, ::testing::Values(11, 17, 21, 25),
                         ::testing::PrintToStringParamName());

TEST_P(CodeLabellerTest, EachFrameHasItsCodeInlinedOnesThatOfTheirCaller) {
  const uintptr_t fast = Compile(9, 4), slow = Compile(5, 3);
  stack_.Compiled(vm_.Pc(fast, 40), 6);
  stack_.Compiled(vm_.Pc(slow, 48), 6);
  stack_.First();
  EXPECT_THAT(Label(3), ElementsAre("4@9 in", "4@9", "3@5"));
  EXPECT_THAT(Label(3), ElementsAre("4@9 in", "4@9", "3@5")) << "from what it remembers";
}

TEST_P(CodeLabellerTest, LoopsCodeAndInterpretedFramesAreTold) {
  const uintptr_t loop = Compile(7, 4, kLoopBci);
  stack_.Compiled(vm_.Pc(loop, 48), 6);
  stack_.Interpreted(outer_, -8, outer_.Bcp(5));
  stack_.First();
  EXPECT_THAT(Label(2), ElementsAre("4@7 osr", "0@0"));
}

// Between calls the debug information does not say how many methods the innermost frame is; the
// other frames do.
TEST_P(CodeLabellerTest, TheInnermostFrameIsWhatTheOthersLeave) {
  const uintptr_t fast = Compile(9, 4), slow = Compile(5, 3);
  stack_.Compiled(vm_.Pc(fast, 41), 6);
  stack_.Compiled(vm_.Pc(slow, 40), 6);
  stack_.First();
  EXPECT_THAT(LabelInCode(3), ElementsAre("4@9", "3@5 in", "3@5"));
  EXPECT_THAT(LabelInCode(5), ElementsAre("4@9 in", "4@9 in", "4@9", "3@5 in", "3@5"));
}

TEST_P(CodeLabellerTest, WhereTheWalksDisagreeOnlyTheInnermostIsKnown) {
  const uintptr_t fast = Compile(9, 4), slow = Compile(5, 3);
  stack_.Compiled(vm_.Pc(fast, 48), 6);
  stack_.Compiled(vm_.Pc(slow, 40), 6);
  stack_.First();
  EXPECT_THAT(Label(2), ElementsAre("4@9", "?")) << "there are three";
  EXPECT_THAT(Label(4), ElementsAre("4@9", "?", "?", "?"));
}

TEST_P(CodeLabellerTest, AStackThatDoesNotEndInOrderIsNotBelieved) {
  const uintptr_t fast = Compile(9, 4);
  stack_.Compiled(vm_.Pc(fast, 48), 6);
  stack_.Return(12345, 0);
  EXPECT_THAT(Label(2), ElementsAre("4@9", "?"));
}

TEST_P(CodeLabellerTest, AThreadWithoutJavaFramesHasNoLabels) {
  EXPECT_THAT(
      Label({.pc = 1, .sp = stack_.begin(), .frame_pointer = 0, .java_thread = &thread_}, 2),
      ElementsAre("?", "?"));
  // Nor one whose last Java frame lies where it cannot.
  thread_.anchor.last_sp = stack_.begin() + 4;
  EXPECT_THAT(
      Label({.pc = 1, .sp = stack_.begin(), .frame_pointer = 0, .java_thread = &thread_}, 1),
      ElementsAre("?"));
}

TEST_P(CodeLabellerTest, ALayoutThatIsNotKnownIsRefused) {
  FakeVm vm(GetParam());
  const Result<VmStructs> structs = vm.code.tables.Read();
  const Result<CodeLabeller> refused = CodeLabeller::Create(*structs, *code_cache_, GetParam());
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(std::string(refused.message()), HasSubstr("JavaThread"));
}

}  // namespace
}  // namespace yp::hotspot
