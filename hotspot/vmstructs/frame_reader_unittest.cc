#include "hotspot/vmstructs/frame_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/frames_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using FrameKind = FrameReader::Kind;

// Frames in words: "leaf@7 root@3" is one physical frame of two methods.
class FrameReaderTest : public ::testing::TestWithParam<int> {
 protected:
  FrameReaderTest() {
    const Result<VmStructs> structs = vm_.code.tables.Read();
    EXPECT_TRUE(structs.ok());
    code_cache_.emplace(*CodeCache::Create(*structs));
    Result<FrameReader> reader = FrameReader::Create(*structs, *code_cache_, GetParam());
    EXPECT_TRUE(reader.ok()) << reader.message();
    reader_.emplace(*std::move(reader));
  }

  FakeMethod& AddMethod(const std::string& name) {
    FakeMethod& method = vm_.AddMethod("app/Main", name);
    names_[method.method()] = name;
    return method;
  }
  // Up to the last frame that can be gone on from.
  std::vector<std::string> Walk(size_t room = 8) {
    FrameReader::Position position = First();
    std::vector<std::string> frames;
    std::vector<DebugInfo::Scope> scopes(room);
    for (int i = 0; i < 20; ++i) {
      const FrameReader::Position before = position;
      const FrameReader::Frame frame = reader_->Next(position, scopes);
      frames.push_back(InWords(frame, scopes));
      if (frame.kind == FrameKind::kEnd || frame.kind == FrameKind::kUnknown) break;
      EXPECT_GT(position.sp, before.sp) << "outward";
    }
    return frames;
  }
  FrameReader::Position First() const {
    return {*stack_.return_address(), stack_.return_address() + 1, stack_.frame_pointer(),
            stack_.end()};
  }
  std::string InWords(const FrameReader::Frame& frame,
                      const std::vector<DebugInfo::Scope>& scopes) const {
    std::string text = frame.kind == FrameKind::kNotJava       ? "not Java"
                       : frame.kind == FrameKind::kEnd         ? "end"
                       : frame.kind == FrameKind::kNoDebugInfo ? "no debug info"
                       : frame.kind == FrameKind::kUnknown     ? "unknown"
                                                               : "";
    for (size_t i = 0; i < frame.scope_count; ++i) {
      const auto name = names_.find(scopes[i].method);
      text += (i == 0 ? "" : " ") + (name == names_.end() ? "?" : name->second) + "@" +
              std::to_string(scopes[i].bci);
    }
    return text + (frame.is_deoptimised ? " deoptimised" : "");
  }

  FakeVm vm_{GetParam()};
  FakeStack stack_{vm_};
  std::map<const void*, std::string> names_;
  std::optional<CodeCache> code_cache_;
  std::optional<FrameReader> reader_;
};

INSTANTIATE_TEST_SUITE_P(Jdks, FrameReaderTest, ::testing::Values(11, 17, 21, 25),
                         ::testing::PrintToStringParamName());

TEST_P(FrameReaderTest, CompiledFramesHaveTheirInlinedMethods) {
  FakeMethod& root = AddMethod("root");
  FakeMethod& middle = AddMethod("middle");
  FakeMethod& leaf = AddMethod("leaf");
  const uintptr_t first = vm_.Compile(
      root, 1, 6, {{40, {{&leaf, 7}, {&middle, 5}, {&root, 3}}}, {48, {{&root, 4999}}}});
  const uintptr_t second = vm_.Compile(leaf, 2, 2, {{44, {{&leaf, -1}}}});
  stack_.Compiled(vm_.Pc(first, 40), 6);
  stack_.Compiled(vm_.Pc(second, 44), 2);
  stack_.Compiled(vm_.Pc(first, 48), 6);
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("leaf@7 middle@5 root@3", "leaf@-1", "root@4999", "end"));

  FrameReader::Position position = First();
  std::array<DebugInfo::Scope, 8> scopes;
  const FrameReader::Frame frame = reader_->Next(position, scopes);
  EXPECT_TRUE(frame.is_compiled);
  EXPECT_FALSE(frame.is_deoptimised);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(frame.code.blob), first);
  EXPECT_EQ(frame.code.compile_id, 1);
  EXPECT_EQ(position.pc, vm_.Pc(second, 44));
  EXPECT_EQ(position.sp, stack_.return_address() + 1 + 6);
  EXPECT_EQ(position.frame_pointer, FakeStack::kNoPointer);
}

