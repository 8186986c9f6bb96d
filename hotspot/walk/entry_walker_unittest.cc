#include "hotspot/walk/entry_walker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/frames_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Line = Method::Line;

// Stacks are written from the caller outward; answers are read in words.
class EntryWalkerTest : public ::testing::TestWithParam<int> {
 protected:
  EntryWalkerTest() {
    const Result<VmStructs> structs = vm_.code.tables.Read();
    EXPECT_TRUE(structs.ok());
    code_cache_.emplace(*CodeCache::Create(*structs));
    auto walker = EntryWalker::Create(*structs, *code_cache_, GetParam(), registry_);
    EXPECT_TRUE(walker.ok()) << walker.message();
    walker_ = std::move(walker).value();
    Begin({});
  }

  void Begin(const RecordingOptions& options, PackageSet platform_packages = {}) {
    walker_->Begin(ClassFilter(options), std::move(platform_packages), {.stacks = true});
  }
  void BeginInferring() {
    walker_->Begin(ClassFilter(RecordingOptions()), {}, {.inlined_calls = true});
  }
  FakeStack& NewStack() {
    stacks_.push_back(std::make_unique<FakeStack>(vm_));
    return *stacks_.back();
  }
  // A stack whose newest frame is that of a call in compiled code, called from outside Java.
  FakeStack& CalledFrom(uintptr_t code, int32_t pc_offset, int32_t words = 4) {
    FakeStack& stack = NewStack();
    stack.Compiled(vm_.Pc(code, pc_offset), words);
    stack.First();
    return stack;
  }
  uintptr_t Compile(const FakeMethod& method, int32_t id,
                    const std::vector<FakeVm::Call>& calls = {}) {
    return vm_.Compile(method, id, 4, calls);
  }

  EntryWalker::Answer Walk(uintptr_t callee, const FakeStack& stack, int32_t id = 0) {
    EntryCall call;
    call.callee_pc = vm_.Entry(callee);
    call.compile_id = id;
    call.return_address = stack.return_address();
    call.frame_pointer = stack.frame_pointer();
    return walker_->Walk(call, stack.end());
  }
  // "method@bci > method@bci | method@bci": from the outermost method in, physical frames apart; or
  // why there is none.
  std::string StackOf(const FakeStack& stack, size_t room = 20) {
    EntryCall call;
    call.return_address = stack.return_address();
    call.frame_pointer = stack.frame_pointer();
    std::vector<RawFrame> frames(room);
    const StackWalker::Answer answer = walker_->WalkStack(call, stack.end(), frames);
    if (answer.reason) return std::string(ToString(*answer.reason));
    for (size_t i = 0; i < answer.count; ++i) {
      for (const CodePlace::Frame& frame : frames[i].place().frames)
        registry_.MarkUsed(frame.method);
    }
    Learn();
    std::string text;
    for (size_t i = answer.count; i-- > 0;) {
      const CodePlace& place = frames[i].place();
      for (size_t f = place.frames.size(); f-- > 0;) {
        text += Named(place.frames[f].method) + "@" + std::to_string(place.frames[f].bci);
        if (f > 0) text += " > ";
      }
      if (i > 0) text += " | ";
    }
    return text;
  }
  std::string Call(uintptr_t callee, const FakeStack& stack, int32_t id = 0) {
    return InWords(Walk(callee, stack, id));
  }
  std::string InWords(const EntryWalker::Answer& answer) {
    if (answer.outcome == EntryWalker::Outcome::kNotObserved) return "not observed";
    if (answer.outcome == EntryWalker::Outcome::kUnresolved)
      return std::string(ToString(answer.reason));
    Learn();
    const Edge& edge = edges_.at(answer.edge);
    return Named(edge.caller) + "@" + std::to_string(edge.bci) + " > " + Named(edge.callee);
  }
  void Learn() {
    const MethodRegistry::Updates updates = registry_.TakeUpdates();
    for (const auto& method : updates.methods) told_[method.id] = method.method;
    for (const auto& edge : updates.edges) edges_[edge.id] = edge.edge;
  }
  std::string Named(MethodId id) const {
    return id == kNoMethod ? "nobody" : told_.at(id).class_name + "." + told_.at(id).name;
  }
  const Method& Told(const std::string& name) {
    Learn();
    for (const auto& [id, method] : told_) {
      if (method.name == name) return method;
    }
    ADD_FAILURE() << name << " was not told";
    return told_[kNoMethod];
  }

