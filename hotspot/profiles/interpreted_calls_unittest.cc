#include "hotspot/profiles/interpreted_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/classes_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Class = FakeClasses::Class;
using Since = InterpretedCalls::Since;

// Base has run; Derived overrides it and implements Face's area. Caller calls.
class InterpretedCallsTest : public ::testing::TestWithParam<int> {
 protected:
  static constexpr uint32_t kPublic = 1, kStatic = 8, kAbstract = 0x400;
  static constexpr int32_t kNotInVtable = -2;
  static constexpr uint8_t kVirtual = 182, kSpecial = 183, kInvokeStatic = 184, kInterface = 185;
  static constexpr uint8_t kIfeq = 153, kFastAload0 = 220, kReturn = 177;
  static constexpr uint8_t kGetstatic = 178, kNew = 187;
  using Called = FakeClasses::Method;

  InterpretedCallsTest() {
    Result<CallResolver> resolver = CallResolver::Create(*vm_.tables.Read(), blocks_);
    EXPECT_TRUE(resolver.ok()) << resolver.message();
    if (resolver) resolver_.emplace(*std::move(resolver));
    Result<ClassReader> classes = ClassReader::Create(*vm_.tables.Read(), blocks_);
    EXPECT_TRUE(classes.ok()) << classes.message();
    if (classes) classes_.emplace(*classes);
    FakeClasses::SetVtable(base_, {base_run_});
    FakeClasses::SetVtable(derived_, {derived_run_, derived_area_});
    derived_->interfaces->data[0] = face_;
    derived_->interfaces->length = 1;
  }

  // A method of the caller's class, executed 5 times.
  Called* AddCaller(std::vector<uint8_t> code) {
    code.push_back(kReturn);
    Called* method = vm_.AddMethod(caller_, "call", "()V", kPublic, kNotInVtable, code);
    Executed(caller_, method, 5);
    return method;
  }
  static std::vector<uint8_t> CallOf(uint8_t opcode, uint16_t index) {
    std::vector<uint8_t> code = {opcode, 0, 0};
    std::memcpy(&code[1], &index, sizeof(index));
    if (opcode == kInterface) code.insert(code.end(), {1, 0});
    return code;
  }
  static std::vector<uint8_t> Joined(const std::vector<std::vector<uint8_t>>& parts) {
    std::vector<uint8_t> code;
    for (const auto& part : parts) code.insert(code.end(), part.begin(), part.end());
    return code;
  }
  void Executed(Class* klass, Called* method, int64_t times, int64_t loops = 0) {
    names_[method] = MethodId{static_cast<uint32_t>(100 + names_.size())};
    executed_[klass].push_back({method, klass, times, loops});
  }
  // "caller: bci > callees, once, loop, certain" of each site.
  std::vector<std::string> Read(Since since = Since::kRecordingBegan,
                                const std::function<bool()>& may_go_on = nullptr) {
    std::vector<InterpretedCalls::Method> methods;
    for (const auto& [klass, of_class] : executed_) {
      methods.insert(methods.end(), of_class.begin(), of_class.end());
    }
    blocks_.Forget();
    InterpretedCalls calls(*resolver_, *classes_, methods,
                           {.is_observed = [&](const void* of) { return !hidden_.contains(of); },
                            .id_of = [&](const void* of) { return names_.at(of); }},
                           since);
    told_ = calls.Read(may_go_on);
    untold_share_ = calls.untold_share();
    std::vector<std::string> read;
    for (const spool::InterpretedCalls::Method& method : told_.methods) {
      for (const spool::InterpretedCalls::Site& site : method.sites) {
        std::string text = Name(method.method) + ": " + std::to_string(site.bci) + " >";
        for (const MethodId callee : told_.targets[site.target]) text += " " + Name(callee);
        if (site.is_unconditional) text += ", once";
        if (site.is_in_loop) text += ", loop";
        if (site.is_certain) text += ", certain";
        read.push_back(text);
      }
    }
    return read;
  }
  // A class whose initializer was executed.
  Class* AddInitialized(Class* super = nullptr) {
    Class* klass = vm_.AddClass(super);
    Called* const method = vm_.AddMethod(klass, "<clinit>", "()V", kStatic, kNotInVtable);
    initializers_.push_back(method);
    Executed(klass, method, 1);
    return klass;
  }
  std::vector<uint8_t> New(Class* klass) {
    const uint16_t index = vm_.AddClassConstant(caller_, klass);
    return {kNew, static_cast<uint8_t>(index >> 8), static_cast<uint8_t>(index)};
  }
  std::vector<uint8_t> GetStatic(Class* klass, bool is_resolved = true) {
    const uint16_t field = vm_.AddField(caller_, klass, "field");
    if (is_resolved) vm_.ResolveDirect(caller_, field, kGetstatic, nullptr);
    return CallOf(kGetstatic, field);
  }
  // "bci > number of the initializer" of what Read has told.
  std::vector<std::string> Initializations() const {
    std::vector<std::string> begun;
    for (const spool::InterpretedCalls::Method& method : told_.methods) {
      for (const auto& [bci, initializer] : method.initializations) {
        size_t i = 0;
        while (names_.at(initializers_[i]) != initializer) ++i;
        begun.push_back(std::to_string(bci) + " > " + std::to_string(i));
      }
    }
    return begun;
  }
  bool KnowsStatics() const { return GetParam() < 25; }
  std::string Name(MethodId id) const {
    const std::map<const void*, const char*> names = {{base_run_, "base.run"},
                                                      {base_make_, "make"},
                                                      {derived_run_, "derived.run"},
                                                      {derived_area_, "area"}};
    for (const auto& [method, known] : names_) {
      if (known == id) return names.contains(method) ? names.at(method) : "call";
    }
    return "?";
  }