TEST_P(FrameReaderTest, ANativeMethodsWrapperNeedsNoDebugInfo) {
  FakeMethod& native = AddMethod("nanoTime");
  FakeMethod& root = AddMethod("root");
  native.SetAccess(FakeMethod::kAccNative | FakeMethod::kAccStatic);
  const uintptr_t wrapper = vm_.Compile(native, 5, 8, {}, "native nmethod");
  const uintptr_t caller = vm_.Compile(root, 6, 4, {{40, {{&root, 9}}}});
  stack_.Compiled(vm_.Pc(wrapper, 77), 8);
  stack_.Compiled(vm_.Pc(caller, 40), 4);
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("nanoTime@-1", "root@9", "end"));
}

// Where the bytecode pointer lies differs between releases.
TEST_P(FrameReaderTest, AnInterpretedFramesBytecodePointerIsFoundInEitherPlace) {
  FakeMethod& first = AddMethod("first");
  FakeMethod& last = AddMethod("last");
  stack_.Interpreted(first, -8, first.Bcp(0));
  stack_.Interpreted(last, -8, last.Bcp(FakeMethod::kCodeSize - 1), 0);
  stack_.Interpreted(first, -9, first.Bcp(12));
  stack_.Interpreted(last, -9, last.Bcp(4));
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("first@0", "last@4999", "first@12", "last@4", "end"));
}

// The word from rbp that is null, or where in the MethodData the frame counts its calls.
TEST_P(FrameReaderTest, AnInterpretedFrameIsProfiledFromWhenItPointsIntoItsMethodsProfile) {
  FakeMethod& method = AddMethod("method");
  uintptr_t* fp = stack_.Interpreted(method, -8, method.Bcp(1));
  stack_.First();
  const auto is_profiled = [&](uintptr_t word) {
    fp[-5] = word;
    FrameReader::Position position = First();
    std::array<DebugInfo::Scope, 1> scopes;
    const FrameReader::Frame frame = reader_->Next(position, scopes);
    EXPECT_EQ(frame.kind, FrameKind::kJava);
    return frame.is_profiled;
  };
  EXPECT_FALSE(is_profiled(0)) << "the method has no profile";
  FakeMethodData data(GetParam());
  data.AddCall(1, 7);
  data.SetOf(method);
  const auto begin = reinterpret_cast<uintptr_t>(data.LaidOut(method.method()));
  const uintptr_t bytes = data.size();
  EXPECT_FALSE(is_profiled(0)) << "the frame is older than the profile";
  EXPECT_TRUE(is_profiled(begin));
  EXPECT_TRUE(is_profiled(begin + bytes - 8));
  EXPECT_FALSE(is_profiled(begin - 8));
  EXPECT_FALSE(is_profiled(begin + bytes));
}

TEST_P(FrameReaderTest, APointerThatIsNoBytecodesIsNotTakenForOne) {
  for (const int at : {-8, -9}) {
    for (const int32_t bci : {-1, static_cast<int32_t>(FakeMethod::kCodeSize)}) {
      FakeStack stack(vm_);
      FakeMethod& method = AddMethod("method");
      stack.Interpreted(method, at, method.Bcp(bci));
      stack.First();
      FrameReader::Position position{*stack.return_address(), stack.return_address() + 1,
                                     stack.frame_pointer(), stack.end()};
      std::array<DebugInfo::Scope, 1> scopes;
      EXPECT_EQ(reader_->Next(position, scopes).kind, FrameKind::kUnknown) << at << " " << bci;
    }
  }
}