  // The code has a call instruction that returns there.
  void HasCall(uintptr_t code, int32_t pc_offset) {
    *reinterpret_cast<uint8_t*>(vm_.Pc(code, pc_offset) - 5) = 0xe8;
  }
  // Gives a method these bytecodes, by index.
  static void HasBytecodes(FakeMethod& method, const std::map<int32_t, uint8_t>& opcodes) {
    std::vector<uint8_t> code(100, 0);
    for (const auto& [bci, opcode] : opcodes) code[static_cast<size_t>(bci)] = opcode;
    method.SetCode(code, {});
  }
  // "level: method, method@bci<parent...; calls node@bci..."
  std::string InWords(const spool::Compilation& told) {
    Learn();
    std::string text = std::to_string(told.level) + (told.is_osr ? " in a loop:" : ":");
    for (size_t i = 0; i < told.nodes.size(); ++i) {
      const spool::Compilation::Node& node = told.nodes[i];
      text += " " + (node.method == kNoMethod ? "nobody" : told_.at(node.method).name);
      if (i > 0) text += "<" + std::to_string(node.parent) + "@" + std::to_string(node.bci);
    }
    if (!told.call_sites.empty()) text += "; calls";
    for (const auto& site : told.call_sites) {
      text += " " + std::to_string(site.node) + "@" + std::to_string(site.bci);
    }
    return text;
  }
  // What is new of compilations and ways, for `compiled_` and `ways_`.
  void LearnCompiled() {
    const Compilations::Updates updates = registry_.compilations().TakeUpdates();
    for (const auto* known : updates.compilations) compiled_[known->told.id] = InWords(known->told);
    for (const auto& way : updates.calls) ways_[way.id] = way;
  }
  // "compilation node > compilation", compilations by their compiled methods' words.
  std::string WayOf(const EntryWalker::Answer& answer) {
    LearnCompiled();
    if (!ways_.contains(answer.call)) return "none";
    const spool::CompiledCall& way = ways_.at(answer.call);
    EXPECT_EQ(way.edge, answer.edge);
    const auto words = [&](CompilationId id) {
      return id == kNoCompilation ? "?" : compiled_.at(id);
    };
    return words(way.caller) + " | " + std::to_string(way.caller_node) + " > " + words(way.callee);
  }

  FakeVm vm_{GetParam()};
  std::vector<std::unique_ptr<FakeStack>> stacks_;
  std::optional<CodeCache> code_cache_;
  MethodRegistry registry_;
  std::unique_ptr<EntryWalker> walker_;
  std::map<MethodId, Method> told_;
  std::map<EdgeId, Edge> edges_;
  std::map<CompilationId, std::string> compiled_;
  std::map<CompiledCallId, spool::CompiledCall> ways_;

  FakeMethod& root_ = vm_.AddMethod("app/Main", "root");
  FakeMethod& other_ = vm_.AddMethod("app/Main", "other");
  FakeMethod& leaf_ = vm_.AddMethod("app/Leaf", "leaf");
  const uintptr_t leaf_code_ = vm_.Compile(leaf_, 100, 4, {});
};

INSTANTIATE_TEST_SUITE_P(Jdks, EntryWalkerTest, ::testing::Values(11, 17, 21, 25),
                         ::testing::PrintToStringParamName());

TEST_P(EntryWalkerTest, ACompiledCallersEdgeIsThatOfTheCallSite) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}, {48, {{&root_, 17}}}});
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 40)), "app.Main.root@3 > app.Leaf.leaf");
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 48)), "app.Main.root@17 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, TheInnermostInlinedMethodIsTheCaller) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&other_, 9}, {&root_, 3}}}});
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 40)), "app.Main.other@9 > app.Leaf.leaf");
}

// Before a synchronized method's first bytecode, and in native methods.
TEST_P(EntryWalkerTest, ACallWithoutABytecodeHasNoIndex) {
  FakeMethod& native = vm_.AddMethod("app/Main", "callBack");
  native.SetAccess(FakeMethod::kAccNative | FakeMethod::kAccStatic);
  const uintptr_t wrapper = vm_.Compile(native, 7, 4, {}, "native nmethod");
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, -1}}}});
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 40)), "app.Main.root@-1 > app.Leaf.leaf");
  EXPECT_EQ(Call(leaf_code_, CalledFrom(wrapper, 40)), "app.Main.callBack@-1 > app.Leaf.leaf");
  EXPECT_EQ(Told("callBack").flags, Method::kNative | Method::kStatic | Method::kObserved);
}

// The debug information changes under the memo, as it never does in a VM.
TEST_P(EntryWalkerTest, WhatIsRememberedIsWhatWasFound) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  const EntryWalker::Answer first = Walk(leaf_code_, stack);
  ASSERT_EQ(InWords(first), "app.Main.root@3 > app.Leaf.leaf");
  vm_.SetCalls(caller, other_, {{40, {{&other_, 5}}}});
  const EntryWalker::Answer second = Walk(leaf_code_, stack);
  EXPECT_EQ(second.outcome, EntryWalker::Outcome::kEdge);
  EXPECT_EQ(second.edge, first.edge) << "from the memo";
}

TEST_P(EntryWalkerTest, ACallersPlaceThatIsReusedGivesANewAnswer) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  ASSERT_EQ(Call(leaf_code_, stack), "app.Main.root@3 > app.Leaf.leaf");
  vm_.code.SetCompileId(caller, 2);
  vm_.SetCalls(caller, other_, {{40, {{&other_, 5}}}});
  EXPECT_EQ(Call(leaf_code_, stack), "app.Main.other@5 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, ACalleesPlaceThatIsReusedGivesANewAnswer) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  ASSERT_EQ(Call(leaf_code_, stack), "app.Main.root@3 > app.Leaf.leaf");
  vm_.code.SetCompileId(leaf_code_, 101);
  vm_.code.SetMethod(leaf_code_, other_.method());
  EXPECT_EQ(Call(leaf_code_, stack), "app.Main.root@3 > app.Main.other");
}