  FakeClasses vm_{GetParam()};
  GuardedMemory memory_ = *GuardedMemory::Create();
  GuardedBlocks blocks_{memory_};
  std::optional<CallResolver> resolver_;
  std::optional<ClassReader> classes_;
  Class* caller_ = vm_.AddClass();
  Class* base_ = vm_.AddClass();
  Class* derived_ = vm_.AddClass(base_);
  Class* face_ = vm_.AddClass();
  Called* base_run_ = vm_.AddMethod(base_, "run", "()V", kPublic, 0);
  Called* base_make_ = vm_.AddMethod(base_, "make", "()V", kStatic, kNotInVtable);
  Called* derived_run_ = vm_.AddMethod(derived_, "run", "()V", kPublic, 0);
  Called* derived_area_ = vm_.AddMethod(derived_, "area", "()V", kPublic, 1);
  Called* face_area_ = vm_.AddMethod(face_, "area", "()V", kPublic | kAbstract, -10);
  std::map<const Class*, std::vector<InterpretedCalls::Method>> executed_;
  std::map<const void*, MethodId> names_;
  std::set<const void*> hidden_;  // Classes that are not observed.
  spool::InterpretedCalls told_;
  double untold_share_ = 0;
  std::vector<const void*> initializers_;
};

TEST_P(InterpretedCallsTest, AResolvedCallOfAnExecutedMethodIsASite) {
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  AddCaller(CallOf(kInvokeStatic, make));
  EXPECT_THAT(Read(), IsEmpty()) << "the callee was never executed by the interpreter";
  Executed(base_, base_make_, 3, 40);
  EXPECT_THAT(Read(), ElementsAre("call: 0 > make, once, certain"));
  std::map<std::string, std::pair<uint64_t, uint64_t>> counts;
  for (const auto& method : told_.methods) {
    counts[Name(method.method)] = {method.interpreted, method.loops};
  }
  EXPECT_EQ(counts["call"], (std::pair<uint64_t, uint64_t>(5, 0)));
  EXPECT_EQ(counts["make"], (std::pair<uint64_t, uint64_t>(3, 40)));
  EXPECT_EQ(untold_share_, 0);
}

TEST_P(InterpretedCallsTest, ACallThatIsNotResolvedWasNotExecuted) {
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  AddCaller(CallOf(kInvokeStatic, make));
  Executed(base_, base_make_, 3);
  EXPECT_THAT(Read(), IsEmpty());
  // The same constant, resolved for calls of another kind.
  vm_.ResolveDirect(caller_, make, kSpecial, base_make_);
  EXPECT_THAT(Read(), IsEmpty());
}