TEST_P(FrameReaderTest, AnInterpretedNativeMethodHasNoBytecode) {
  FakeMethod& native = AddMethod("currentThread");
  native.SetAccess(FakeMethod::kAccNative);
  stack_.Interpreted(native, -8, 0);
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("currentThread@-1", "end"));
}

TEST_P(FrameReaderTest, InterpretedAndCompiledFramesCallEachOther) {
  FakeMethod& one = AddMethod("one");
  FakeMethod& two = AddMethod("two");
  const uintptr_t code = vm_.Compile(two, 1, 5, {{40, {{&two, 2}}}});
  stack_.Interpreted(one, -8, one.Bcp(1), 7);
  stack_.Compiled(vm_.Pc(code, 40), 5);
  stack_.Interpreted(one, -8, one.Bcp(3), 0);
  stack_.Compiled(vm_.Pc(code, 40), 5);
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("one@1", "two@2", "one@3", "two@2", "end"));
}

TEST_P(FrameReaderTest, TheStubWithAnAnchorGoesOnToTheLastJavaFrame) {
  FakeMethod& inner = AddMethod("inner");
  FakeMethod& outer = AddMethod("outer");
  const uintptr_t code = vm_.Compile(inner, 1, 5, {{40, {{&inner, 2}}}});
  stack_.Compiled(vm_.Pc(code, 40), 5);
  stack_.CalledFromJava(true);
  stack_.Compiled(vm_.Pc(code, 40), 5);
  FakeVm::Wrapper* wrapper = stack_.CalledFromJava(false);
  stack_.Interpreted(outer, -8, outer.Bcp(8));
  stack_.First();
  ASSERT_EQ(wrapper->anchor.last_pc, 0u);
  EXPECT_THAT(Walk(), ElementsAre("inner@2", "not Java", "inner@2", "not Java", "outer@8", "end"));
  // What lies below the last stack pointer counts only where the anchor has no pc.
  wrapper->anchor.last_pc = vm_.Pc(code, 40);
  reinterpret_cast<uintptr_t*>(wrapper->anchor.last_sp)[-1] = 0;
  EXPECT_EQ(Walk()[4], "inner@2");
}

TEST_P(FrameReaderTest, StubsWithAFrameAreSteppedOver) {
  FakeMethod& root = AddMethod("root");
  const uintptr_t stub = vm_.AddStub("RuntimeStub", 12);
  const uintptr_t code = vm_.Compile(root, 1, 5, {{40, {{&root, 2}}}});
  stack_.Compiled(stub + 300, 12);
  stack_.Compiled(vm_.Pc(code, 40), 5);
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("not Java", "root@2", "end"));
}

// The frame's own return address has become that of the handler.
TEST_P(FrameReaderTest, ADeoptimisedFramesRealPcIsKeptInIt) {
  FakeMethod& root = AddMethod("root");
  FakeMethod& leaf = AddMethod("leaf");
  const uintptr_t code = vm_.Compile(root, 1, 6, {{40, {{&leaf, 7}, {&root, 3}}}});
  vm_.code.SetOrigPcOffset(code, 16);
  for (const int32_t handler : {FakeCodeCache::kDeoptHandler, FakeCodeCache::kDeoptMhHandler}) {
    uintptr_t* sp = stack_.Compiled(code + static_cast<uintptr_t>(handler), 6);
    sp[2] = vm_.Pc(code, 40);
  }
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("leaf@7 root@3 deoptimised", "leaf@7 root@3 deoptimised", "end"));
}

TEST_P(FrameReaderTest, ADeoptimisedFramesPcIsSoughtWithinTheFrameOnly) {
  FakeMethod& root = AddMethod("root");
  const uintptr_t code = vm_.Compile(root, 1, 6, {{40, {{&root, 3}}}});
  uintptr_t* sp = stack_.Compiled(code + FakeCodeCache::kDeoptHandler, 6);
  for (int i = 0; i < 12; ++i) sp[i] = vm_.Pc(code, 40);
  stack_.First();
  vm_.code.SetOrigPcOffset(code, 3 * 8);
  EXPECT_EQ(Walk()[0], "root@3 deoptimised");
  vm_.code.SetOrigPcOffset(code, 5 * 8);  // Where the return address is.
  EXPECT_EQ(Walk()[0], "no debug info deoptimised");
  for (const int32_t offset : {-8, 6 * 8, 1 << 30}) {
    vm_.code.SetOrigPcOffset(code, offset);
    EXPECT_THAT(Walk(), ElementsAre("unknown")) << offset;
  }
}