// Of an unloaded class, say.
TEST_P(EntryWalkerTest, AMethodAtAnothersAddressHasItsOwnName) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  EXPECT_EQ(Call(leaf_code_, stack), "app.Main.root@3 > app.Leaf.leaf");
  leaf_.Rename("app/Later", "leaf");
  vm_.code.SetCompileId(leaf_code_, 101);
  EXPECT_EQ(Call(leaf_code_, stack), "app.Main.root@3 > app.Later.leaf");
  leaf_.Rename("app/Later", "twig");
  vm_.code.SetCompileId(leaf_code_, 102);
  EXPECT_EQ(Call(leaf_code_, stack), "app.Main.root@3 > app.Later.twig");
}

// A free block keeps what was in it, while its upper part holds other code already.
TEST_P(EntryWalkerTest, CodeInTheUpperPartOfAFreedBlockIsNotTakenForWhatWasThere) {
  constexpr size_t kSegment = 600;
  const uintptr_t gone = vm_.code.Add(0, kSegment, 24, "nmethod", 50, 4);
  vm_.code.SetMethod(gone, other_.method());
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  EntryCall call;
  call.callee_pc = vm_.Entry(gone) + 16 * FakeCodeCache::kSegment;
  const FakeStack& stack = CalledFrom(caller, 40);
  call.return_address = stack.return_address();
  ASSERT_EQ(InWords(walker_->Walk(call, stack.end())), "app.Main.root@3 > app.Main.other");
  vm_.code.Free(gone);
  const uintptr_t now = vm_.code.Add(0, kSegment + 16, 8, "nmethod", 51, 4);
  vm_.code.SetMethod(now, leaf_.method());
  ASSERT_EQ(call.callee_pc, vm_.Entry(now));
  EXPECT_EQ(InWords(walker_->Walk(call, stack.end())), "app.Main.root@3 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, AnotherCompilationThanTheProbeSawIsUnknown) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  EXPECT_EQ(Call(leaf_code_, stack, 99), ToString(Drop::kCalleeUnknown));
  EXPECT_EQ(Call(leaf_code_, stack, 100), "app.Main.root@3 > app.Leaf.leaf");
  EXPECT_EQ(Call(leaf_code_, stack, 99), ToString(Drop::kCalleeUnknown));
}

TEST_P(EntryWalkerTest, WhatIsNoCompiledMethodIsNoCallee) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  EXPECT_EQ(Call(vm_.AddStub("stub", 3), stack), ToString(Drop::kCalleeUnknown));
  EXPECT_EQ(Call(vm_.code.SegmentAddress(1, 0), stack), ToString(Drop::kCalleeUnknown));
  vm_.code.SetMethod(leaf_code_, nullptr);
  EXPECT_EQ(Call(leaf_code_, stack), ToString(Drop::kCalleeUnknown));
}

TEST_P(EntryWalkerTest, HiddenGlueIsLookedThroughAcrossScopes) {
  FakeMethod& form = vm_.AddMethod("java/lang/invoke/LambdaForm$MH+0x00007f0c2c000a08", "invoke");
  FakeMethod& lambda = vm_.AddMethod("app/Main$$Lambda$14+0x00007f0c2c000a08", "run");
  const uintptr_t caller =
      Compile(root_, 1, {{40, {{&form, 1}, {&lambda, 2}, {&root_, 3}}}, {48, {{&root_, 4}}}});
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 40)), "app.Main.root@3 > app.Leaf.leaf");
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 40)), "app.Main.root@3 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, HiddenGlueIsLookedThroughAcrossFramesAndNotRemembered) {
  FakeMethod& lambda = vm_.AddMethod("app/Main$$Lambda/0x00007f0c2c000a08", "run");
  const uintptr_t glue = Compile(lambda, 1, {{40, {{&lambda, 2}}}});
  const uintptr_t caller =
      Compile(root_, 2, {{40, {{&root_, 3}}}, {48, {{&other_, 4}, {&root_, 1}}}});
  for (int round = 0; round < 2; ++round) {
    for (const int32_t at : {40, 48}) {
      FakeStack& stack = NewStack();
      stack.Compiled(vm_.Pc(glue, 40), 4);
      stack.Compiled(vm_.Pc(caller, at), 4);
      stack.First();
      EXPECT_EQ(Call(leaf_code_, stack),
                at == 40 ? "app.Main.root@3 > app.Leaf.leaf" : "app.Main.other@4 > app.Leaf.leaf");
    }
  }
  FakeStack& interpreted = NewStack();
  interpreted.Interpreted(lambda, -8, lambda.Bcp(0));
  interpreted.Compiled(vm_.Pc(caller, 40), 4);
  interpreted.First();
  EXPECT_EQ(Call(leaf_code_, interpreted), "app.Main.root@3 > app.Leaf.leaf");
  FakeStack& nobody = NewStack();
  nobody.Compiled(vm_.Pc(glue, 40), 4);
  nobody.First();
  EXPECT_EQ(Call(leaf_code_, nobody), "nobody@-1 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, AnInterpretedCallerIsFoundEachTime) {
  for (const int32_t bci : {3, 8, 3}) {
    FakeStack& stack = NewStack();
    stack.Interpreted(root_, -8, root_.Bcp(bci));
    stack.First();
    EXPECT_EQ(Call(leaf_code_, stack), "app.Main.root@" + std::to_string(bci) + " > app.Leaf.leaf");
  }
}