TEST_P(InterpretedCallsTest, WhatIsBeforeAnUnresolvedCallWasNotExecuted) {
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  const uint16_t run = vm_.AddCall(caller_, base_, "run", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  Executed(base_, base_make_, 3);
  AddCaller(Joined({{3, kIfeq, 0, 9}, CallOf(kInvokeStatic, make), CallOf(kVirtual, run)}));
  EXPECT_THAT(Read(), IsEmpty());
}

TEST_P(InterpretedCallsTest, SitesThatNameTheSameAreNotCertainBut) {
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  Executed(base_, base_make_, 3);
  const std::vector<uint8_t> call = CallOf(kInvokeStatic, make);
  AddCaller(Joined({call, {3, kIfeq, 0, 6}, call, {3, kIfeq, 0, 7, kFastAload0}, call}));
  EXPECT_THAT(Read(),
              ElementsAre("call: 0 > make, once", "call: 7 > make", "call: 15 > make, certain"))
      << "where the interpreter has left its opcode";
}

TEST_P(InterpretedCallsTest, BeforeTheRecordingACallMayHaveBeenExecutedAsWell) {
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  Executed(base_, base_make_, 3);
  AddCaller(CallOf(kInvokeStatic, make));
  EXPECT_THAT(Read(Since::kUnknown), ElementsAre("call: 0 > make, once"));
}

TEST_P(InterpretedCallsTest, AVirtualCallMayHaveCalledAllThatWereExecuted) {
  const uint16_t run = vm_.AddCall(caller_, base_, "run", "()V");
  vm_.ResolveVirtual(caller_, run, 0);
  Executed(base_, base_run_, 3);
  AddCaller(CallOf(kVirtual, run));
  EXPECT_THAT(Read(), ElementsAre("call: 0 > base.run, once, certain"));
  Executed(derived_, derived_run_, 2);
  const std::vector<std::string> both = Read();
  ASSERT_EQ(both.size(), 1u);
  EXPECT_NE(both[0].find("derived.run"), std::string::npos) << both[0];
  EXPECT_NE(both[0].find("base.run"), std::string::npos) << both[0];
}

TEST_P(InterpretedCallsTest, ACallOnASubclassMayHaveCalledWhatItInherits) {
  Class* const sub = vm_.AddClass(derived_);
  Class* const other = vm_.AddClass(base_);
  FakeClasses::SetVtable(sub, {derived_run_});
  FakeClasses::SetVtable(other, {base_run_});
  const uint16_t on_sub = vm_.AddCall(caller_, sub, "run", "()V");
  const uint16_t on_other = vm_.AddCall(caller_, other, "run", "()V");
  vm_.ResolveVirtual(caller_, on_sub, 0);
  vm_.ResolveVirtual(caller_, on_other, 0);
  Executed(base_, base_run_, 3);
  Executed(derived_, derived_run_, 2);
  AddCaller(Joined({CallOf(kVirtual, on_sub), CallOf(kVirtual, on_other)}));
  EXPECT_THAT(Read(), ElementsAre("call: 0 > derived.run, once, certain",
                                  "call: 3 > base.run, once, certain"));
}

TEST_P(InterpretedCallsTest, AFinalMethodIsTheOnlyOneThatWasCalled) {
  const uint16_t run = vm_.AddCall(caller_, derived_, "run", "()V");
  vm_.ResolveFinal(caller_, run, derived_run_);
  Executed(base_, base_run_, 3);
  Executed(derived_, derived_run_, 2);
  AddCaller(CallOf(kVirtual, run));
  EXPECT_THAT(Read(), ElementsAre("call: 0 > derived.run, once, certain"));
}

TEST_P(InterpretedCallsTest, ACallOfAnInterfaceMayHaveCalledWhatImplementsIt) {
  Called* const unrelated = vm_.AddMethod(base_, "area", "()V", kPublic, 3);
  Class* const elsewhere = vm_.AddClass();
  Called* const of_elsewhere = vm_.AddMethod(elsewhere, "area", "()V", kPublic, 1);
  const uint16_t area = vm_.AddCall(caller_, face_, "area", "()V");
  vm_.ResolveInterface(caller_, area, face_, face_area_);
  Executed(elsewhere, of_elsewhere, 9);
  Executed(derived_, derived_area_, 2);
  AddCaller(CallOf(kInterface, area));
  EXPECT_THAT(Read(), ElementsAre("call: 0 > area, once, certain"));
  // Base's is inherited by a class that implements Face.
  Executed(base_, unrelated, 1);
  ASSERT_EQ(Read().size(), 1u);
  ASSERT_EQ(told_.targets.size(), 1u);
  EXPECT_EQ(told_.targets[0].size(), 2u);
}

TEST_P(InterpretedCallsTest, WhatIsNotObservedIsNotCalled) {
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  const uint16_t run = vm_.AddCall(caller_, base_, "run", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  vm_.ResolveVirtual(caller_, run, 0);
  Executed(base_, base_make_, 3);
  Executed(derived_, derived_run_, 3);
  AddCaller(Joined({CallOf(kInvokeStatic, make), CallOf(kVirtual, run)}));
  hidden_ = {base_};
  EXPECT_THAT(Read(), IsEmpty()) << "derived.run is one of many that base's call may have called";
  hidden_ = {caller_};
  EXPECT_EQ(Read().size(), 2u) << "what calls observed methods is named";
}

TEST_P(InterpretedCallsTest, ACalleeOfAnotherNameIsNone) {
  const uint16_t make = vm_.AddCall(caller_, base_, "made", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  Executed(base_, base_make_, 3);
  AddCaller(CallOf(kInvokeStatic, make));
  EXPECT_THAT(Read(), IsEmpty());
}

TEST_P(InterpretedCallsTest, WhatMoreMethodsOverrideThanCountTellsNothing) {
  const uint16_t run = vm_.AddCall(caller_, base_, "run", "()V");
  vm_.ResolveVirtual(caller_, run, 0);
  for (size_t i = 0; i <= spool::InterpretedCalls::kMostCallees; ++i) {
    Class* const klass = vm_.AddClass(base_);
    Executed(klass, vm_.AddMethod(klass, "run", "()V", kPublic, 0), 1);
  }
  AddCaller(CallOf(kVirtual, run));
  EXPECT_THAT(Read(), IsEmpty());
}

TEST_P(InterpretedCallsTest, AClassIsInitializedAtTheOnlyPlaceThatIsKnown) {
  Class* const created = AddInitialized();
  Class* const read = AddInitialized();
  Class* const called = AddInitialized();
  const uint16_t make = vm_.AddCall(caller_, called, "make", "()V");
  Called* const of_called = vm_.AddMethod(called, "make", "()V", kStatic, kNotInVtable);
  vm_.ResolveDirect(caller_, make, kInvokeStatic, of_called);
  AddCaller(Joined({New(created), GetStatic(read), CallOf(kInvokeStatic, make)}));
  Read();
  if (!KnowsStatics()) {
    EXPECT_THAT(Initializations(), IsEmpty()) << "another place may be a use of a static field";
    return;
  }
  EXPECT_THAT(Initializations(), UnorderedElementsAre("0 > 0", "3 > 1", "6 > 2"));
  Read(Since::kUnknown);
  EXPECT_THAT(Initializations(), IsEmpty()) << "it may have been before";
  hidden_ = {created, read};
  Read();
  EXPECT_THAT(Initializations(), ElementsAre("6 > 2"));
}

TEST_P(InterpretedCallsTest, OfSeveralPlacesWhereAClassMayHaveBeenInitializedNoneIsTold) {
  Class* const klass = AddInitialized();
  AddCaller(Joined({{3, kIfeq, 0, 6}, New(klass), GetStatic(klass)}));
  Read();
  EXPECT_THAT(Initializations(), IsEmpty());
}

TEST_P(InterpretedCallsTest, WhatAMethodComesToEachTimeItComesToBeforeWhatFollows) {
  Class* const klass = AddInitialized();
  AddCaller(Joined({GetStatic(klass), {3, kIfeq, 0, 6}, New(klass)}));
  Read();
  if (KnowsStatics()) {
    EXPECT_THAT(Initializations(), ElementsAre("0 > 0"));
  }
  AddCaller(New(klass));
  Read();
  EXPECT_THAT(Initializations(), IsEmpty()) << "another method may have come first";
}

TEST_P(InterpretedCallsTest, WhereNothingWasExecutedAClassWasNotInitialized) {
  Class* const klass = AddInitialized();
  AddCaller(Joined({{3, kIfeq, 0, 6}, GetStatic(klass, false), New(klass)}));
  Read();
  EXPECT_EQ(Initializations().size(), KnowsStatics() ? 1u : 0u);
}

TEST_P(InterpretedCallsTest, ASuperclassIsInitializedWithItsSubclassAndNotByItsOwnCode) {
  Class* const super = AddInitialized();
  Class* const sub = AddInitialized(super);
  Called* const own = vm_.AddMethod(sub, "own", "()V", kPublic, kNotInVtable,
                                    {kNew, 0, static_cast<uint8_t>(sub->next_entry + 2), kReturn});
  vm_.AddClassConstant(sub, super);
  Executed(sub, own, 7);
  AddCaller(New(sub));
  Read();
  if (KnowsStatics()) {
    EXPECT_THAT(Initializations(), UnorderedElementsAre("0 > 0", "0 > 1"));
  }
}

TEST_P(InterpretedCallsTest, WhereNotAllWasReadOtherPlacesAreNotKnown) {
  AddCaller(New(AddInitialized()));
  for (int i = 0; i < 8; ++i) {
    Class* const klass = vm_.AddClass();
    Executed(klass, vm_.AddMethod(klass, "run", "()V", kPublic, 0), 100);
  }
  Read();
  EXPECT_EQ(Initializations().size(), KnowsStatics() ? 1u : 0u);
  int asked = 0;
  Read(Since::kRecordingBegan, [&] { return asked++ == 0; });
  EXPECT_EQ(asked, 2);
  EXPECT_THAT(Initializations(), IsEmpty());
}

TEST_P(InterpretedCallsTest, WhereTimeIsShortClassesWithMostCallsAreRead) {
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  Executed(base_, base_make_, 15);
  AddCaller(CallOf(kInvokeStatic, make));
  EXPECT_THAT(Read(Since::kRecordingBegan, [] { return false; }), IsEmpty());
  EXPECT_EQ(untold_share_, 1);
  EXPECT_THAT(told_.methods, IsEmpty());
}

// Whatever the VM's memory has become, nothing is read that is not there.
TEST_P(InterpretedCallsTest, MethodsThatAreGoneAreNone) {
  std::mt19937 random(5);
  const uint16_t make = vm_.AddCall(caller_, base_, "make", "()V");
  const uint16_t run = vm_.AddCall(caller_, base_, "run", "()V");
  const uint16_t area = vm_.AddCall(caller_, face_, "area", "()V");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  vm_.ResolveVirtual(caller_, run, 0);
  vm_.ResolveInterface(caller_, area, face_, face_area_);
  Executed(base_, base_make_, 3);
  Executed(base_, base_run_, 3);
  Executed(derived_, derived_area_, 2);
  Called* const method = AddCaller(
      Joined({CallOf(kInvokeStatic, make), CallOf(kVirtual, run), CallOf(kInterface, area)}));
  ASSERT_EQ(Read().size(), 3u);
  const auto damage = [&](auto* object) {
    auto* words = reinterpret_cast<uint64_t*>(object);
    const size_t word = random() % std::min<size_t>(sizeof(*object) / 8, 40);
    const uint64_t was = words[word];
    words[word] = random() % 2 == 0 ? random() : was + random() % 64 * 8;
    Read();
    words[word] = was;
  };
  for (int i = 0; i < 300; ++i) {
    damage(method);
    damage(method->const_method);
    damage(caller_->pool);
    damage(caller_->pool->cache);
    damage(base_);
    damage(derived_);
    damage(base_run_);
  }
  EXPECT_EQ(Read().size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Releases, InterpretedCallsTest, ::testing::Values(11, 17, 25));

}  // namespace
}  // namespace yp::hotspot