TEST_P(FrameReaderTest, CompiledCodeWithoutDebugInfoIsSteppedOverAndSaysSo) {
  FakeMethod& root = AddMethod("root");
  const uintptr_t code = vm_.Compile(root, 1, 6, {{40, {{&root, 3}}}});
  stack_.Compiled(vm_.Pc(code, 41), 6);
  stack_.Compiled(vm_.Pc(code, 40), 6);
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("no debug info", "root@3", "end"));
}

TEST_P(FrameReaderTest, MoreScopesThanThereIsRoomForAreNone) {
  FakeMethod& root = AddMethod("root");
  FakeMethod& leaf = AddMethod("leaf");
  const uintptr_t code = vm_.Compile(root, 1, 6, {{40, {{&leaf, 7}, {&root, 3}}}});
  stack_.Compiled(vm_.Pc(code, 40), 6);
  stack_.First();
  EXPECT_THAT(Walk(2), ElementsAre("leaf@7 root@3", "end"));
  EXPECT_THAT(Walk(1), ElementsAre("no debug info", "end"));
  EXPECT_THAT(Walk(0), ElementsAre("", "end")) << "unread, and gone on from";
}

TEST_P(FrameReaderTest, APcOutsideOfTheCodeCacheIsUnknown) {
  const int no_code = 0;
  for (const uintptr_t pc : {uintptr_t{0}, reinterpret_cast<uintptr_t>(&no_code), vm_.code.high(),
                             vm_.code.SegmentAddress(0, 500), vm_.code.SegmentAddress(1, 0)}) {
    FakeStack stack(vm_);
    stack.Compiled(pc, 4);
    FrameReader::Position position{pc, stack.return_address() + 1, 0, stack.end()};
    const FrameReader::Position before = position;
    std::array<DebugInfo::Scope, 4> scopes;
    EXPECT_EQ(reader_->Next(position, scopes).kind, FrameKind::kUnknown);
    EXPECT_EQ(position.sp, before.sp);
    EXPECT_EQ(position.pc, before.pc);
  }
}

TEST_P(FrameReaderTest, OnlyTheInterpretersOwnCodeIsTheInterpreters) {
  FakeMethod& method = AddMethod("method");
  stack_.Interpreted(method, -8, method.Bcp(1));
  stack_.First();
  const auto at = [&](uintptr_t pc) {
    FrameReader::Position position = First();
    position.pc = pc;
    std::array<DebugInfo::Scope, 4> scopes;
    return reader_->Next(position, scopes).kind;
  };
  const uintptr_t begin = 2 * vm_.interpreter_pc() - vm_.interpreter_end();
  EXPECT_EQ(at(begin), FrameKind::kJava);
  EXPECT_EQ(at(vm_.interpreter_end() - 1), FrameKind::kJava);
  EXPECT_EQ(at(begin - 1), FrameKind::kUnknown) << "of its blob, which has no frame";
  EXPECT_EQ(at(vm_.interpreter_end()), FrameKind::kUnknown);
  vm_.RemoveInterpreter();
  EXPECT_EQ(at(begin), FrameKind::kUnknown);
}

TEST_P(FrameReaderTest, CodeWithoutAMethodOrAFrameIsUnknown) {
  FakeMethod& root = AddMethod("root");
  const uintptr_t code = vm_.Compile(root, 1, 6, {{40, {{&root, 3}}}});
  const uintptr_t frameless = vm_.AddStub("stub", 1);
  stack_.Compiled(vm_.Pc(code, 40), 6);
  stack_.Compiled(frameless + 200, 1);
  stack_.First();
  EXPECT_THAT(Walk(), ElementsAre("root@3", "unknown"));
  vm_.code.SetMethod(code, nullptr);
  EXPECT_THAT(Walk(), ElementsAre("unknown"));
}