TEST_P(EntryWalkerTest, ACallFromTheVmHasTheLastJavaFrameAsItsCallerOrNobody) {
  FakeStack& first = NewStack();
  first.First();
  EXPECT_EQ(Call(leaf_code_, first), "nobody@-1 > app.Leaf.leaf");
  FakeStack& from_java = NewStack();
  from_java.CalledFromJava(true);
  from_java.Interpreted(root_, -9, root_.Bcp(2));
  from_java.First();
  EXPECT_EQ(Call(leaf_code_, from_java), "app.Main.root@2 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, ADeoptimisedCallerIsNotRemembered) {
  const uintptr_t caller =
      Compile(root_, 1, {{40, {{&root_, 3}}}, {48, {{&other_, 4}, {&root_, 1}}}});
  vm_.code.SetOrigPcOffset(caller, 8);
  for (const int32_t at : {40, 48}) {
    FakeStack& stack = NewStack();
    uintptr_t* sp = stack.Compiled(caller + FakeCodeCache::kDeoptHandler, 4);
    sp[1] = vm_.Pc(caller, at);
    stack.First();
    EXPECT_EQ(Call(leaf_code_, stack),
              at == 40 ? "app.Main.root@3 > app.Leaf.leaf" : "app.Main.other@4 > app.Leaf.leaf");
  }
}

TEST_P(EntryWalkerTest, WhatCannotBeResolvedSaysWhy) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& silent = CalledFrom(caller, 44);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Call(leaf_code_, silent), ToString(Drop::kNoDebugInfo));
  }
  FakeStack& unknown = NewStack();
  unknown.Return(1234, 5678);
  EXPECT_EQ(Call(leaf_code_, unknown), ToString(Drop::kCallerUnknown));
  // An endless chain of stubs.
  const uintptr_t stub = vm_.AddStub("stub", 2);
  FakeStack& stubs = NewStack();
  for (int i = 0; i < 200; ++i) stubs.Compiled(stub + 200, 2);
  stubs.Compiled(vm_.Pc(caller, 40), 4);
  stubs.First();
  EXPECT_EQ(Call(leaf_code_, stubs), ToString(Drop::kCallerUnknown));
}

// What was not resolved is asked again.
TEST_P(EntryWalkerTest, FailuresAreNotRemembered) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 44);
  ASSERT_EQ(Call(leaf_code_, stack), ToString(Drop::kNoDebugInfo));
  vm_.SetCalls(caller, root_, {{44, {{&root_, 6}}}});
  EXPECT_EQ(Call(leaf_code_, stack), "app.Main.root@6 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, TheFilterTellsWhichCalleesAreObserved) {
  FakeMethod& of_boot = vm_.AddMethod("java/util/HashMap", "get");
  of_boot.SetLoader(nullptr);
  FakeMethod& of_platform = vm_.AddMethod("java/sql/DriverManager", "connect");
  FakeMethod& nearly = vm_.AddMethod("java/sql/rowset/Thing", "make");
  FakeMethod& no_package = vm_.AddMethod("Main", "main");
  FakeMethod& lambda = vm_.AddMethod("app/Main$$Lambda/0x0000700000000000", "apply");
  FakeMethod& object = vm_.AddMethod("java/lang/Object", "<init>");
  const FakeMethod* const methods[] = {&leaf_,      &of_boot, &of_platform, &nearly,
                                       &no_package, &lambda,  &object};
  std::vector<uintptr_t> code;
  int32_t id = 200;
  for (const FakeMethod* method : methods) code.push_back(Compile(*method, id++));
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  // Twice each: also when it is remembered.
  const auto observed = [&] {
    std::vector<int> which;
    for (int i = 0; i < 7; ++i) {
      const std::string answer = Call(code[static_cast<size_t>(i)], stack);
      EXPECT_EQ(Call(code[static_cast<size_t>(i)], stack), answer);
      if (answer != "not observed") which.push_back(i);
    }
    return which;
  };
  const PackageSet platform = {"java/sql", "Main"};
  Begin({}, platform);
  EXPECT_THAT(observed(), ElementsAre(0, 3, 4));
  Begin({});
  EXPECT_THAT(observed(), ElementsAre(0, 2, 3, 4));
  RecordingOptions all;
  all.scope = RecordingOptions::Scope::kAll;
  Begin(all, platform);
  EXPECT_THAT(observed(), ElementsAre(0, 1, 2, 3, 4));
  all.include = {"java.*"};
  Begin(all, platform);
  EXPECT_THAT(observed(), ElementsAre(1, 2, 3));
  all.exclude = {"*.HashMap"};
  Begin(all, platform);
  EXPECT_THAT(observed(), ElementsAre(2, 3));
  Begin({}, platform);
  EXPECT_THAT(observed(), ElementsAre(0, 3, 4));
}

TEST_P(EntryWalkerTest, AMethodThatIsKnownByItsNamesOnlyGetsItsLinesLater) {
  const ClassReader::MethodNames leaf = {"app/Leaf", "leaf", "()V", false, FakeMethod::kAccStatic};
  const MethodId id = walker_->Observed(leaf);
  ASSERT_NE(id, kNoMethod);
  EXPECT_EQ(Told("leaf").flags, Method::kObserved | Method::kStatic);
  EXPECT_THAT(Told("leaf").lines, IsEmpty());
  const auto step = [](int bci, int line) { return static_cast<uint8_t>(bci << 3 | line); };
  leaf_.SetCode(std::vector<uint8_t>(100, 7), {step(0, 5), 0});
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 40)), "app.Main.root@3 > app.Leaf.leaf");
  EXPECT_EQ(walker_->Observed(leaf), id);
  EXPECT_THAT(Told("leaf").lines, ElementsAre(Line{0, 5}));
  EXPECT_EQ(walker_->Observed({"java/util/List", "of", "()V", true, 0}), kNoMethod);
  EXPECT_EQ(walker_->Observed({"app/Main$$Lambda+0x1", "run", "()V", false, 0}), kNoMethod);
}