// What is no pointer into the stack is refused, not followed: most of these would fault.
class FrameReaderBoundsTest : public FrameReaderTest {
 protected:
  // The kind of the frame at `position`, with that stack end.
  FrameKind At(const FrameReader::Position& position) {
    FrameReader::Position at = position;
    std::array<DebugInfo::Scope, 4> scopes;
    return reader_->Next(at, scopes).kind;
  }
  std::vector<uintptr_t> BadPointers(uintptr_t low) const {
    return {0,       8,       ~uintptr_t{0}, ~uintptr_t{7},   uintptr_t{1} << 63,
            low - 8, low + 1, stack_.end(),  stack_.end() - 4};
  }
};

INSTANTIATE_TEST_SUITE_P(Jdks, FrameReaderBoundsTest, ::testing::Values(11, 17, 21, 25),
                         ::testing::PrintToStringParamName());

TEST_P(FrameReaderBoundsTest, CompiledFramesEndOnTheStack) {
  FakeMethod& root = AddMethod("root");
  const uintptr_t code = vm_.Compile(root, 1, 6, {{40, {{&root, 3}}}});
  stack_.Compiled(vm_.Pc(code, 40), 6);
  FrameReader::Position position = First();
  EXPECT_EQ(At(position), FrameKind::kJava);
  for (int missing = 1; missing <= 6; ++missing) {
    position.stack_end = stack_.end() - static_cast<uintptr_t>(missing) * 8;
    EXPECT_EQ(At(position), FrameKind::kUnknown) << missing;
  }
  position = First();
  position.sp = reinterpret_cast<const uintptr_t*>(position.stack_end);
  EXPECT_EQ(At(position), FrameKind::kUnknown);
  position.sp = reinterpret_cast<const uintptr_t*>(stack_.begin() + 4);
  EXPECT_EQ(At(position), FrameKind::kUnknown);
}

TEST_P(FrameReaderBoundsTest, InterpretedFramesLieOnTheStack) {
  FakeMethod& method = AddMethod("method");
  uintptr_t* fp = stack_.Interpreted(method, -8, method.Bcp(1), 0);
  FrameReader::Position position = First();
  ASSERT_EQ(position.frame_pointer, reinterpret_cast<uintptr_t>(fp));
  EXPECT_EQ(At(position), FrameKind::kJava);
  for (const uintptr_t bad : BadPointers(stack_.begin())) {
    position.frame_pointer = bad;
    EXPECT_EQ(At(position), FrameKind::kUnknown) << bad;
  }
  position = First();
  position.sp = fp - 9;
  EXPECT_EQ(At(position), FrameKind::kJava);
  position.sp = fp - 8;
  EXPECT_EQ(At(position), FrameKind::kUnknown) << "below the stack pointer";
  position = First();
  position.stack_end = reinterpret_cast<uintptr_t>(fp + 1);
  EXPECT_EQ(At(position), FrameKind::kUnknown) << "the return address is beyond";
}

TEST_P(FrameReaderBoundsTest, ASendersStackPointerThatIsNoneIsTheFramesEnd) {
  FakeMethod& method = AddMethod("method");
  uintptr_t* fp = stack_.Interpreted(method, -8, method.Bcp(1), 4);
  stack_.First();
  std::array<DebugInfo::Scope, 4> scopes;
  FrameReader::Position position = First();
  EXPECT_EQ(reader_->Next(position, scopes).kind, FrameKind::kJava);
  EXPECT_EQ(position.sp, fp + 6);
  for (const uintptr_t bad :
       {uintptr_t{0}, reinterpret_cast<uintptr_t>(fp - 1), stack_.end(), ~uintptr_t{7}}) {
    fp[-1] = bad;
    position = First();
    EXPECT_EQ(reader_->Next(position, scopes).kind, FrameKind::kJava);
    EXPECT_EQ(position.sp, fp + 2) << bad;
  }
}