// Whom the filter leaves out may well be a caller.
TEST_P(EntryWalkerTest, CallersAreNamedWhateverTheFilter) {
  FakeMethod& of_boot = vm_.AddMethod("java/util/ArrayList", "forEach");
  of_boot.SetLoader(nullptr);
  const uintptr_t caller = Compile(of_boot, 1, {{40, {{&of_boot, 3}}}});
  EXPECT_EQ(Call(leaf_code_, CalledFrom(caller, 40)),
            "java.util.ArrayList.forEach@3 > app.Leaf.leaf");
}

TEST_P(EntryWalkerTest, MethodsAreToldWithTheirLinesAndFlags) {
  const auto step = [](int bci, int line) { return static_cast<uint8_t>(bci << 3 | line); };
  leaf_.SetCode(std::vector<uint8_t>(100, 7), {step(0, 5), step(20, 2), step(10, 0), 0});
  leaf_.SetAccess(FakeMethod::kAccStatic);
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  Call(leaf_code_, CalledFrom(caller, 40));
  const Method& leaf = Told("leaf");
  EXPECT_EQ(leaf.class_name, "app.Leaf");
  EXPECT_EQ(leaf.descriptor, "()V");
  EXPECT_EQ(leaf.source_file, "Main.java");
  EXPECT_EQ(leaf.flags, Method::kObserved | Method::kStatic);
  EXPECT_THAT(leaf.lines, ElementsAre(Line{0, 5}, Line{20, 7}, Line{30, 7}));
  EXPECT_EQ(Told("root").flags, uint32_t{Method::kObserved}) << "a caller is as observed";
  EXPECT_THAT(Told("root").lines, IsEmpty());
}

// Inference.

constexpr uint8_t kInvokestatic = 184, kNew = 187, kGetfield = 180, kFastInvokevfinal = 227;

TEST_P(EntryWalkerTest, BothCompilationsOfACallAreTold) {
  BeginInferring();
  HasBytecodes(root_, {{3, kInvokestatic}, {17, kInvokestatic}, {30, kInvokestatic}});
  HasBytecodes(other_, {{9, kInvokestatic}});
  const uintptr_t caller = Compile(
      root_, 1, {{40, {{&other_, 9}, {&root_, 3}}}, {48, {{&root_, 17}}}, {56, {{&root_, 30}}}});
  for (const int32_t at : {40, 48}) HasCall(caller, at);  // 56: a poll.
  vm_.SetCalls(leaf_code_, leaf_, {{60, {{&leaf_, 5}}}});
  vm_.code.SetCompilation(leaf_code_, 1, -1, 0);
  const EntryWalker::Answer inlined = Walk(leaf_code_, CalledFrom(caller, 40));
  EXPECT_EQ(InWords(inlined), "app.Main.other@9 > app.Leaf.leaf");
  EXPECT_EQ(WayOf(inlined), "4: root other<0@3; calls 0@17 1@9 | 1 > 1: leaf");
  const EntryWalker::Answer own = Walk(leaf_code_, CalledFrom(caller, 48));
  EXPECT_EQ(InWords(own), "app.Main.root@17 > app.Leaf.leaf");
  EXPECT_EQ(WayOf(own), "4: root other<0@3; calls 0@17 1@9 | 0 > 1: leaf");
  EXPECT_EQ(compiled_.size(), 2u) << "each once";
}

TEST_P(EntryWalkerTest, WithoutInferenceNothingOfCompilationsIsTold) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&other_, 9}, {&root_, 3}}}});
  const EntryWalker::Answer answer = Walk(leaf_code_, CalledFrom(caller, 40));
  EXPECT_EQ(answer.outcome, EntryWalker::Outcome::kEdge);
  EXPECT_EQ(answer.call, kNoCompiledCall);
  LearnCompiled();
  EXPECT_THAT(compiled_, IsEmpty());
  EXPECT_THAT(ways_, IsEmpty());
}