TEST_P(FrameReaderBoundsTest, InterpretedFramesHaveAMethodWithCode) {
  FakeMethod& method = AddMethod("method");
  uintptr_t* fp = stack_.Interpreted(method, -8, method.Bcp(1));
  stack_.First();
  fp[-3] = 0;
  EXPECT_EQ(At(First()), FrameKind::kUnknown);
  fp[-3] = reinterpret_cast<uintptr_t>(method.method());
  EXPECT_EQ(At(First()), FrameKind::kJava);
  method.RemoveCode();
  EXPECT_EQ(At(First()), FrameKind::kUnknown);
}

TEST_P(FrameReaderBoundsTest, TheStubAndItsWrapperLieOnTheStack) {
  FakeVm::Wrapper* wrapper = stack_.First();
  FrameReader::Position position = First();
  auto* fp = reinterpret_cast<uintptr_t*>(position.frame_pointer);
  EXPECT_EQ(At(position), FrameKind::kEnd);
  for (const uintptr_t bad : BadPointers(stack_.begin())) {
    position.frame_pointer = bad;
    EXPECT_EQ(At(position), FrameKind::kUnknown) << bad;
  }
  position = First();
  position.sp = fp - 5;
  EXPECT_EQ(At(position), FrameKind::kUnknown) << "below the stack pointer";
  position = First();
  position.stack_end = reinterpret_cast<uintptr_t>(&wrapper->anchor.last_fp);
  EXPECT_EQ(At(position), FrameKind::kUnknown) << "the anchor is beyond";
  for (const uintptr_t bad : BadPointers(reinterpret_cast<uintptr_t>(fp))) {
    fp[-6] = bad;
    EXPECT_EQ(At(First()), FrameKind::kUnknown) << bad;
  }
}

TEST_P(FrameReaderBoundsTest, TheLastStackPointerLiesOnTheStack) {
  FakeVm::Wrapper* wrapper = stack_.CalledFromJava(false);
  stack_.Compiled(vm_.interpreter_pc(), 4);
  EXPECT_EQ(At(First()), FrameKind::kNotJava);
  const uintptr_t fp = First().frame_pointer;
  for (const uintptr_t bad : BadPointers(fp)) {
    if (bad == 0) continue;  // None: the first frame.
    wrapper->anchor.last_sp = bad;
    EXPECT_EQ(At(First()), FrameKind::kUnknown) << bad;
  }
  wrapper->anchor.last_sp = fp;
  EXPECT_EQ(At(First()), FrameKind::kUnknown) << "the pc below it is not above the stub's frame";
}

TEST_P(FrameReaderTest, WhatIsMissingFromTheTablesIsRefusedByName) {
  for (const auto& [type, field] :
       {std::pair("AbstractInterpreter", "_code"), std::pair("StubQueue", "_stub_buffer"),
        std::pair("StubQueue", "_buffer_limit"),
        std::pair("StubRoutines", "_call_stub_return_address"),
        std::pair("JavaCallWrapper", "_anchor"), std::pair("JavaFrameAnchor", "_last_Java_sp"),
        std::pair("JavaFrameAnchor", "_last_Java_pc"),
        std::pair("JavaFrameAnchor", "_last_Java_fp"), std::pair("nmethod", "_orig_pc_offset"),
        std::pair("Method", "_access_flags"), std::pair("Method", "_constMethod"),
        std::pair("ConstMethod", "_code_size"), std::pair("MethodData", "_size"),
        std::pair("PcDesc", "_pc_offset")}) {
    FakeVm vm(GetParam());
    vm.code.tables.RemoveField(type, field);
    const Result<VmStructs> structs = vm.code.tables.Read();
    ASSERT_TRUE(structs.ok());
    const Result<FrameReader> reader = FrameReader::Create(*structs, *code_cache_, GetParam());
    ASSERT_FALSE(reader.ok()) << type << field;
    EXPECT_THAT(std::string(reader.message()),
                HasSubstr("lack " + std::string(type) + "::" + field));
  }
}

}  // namespace
}  // namespace yp::hotspot