TEST_P(EntryWalkerTest, TheMemoGivesTheSameWay) {
  BeginInferring();
  const uintptr_t caller = Compile(root_, 1, {{40, {{&other_, 9}, {&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  const EntryWalker::Answer first = Walk(leaf_code_, stack);
  ASSERT_NE(first.call, kNoCompiledCall);
  vm_.SetCalls(caller, other_, {{40, {{&other_, 5}}}});
  const EntryWalker::Answer second = Walk(leaf_code_, stack);
  EXPECT_EQ(second.outcome, EntryWalker::Outcome::kEdge);
  EXPECT_EQ(second.edge, first.edge);
  EXPECT_EQ(second.call, first.call);
}

TEST_P(EntryWalkerTest, ACompilationInAReusedPlaceAndOneOfAnotherRecordingAreNew) {
  BeginInferring();
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  const EntryWalker::Answer first = Walk(leaf_code_, stack);
  EXPECT_EQ(WayOf(first), "4: root | 0 > 4: leaf");
  vm_.code.SetCompileId(caller, 2);
  vm_.SetCalls(caller, other_, {{40, {{&root_, 5}, {&other_, 3}}}});
  vm_.code.SetCompilation(caller, 2, 12, 0);
  const EntryWalker::Answer reused = Walk(leaf_code_, stack);
  EXPECT_EQ(InWords(reused), "app.Main.root@5 > app.Leaf.leaf");
  EXPECT_EQ(WayOf(reused), "2 in a loop: other root<0@3 | 1 > 4: leaf");
  EXPECT_EQ(compiled_.size(), 3u);
  BeginInferring();
  const EntryWalker::Answer again = Walk(leaf_code_, stack);
  EXPECT_EQ(again.edge, reused.edge);
  EXPECT_NE(again.call, reused.call);
  EXPECT_EQ(WayOf(again), "2 in a loop: other root<0@3 | 1 > 4: leaf");
  EXPECT_EQ(compiled_.size(), 5u);
}

// What a walk under way may use is not forgotten: address and thread sanitizers see it.
TEST_P(EntryWalkerTest, RecordingsMayBeginWhileThreadsWalk) {
  BeginInferring();
  const uintptr_t caller = Compile(root_, 1, {{40, {{&other_, 9}, {&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  const EdgeId edge = Walk(leaf_code_, stack).edge;
  std::atomic<bool> go_on{true};
  std::atomic<int> wrong{0};
  std::vector<std::thread> walkers;
  for (int i = 0; i < 2; ++i) {
    walkers.emplace_back([&] {
      while (go_on.load(std::memory_order_relaxed)) {
        const EntryWalker::Answer answer = Walk(leaf_code_, stack);
        const bool is_right = answer.outcome == EntryWalker::Outcome::kEdge
                                  ? answer.edge == edge && answer.call != kNoCompiledCall
                                  : answer.reason == Drop::kCalleeUnknown;
        if (!is_right) wrong.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    BeginInferring();
    registry_.compilations().TakeUpdates();
    std::this_thread::yield();
  }
  go_on.store(false, std::memory_order_relaxed);
  for (std::thread& walker : walkers) walker.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(Walk(leaf_code_, stack).edge, edge);
}

TEST_P(EntryWalkerTest, CallsOfAMethodThatIsNotObservedCountWhenItInlinesOneThatIs) {
  FakeMethod& library = vm_.AddMethod("java/util/ArrayList", "forEach");
  FakeMethod& helper = vm_.AddMethod("java/util/Objects", "requireNonNull");
  for (FakeMethod* method : {&library, &helper}) method->SetLoader(nullptr);
  const uintptr_t wanted = Compile(library, 1, {{40, {{&other_, 2}, {&helper, 1}, {&library, 6}}}});
  const uintptr_t unwanted = Compile(library, 2, {{40, {{&helper, 1}, {&library, 6}}}});
  const uintptr_t caller = Compile(root_, 3, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  EXPECT_EQ(Call(wanted, stack), "not observed") << "nothing is inferred";
  BeginInferring();
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Call(wanted, stack), "app.Main.root@3 > java.util.ArrayList.forEach");
    EXPECT_EQ(Call(unwanted, stack), "not observed");
  }
  EXPECT_EQ(WayOf(Walk(wanted, stack)), "4: root | 0 > 4: forEach requireNonNull<0@6 other<1@1");
  EXPECT_EQ(Told("forEach").flags, 0u);
  EXPECT_EQ(Told("other").flags, uint32_t{Method::kObserved});
}

// The VM counts what is called there.
TEST_P(EntryWalkerTest, WhatIsInlinedIntoCodeWithAProfileIsNotTold) {
  BeginInferring();
  HasBytecodes(root_, {{3, kInvokestatic}});
  HasBytecodes(other_, {{9, kInvokestatic}});
  const uintptr_t caller = Compile(root_, 1, {{40, {{&other_, 9}, {&root_, 3}}}});
  HasCall(caller, 40);
  vm_.code.SetCompilation(caller, 3, -1, 0);
  const EntryWalker::Answer answer = Walk(leaf_code_, CalledFrom(caller, 40));
  EXPECT_EQ(InWords(answer), "app.Main.other@9 > app.Leaf.leaf");
  EXPECT_EQ(WayOf(answer), "3: root | 0 > 4: leaf");
}

TEST_P(EntryWalkerTest, GlueWithAProfileIsWhatItInlines) {
  FakeMethod& lambda = vm_.AddMethod("app/Main$$Lambda/0x00007f0c2c000a08", "run");
  const uintptr_t proxy = Compile(lambda, 1, {{40, {{&other_, 7}, {&lambda, 1}}}});
  vm_.code.SetCompilation(proxy, 3, -1, 0);
  BeginInferring();
  const uintptr_t caller = Compile(root_, 2, {{40, {{&root_, 3}}}});
  const EntryWalker::Answer answer = Walk(proxy, CalledFrom(caller, 40));
  EXPECT_EQ(InWords(answer), "app.Main.root@3 > app.Main.other");
  EXPECT_EQ(WayOf(answer), "4: root | 0 > 3: other");
}

class ClockOfReadings final : public Clock {
 public:
  int64_t NowNs() override { return 0; }
  int64_t ThreadCpuNs() override { return ++cpu_readings; }
  int64_t ProcessCpuNs() override { return 0; }
  int64_t cpu_readings = 0;
};

TEST_P(EntryWalkerTest, FindingAnEdgeOutIsALongSampleAndRememberingItAShortOne) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  FakeStack& interpreted = NewStack();
  interpreted.Interpreted(root_, -8, root_.Bcp(3));
  interpreted.First();
  const auto is_long = [&](const FakeStack& from) {
    ClockOfReadings clock;
    SampleCost cost(clock);
    EntryCall call;
    call.callee_pc = vm_.Entry(leaf_code_);
    call.return_address = from.return_address();
    call.frame_pointer = from.frame_pointer();
    EXPECT_EQ(walker_->Walk(call, from.end(), &cost).outcome, EntryWalker::Outcome::kEdge);
    return clock.cpu_readings > 0;
  };
  EXPECT_TRUE(is_long(stack));
  EXPECT_FALSE(is_long(stack));
  EXPECT_TRUE(is_long(interpreted));
  EXPECT_TRUE(is_long(interpreted)) << "never remembered";
}

TEST_P(EntryWalkerTest, InterpretedCallersHaveNoCompilation) {
  BeginInferring();
  FakeStack& interpreted = NewStack();
  interpreted.Interpreted(root_, -8, root_.Bcp(3));
  interpreted.First();
  EXPECT_EQ(WayOf(Walk(leaf_code_, interpreted)), "? | 0 > 4: leaf");
  FakeStack& nobody = NewStack();
  nobody.First();
  EXPECT_EQ(WayOf(Walk(leaf_code_, nobody)), "? | 0 > 4: leaf");
}

TEST_P(EntryWalkerTest, CallsOfInterpretedCallersAreToldApartByWhetherTheyAreCounted) {
  BeginInferring();
  FakeMethodData data(GetParam());
  data.SetOf(root_);
  FakeStack& stack = NewStack();
  uintptr_t* fp = stack.Interpreted(root_, -8, root_.Bcp(3));
  stack.First();
  fp[-5] = 0;
  const EntryWalker::Answer before = Walk(leaf_code_, stack);
  fp[-5] = reinterpret_cast<uintptr_t>(data.LaidOut(root_.method()));
  const EntryWalker::Answer after = Walk(leaf_code_, stack);
  EXPECT_EQ(WayOf(before), WayOf(after));
  EXPECT_EQ(before.edge, after.edge);
  EXPECT_FALSE(ways_.at(before.call).is_caller_profiled);
  EXPECT_TRUE(ways_.at(after.call).is_caller_profiled);
}

TEST_P(EntryWalkerTest, ACompilationThatMakesNoSenseIsNotTold) {
  BeginInferring();
  vm_.SetCalls(leaf_code_, leaf_, {{60, {{&leaf_, 5}}}});
  vm_.code.SetMethod(leaf_code_, other_.method());
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const EntryWalker::Answer answer = Walk(leaf_code_, CalledFrom(caller, 40));
  EXPECT_EQ(InWords(answer), "app.Main.root@3 > app.Main.other");
  EXPECT_EQ(WayOf(answer), "4: root | 0 > ?");
}

TEST_P(EntryWalkerTest, OnlyBytecodesThatMayCallHaveCallSites) {
  BeginInferring();
  HasBytecodes(root_, {{3, kInvokestatic}, {10, kNew}, {20, kGetfield}, {30, kFastInvokevfinal}});
  const uintptr_t caller = Compile(root_, 1,
                                   {{40, {{&root_, 3}}},
                                    {48, {{&root_, 10}}},
                                    {56, {{&root_, 20}}},
                                    {64, {{&root_, 30}}},
                                    {72, {{&root_, -1}}}});
  for (int32_t at = 40; at <= 72; at += 8) HasCall(caller, at);
  EXPECT_EQ(WayOf(Walk(leaf_code_, CalledFrom(caller, 40))),
            "4: root; calls 0@3 0@30 | 0 > 4: leaf");
}

// A lambda's proxy, and the frames between a call site and what it calls in the end.
TEST_P(EntryWalkerTest, GlueIsNoPlaceOfItsOwn) {
  FakeMethod& lambda = vm_.AddMethod("app/Main$$Lambda/0x00007f0c2c000a08", "run");
  HasBytecodes(lambda, {{1, kInvokestatic}, {5, kInvokestatic}});
  HasBytecodes(root_, {{3, kInvokestatic}, {30, kInvokestatic}});
  const uintptr_t caller = Compile(root_, 1,
                                   {{40, {{&lambda, 5}, {&root_, 30}}},
                                    {48, {{&lambda, 1}, {&root_, 30}}},
                                    {56, {{&root_, 3}}}});
  for (const int32_t at : {40, 48, 56}) HasCall(caller, at);
  const uintptr_t proxy = Compile(lambda, 2, {{40, {{&other_, 7}, {&lambda, 1}}}});
  const uintptr_t bare = Compile(lambda, 3, {{40, {{&lambda, 1}}}});

  BeginInferring();
  const EntryWalker::Answer inlined = Walk(leaf_code_, CalledFrom(caller, 40));
  EXPECT_EQ(InWords(inlined), "app.Main.root@30 > app.Leaf.leaf");
  EXPECT_EQ(WayOf(inlined), "4: root; calls 0@3 0@30 | 0 > 4: leaf");
  // The proxy's code is the lambda's body.
  const EntryWalker::Answer body = Walk(proxy, CalledFrom(caller, 56));
  EXPECT_EQ(InWords(body), "app.Main.root@3 > app.Main.other");
  EXPECT_EQ(WayOf(body), "4: root; calls 0@3 0@30 | 0 > 4: other");
  // The proxy's code calls it.
  EXPECT_EQ(Call(bare, CalledFrom(caller, 56)), "not observed");
  FakeStack& through = NewStack();
  through.Compiled(vm_.Pc(bare, 40), 4);
  through.Compiled(vm_.Pc(caller, 56), 4);
  through.First();
  const EntryWalker::Answer called = Walk(leaf_code_, through);
  EXPECT_EQ(InWords(called), "app.Main.root@3 > app.Leaf.leaf");
  EXPECT_EQ(WayOf(called), "4: root; calls 0@3 0@30 | 0 > 4: leaf");
}

TEST_P(EntryWalkerTest, WhatIsMissingFromTheTablesIsRefusedByName) {
  for (const auto& [type, field] :
       {std::pair("StubQueue", "_stub_buffer"), std::pair("Klass", "_class_loader_data"),
        std::pair(GetParam() < 25 ? "CompiledMethod" : "nmethod", "_method")}) {
    FakeVm vm(GetParam());
    vm.code.tables.RemoveField(type, field);
    const Result<VmStructs> structs = vm.code.tables.Read();
    ASSERT_TRUE(structs.ok());
    const auto walker = EntryWalker::Create(*structs, *code_cache_, GetParam(), registry_);
    ASSERT_FALSE(walker.ok()) << field;
    EXPECT_THAT(std::string(walker.message()), HasSubstr(std::string("::") + field));
  }
}

TEST_P(EntryWalkerTest, AStackHasAllFramesAndWhatIsInlinedInThem) {
  const uintptr_t inner = Compile(root_, 1, {{40, {{&other_, 9}, {&root_, 3}}}});
  const uintptr_t outer = Compile(other_, 2, {{60, {{&other_, 21}}}});
  FakeMethod& main = vm_.AddMethod("app/Main", "main");
  FakeStack& stack = NewStack();
  stack.Compiled(vm_.Pc(inner, 40), 4);
  stack.Compiled(vm_.Pc(outer, 60), 4);
  stack.Interpreted(main, -8, main.Bcp(7));
  stack.First();
  const std::string expected =
      "app.Main.main@7 | app.Main.other@21 | app.Main.root@3 > app.Main.other@9";
  EXPECT_EQ(StackOf(stack), expected);
  EXPECT_EQ(StackOf(stack), expected) << "from the memo";
}

TEST_P(EntryWalkerTest, AStackGoesOnWhereJavaCalledTheVm) {
  const uintptr_t inner = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const uintptr_t outer = Compile(other_, 2, {{60, {{&other_, 21}}}});
  for (const bool pc_in_anchor : {true, false}) {
    FakeStack& stack = NewStack();
    stack.Compiled(vm_.Pc(inner, 40), 4);
    stack.CalledFromJava(pc_in_anchor);
    stack.Compiled(vm_.Pc(outer, 60), 4);
    stack.First();
    EXPECT_EQ(StackOf(stack), "app.Main.other@21 | app.Main.root@3");
  }
}

TEST_P(EntryWalkerTest, GlueIsNotOnTheStack) {
  FakeMethod& glue = vm_.AddMethod("java/lang/invoke/LambdaForm$MH+0x0000000800c03400", "invoke");
  const uintptr_t adapter = Compile(glue, 1, {{40, {{&glue, 3}}}});
  const uintptr_t caller = Compile(root_, 2, {{60, {{&glue, 4}, {&root_, 21}}}});
  FakeStack& stack = NewStack();
  stack.Compiled(vm_.Pc(adapter, 40), 4);
  stack.Compiled(vm_.Pc(caller, 60), 4);
  stack.First();
  EXPECT_EQ(StackOf(stack), "app.Main.root@21");
  EXPECT_EQ(StackOf(stack), "app.Main.root@21");
}

TEST_P(EntryWalkerTest, AStackFromAPlaceThatIsReusedIsTheNewOne) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  ASSERT_EQ(StackOf(stack), "app.Main.root@3");
  vm_.code.SetCompileId(caller, 2);
  vm_.SetCalls(caller, other_, {{40, {{&other_, 5}}}});
  EXPECT_EQ(StackOf(stack), "app.Main.other@5");
}

TEST_P(EntryWalkerTest, AStackWithAnUnknownFrameIsNone) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  FakeStack& stack = NewStack();
  stack.Compiled(vm_.Pc(caller, 40), 4);
  stack.Return(0x1234, 0);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(StackOf(stack), "caller_unknown");
}

TEST_P(EntryWalkerTest, AStackForWhichThereIsNoRoomIsNone) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  FakeStack& stack = NewStack();
  for (int i = 0; i < 5; ++i) stack.Compiled(vm_.Pc(caller, 40), 4);
  stack.First();
  EXPECT_EQ(StackOf(stack, 4), "stack_too_deep");
  EXPECT_EQ(StackOf(stack, 5),
            "app.Main.root@3 | app.Main.root@3 | app.Main.root@3 | app.Main.root@3 | "
            "app.Main.root@3");
}

TEST_P(EntryWalkerTest, ThereAreStacksOnlyWhereTheyAreWanted) {
  const uintptr_t caller = Compile(root_, 1, {{40, {{&root_, 3}}}});
  const FakeStack& stack = CalledFrom(caller, 40);
  BeginInferring();
  EXPECT_EQ(StackOf(stack), "caller_unknown");
}

}  // namespace
}  // namespace yp::hotspot
