#include "hotspot/profiles/profile_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/classes_for_test.h"
#include "hotspot/vmstructs/code_heap_for_test.h"
#include "hotspot/vmstructs/method_data_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Class = FakeClasses::Class;

constexpr uint32_t kPublic = 1, kStatic = 8;
constexpr int32_t kNotInVtable = -2;
constexpr uint8_t kVirtual = 182, kInvokeStatic = 184;

// Base and Derived have run. Callers are compiled methods of one class; some have counted enough
// to tell the layout by.
class ProfileReaderTest : public ::testing::TestWithParam<int> {
 protected:
  ProfileReaderTest() {
    FakeMethodData::AddTables(vm_.tables);
    auto reader = ProfileReader::Create(*vm_.tables.Read(), code_cache_, GetParam());
    EXPECT_TRUE(reader.ok()) << reader.message();
    if (reader) reader_ = std::move(reader).value();
    Begin();
    FakeClasses::SetVtable(base_, {base_run_});
    FakeClasses::SetVtable(derived_, {derived_run_});
    vm_.ResolveVirtual(caller_, run_, 0);
    vm_.ResolveDirect(caller_, make_, kInvokeStatic, base_make_);
  }

  // What is not of Hidden is observed. A caller's id is that of its name, in the order in which
  // callers are named.
  void Begin(bool is_vm_start = true, bool observes_jdk = true) {
    reader_->Begin(
        {.observes_class = [](const std::string& name, bool) { return name != "app/Hidden"; },
         .observes_jdk = observes_jdk,
         .observed =
             [this](const ClassReader::MethodNames& names) {
               named_.push_back(NameOf(names));
               return names.class_name == "app/Hidden" ? kNoMethod : MethodId{100};
             },
         .caller =
             [this](const ClassReader::MethodNames& names, const auto& source) {
               const auto next = static_cast<uint32_t>(200 + callers_.size());
               const auto [it, is_new] = callers_.try_emplace(NameOf(names), MethodId{next});
               if (is_new) sources_.push_back(source());
               return it->second;
             }},
        is_vm_start);
  }
  static std::string NameOf(const ClassReader::MethodNames& names) {
    return names.class_name + "." + names.name + names.descriptor +
           (names.is_of_boot_loader ? " of the JDK" : "");
  }
  FakeMethodData& NewData() { return data_.emplace_back(GetParam()); }
  // A method with one call, at bci 0.
  FakeClasses::Method* NewCaller(uint8_t opcode, uint16_t index) {
    const auto low = static_cast<uint8_t>(index & 0xff), high = static_cast<uint8_t>(index >> 8);
    return vm_.AddMethod(caller_, "call", "()V", kPublic, kNotInVtable,
                         {opcode, low, high, 0, 0, 177});
  }
  // A class with that name, whose first call is of Base.make, resolved.
  Class* NewCallerOfMake(const char* name) {
    Class* klass = vm_.AddClass();
    vm_.LoadBeside(klass, caller_);
    vm_.NameClass(klass, name, this);
    const uint16_t call = vm_.AddCall(klass, base_, "make", "()V");
    vm_.ResolveDirect(klass, call, kInvokeStatic, base_make_);
    return klass;
  }
  // One that was told, with that id, and has counted 10 invocations and as many calls.
  struct BoundCaller {
    FakeClasses::Method* method;
    FakeMethodData& data;
    void Count(uint32_t invocations) {
      data.SetCounts(invocations, 0);
      Counts(method, data);
    }
  };
  BoundCaller NewBoundCaller(uint16_t index, uint32_t id, uint64_t calls = 10) {
    BoundCaller caller = {NewCaller(kInvokeStatic, index), NewData()};
    caller.data.AddCall(0, calls);
    caller.Count(10);
    MarkUsed(caller.method, id);
    return caller;
  }
  // One that was told, with id 1, and has counted 1,000 invocations, and besides the rows' calls 7.
  struct VirtualCaller {
    FakeClasses::Method* method;
    FakeMethodData& data;
  };
  VirtualCaller NewVirtualCaller(std::initializer_list<FakeMethodData::Row> rows) {
    VirtualCaller caller = {NewCaller(kVirtual, run_), NewData()};
    caller.data.SetCounts(1000, 0);
    caller.data.AddVirtualCall(0, 7, rows);
    Counts(caller.method, caller.data);
    MarkUsed(caller.method, 1);
    return caller;
  }
  // It has counted that.
  static void Counts(FakeClasses::Method* method, FakeMethodData& data) {
    method->data = data.LaidOut(method);
  }
  // One that the interpreter has executed 4 times, with 9 branches back, and Base.make 7 times.
  FakeClasses::Method* NewInterpretedCallerOfMake() {
    AddVoters();
    vm_.NameClass(base_, "app/Base", this);
    vm_.NameClass(caller_, "app/Caller", this);
    FakeClasses::Method* const method = NewCaller(kInvokeStatic, make_);
    vm_.SetInterpreted(method, 4, 9);
    vm_.SetInterpreted(base_make_, 7);
    return method;
  }
  // The code cache has it, not a compilation that was told.
  void Compile(const void* method, int8_t level = 4) {
    const uintptr_t code = code_.Add(0, next_segment_, 4, "nmethod", next_compile_id_++, 4);
    code_.SetCompilation(code, level, -1, 0);
    code_.SetMethod(code, method);
    next_segment_ += 4;
  }
  static const void* BodyOf(const void* method) {
    return static_cast<const FakeClasses::Method*>(method)->const_method;
  }
  // A compilation that was told consists of it.
  void MarkUsed(const void* method, uint32_t id) {
    ids_[method] = MethodId{id};
    DebugInfo::InlineTree tree;
    tree.nodes.push_back({0, kNoBci, method});
    Compilations::Known known;
    known.tree = NamedTree(std::move(tree), [&](const void* of) {
      return NamedTree::Name{ids_.at(of), true, BodyOf(of)};
    });
    known.told.nodes = known.tree.nodes();
    compilations_.Add({static_cast<const char*>(method), static_cast<int32_t>(id), 1}, known);
  }
  // Methods of the JDK, say, whose profiles tell the layout.
  void AddVoters(bool are_compiled = true) {
    for (size_t i = 0; i < MethodDataReader::kMinVoters; ++i) {
      FakeMethodData& data = NewData();
      data.SetCounts(100, 7);
      data.AddVirtualCall(0, 5, {{base_, 60}});
      FakeClasses::Method* method = NewCaller(kVirtual, run_);
      Counts(method, data);
      if (are_compiled) Compile(method);
    }
  }
  // "method: invocations; bci calls callee calls..."
  std::vector<std::string> Read() { return TextsOf(reader_->Read(compilations_)); }
  std::vector<std::string> ReadPart() { return TextsOf(reader_->ReadPart(compilations_, nullptr)); }
  static std::vector<std::string> TextsOf(const std::vector<spool::MethodProfile>& profiles) {
    std::vector<std::string> read;
    for (const spool::MethodProfile& profile : profiles) {
      std::string text = std::to_string(ToIndex(profile.method)) + ": " +
                         std::to_string(profile.invocations) + ";";
      if (profile.interpreted > 0) text += " i" + std::to_string(profile.interpreted);
      const uint64_t before = profile.invocations_before + profile.interpreted_before;
      if (before > 0) text += " before " + std::to_string(before);
      for (const auto& site : profile.sites) {
        text += " " + std::to_string(site.bci) + " " + std::to_string(site.calls);
        if (site.before > 0) text += " before " + std::to_string(site.before);
        for (const auto& [callee, calls, calls_before] : site.receivers) {
          text += callee == kNoMethod ? " ?" : " " + std::to_string(ToIndex(callee));
          text += " " + std::to_string(calls);
          if (calls_before > 0) text += " before " + std::to_string(calls_before);
        }
      }
      read.push_back(text);
    }
    return read;
  }

  FakeCodeCache code_{FakeCodeCache::JdkOf(GetParam())};
  CodeCache code_cache_ = *code_.Create();
  FakeClasses vm_{GetParam()};
  std::deque<FakeMethodData> data_;
  Compilations compilations_;
  std::map<const void*, MethodId> ids_;
  std::vector<std::string> named_;
  std::map<std::string, MethodId> callers_;
  std::vector<ClassReader::Source> sources_;
  std::unique_ptr<ProfileReader> reader_;
  size_t next_segment_ = 0;
  int32_t next_compile_id_ = 1;
  Class* caller_ = vm_.AddClass();
  Class* base_ = vm_.AddClass();
  Class* derived_ = vm_.AddClass(base_);
  FakeClasses::Method* base_run_ = vm_.AddMethod(base_, "run", "()V", kPublic, 0);
  FakeClasses::Method* base_make_ = vm_.AddMethod(base_, "make", "()V", kStatic, kNotInVtable);
  FakeClasses::Method* derived_run_ = vm_.AddMethod(derived_, "run", "()V", kPublic, 0);
  const uint16_t run_ = vm_.AddCall(caller_, base_, "run", "()V");
  const uint16_t make_ = vm_.AddCall(caller_, base_, "make", "()V");
};

INSTANTIATE_TEST_SUITE_P(Jdks, ProfileReaderTest, ::testing::Values(11, 17, 21, 25),
                         [](const auto& jdk) { return "Jdk" + std::to_string(jdk.param); });

TEST_P(ProfileReaderTest, ReceiversAreToldAsTheMethodsThatTheyCall) {
  AddVoters();
  auto [method, data] = NewVirtualCaller({{base_, 300}, {derived_, 600}});
  MarkUsed(derived_run_, 3);
  MarkUsed(base_run_, 2);
  EXPECT_THAT(Read(), ElementsAre("1: 1000; 0 907 2 300 3 600"));
  EXPECT_TRUE(reader_->layout_status().ok());
  EXPECT_THAT(named_, IsEmpty());
}

TEST_P(ProfileReaderTest, WhatIsInNoCompilationIsNamedIfItIsObserved) {
  AddVoters();
  vm_.NameClass(base_, "java/Base", nullptr);
  vm_.NameClass(derived_, "app/Hidden", this);
  auto [method, data] = NewVirtualCaller({{base_, 300}, {derived_, 600}});
  EXPECT_THAT(Read(), ElementsAre("1: 1000; 0 907 100 300 ? 600"));
  data.SetCounts(1001, 0);
  Counts(method, data);
  EXPECT_THAT(Read(), ElementsAre("1: 1001; 0 907 100 300 ? 600"));
  EXPECT_THAT(named_, ElementsAre("java/Base.run()V of the JDK", "app/Hidden.run()V",
                                  "java/Base.run()V of the JDK", "app/Hidden.run()V"))
      << "each time anew: others may have come to their addresses";
}

TEST_P(ProfileReaderTest, ABoundCallIsToldWithItsOnlyCallee) {
  AddVoters();
  NewBoundCaller(make_, 1, 500).Count(1000);
  MarkUsed(base_make_, 2);
  EXPECT_THAT(Read(), ElementsAre("1: 1000; 0 500 2 500"));
}

TEST_P(ProfileReaderTest, ACallThatTheVmResolvesLaterHasItsCalleeThen) {
  AddVoters();
  const uint16_t call = vm_.AddCall(caller_, nullptr, "make", "()V");
  BoundCaller caller = NewBoundCaller(call, 1);
  MarkUsed(base_make_, 2);
  EXPECT_THAT(Read(), ElementsAre("1: 10; 0 10"));
  vm_.ResolveDirect(caller_, call, kInvokeStatic, base_make_);
  caller.Count(20);
  EXPECT_THAT(Read(), ElementsAre("1: 20; 0 10 2 10"));
}

TEST_P(ProfileReaderTest, ACalleeThatIsGoneOrMakesNoSenseHasNoName) {
  AddVoters();
  vm_.NameClass(base_, "app/Base", this);
  BoundCaller caller = NewBoundCaller(make_, 1);
  uint32_t invocations = 10;
  const auto read = [&] {
    caller.Count(invocations++);
    return Read();
  };
  EXPECT_THAT(read(), ElementsAre("1: 10; 0 10 100 10"));
  const auto* name = base_->name;
  base_->name = nullptr;
  EXPECT_THAT(read(), ElementsAre("1: 11; 0 10"));
  vm_.NameClass(base_, "", this);
  EXPECT_THAT(read(), ElementsAre("1: 12; 0 10"));
  vm_.NameClass(base_, "\xff\xfe", this);
  EXPECT_THAT(read(), ElementsAre("1: 13; 0 10"));
  base_->name = name;
  EXPECT_THAT(read(), ElementsAre("1: 14; 0 10 100 10"));
  // Its class does not declare it; which the VM's call says all the same.
  base_->methods->length = 0;
  EXPECT_THAT(read(), ElementsAre("1: 15; 0 10"));
  EXPECT_EQ(std::ranges::count(named_, "app/Base.make()V"), 2);
}

TEST_P(ProfileReaderTest, OnlyWhatHasChangedIsToldAgain) {
  AddVoters();
  NewBoundCaller(make_, 1);
  BoundCaller other = NewBoundCaller(make_, 2);
  EXPECT_EQ(Read().size(), 2u);
  EXPECT_THAT(Read(), IsEmpty());
  other.Count(11);
  EXPECT_THAT(Read(), ElementsAre("2: 11; 0 10"));
  Begin();
  EXPECT_EQ(Read().size(), 2u) << "to another recording";
}

// Methods that compilations do not consist of.
TEST_P(ProfileReaderTest, ThoseThatHaveCountedMostAreToldFirst) {
  AddVoters();
  vm_.NameClass(base_, "app/Base", this);
  Class* other = NewCallerOfMake("app/Other");
  std::deque<std::string> names;
  std::vector<FakeClasses::Method*> methods;
  // 1,000, 2,000 and so on, in no order, and 120.
  constexpr uint64_t kMethods = 60;
  for (uint64_t i = 0; i < kMethods; ++i) {
    names.push_back("calls" + std::to_string(i));
    methods.push_back(vm_.AddMethod(other, names.back().c_str(), "()V", kPublic, kNotInVtable,
                                    {kInvokeStatic, 0, 0, 177}));
    FakeMethodData& data = NewData();
    const uint64_t calls = i == 0 ? 120 : 1000 * (i * 7 % kMethods);
    data.AddCall(0, calls);
    data.SetCounts(0, 0);
    Counts(methods.back(), data);
  }
  const auto told = [&](size_t at_most) {
    size_t asked = 0;
    std::vector<uint64_t> calls;
    for (const spool::MethodProfile& profile :
         reader_->Read(compilations_, [&] { return asked++ < at_most; })) {
      calls.push_back(profile.sites[0].calls);
    }
    std::ranges::sort(calls, std::greater());
    return calls;
  };
  EXPECT_THAT(told(0), IsEmpty());
  EXPECT_EQ(reader_->untold_share(), 1);
  const std::vector<uint64_t> first = told(1);
  ASSERT_THAT(first, SizeIs(16)) << "it is asked now and then only";
  EXPECT_EQ(first.front(), 59'000u);
  EXPECT_EQ(first.back(), 44'000u);
  EXPECT_NEAR(reader_->untold_share(), 1 - 824.0 / 1770, 1e-3);
  // What was told once is told again, whatever the time.
  FakeMethodData& more = NewData();
  more.AddCall(0, 59'001);
  more.SetCounts(0, 0);
  Counts(methods[17], more);
  EXPECT_THAT(told(0), ElementsAre(59'001));
  EXPECT_THAT(told(100), SizeIs(kMethods - 16 - 2)) << "all others but the rarest two";
  EXPECT_NEAR(reader_->untold_share(), 1.12 / 1770, 1e-5);
}

TEST_P(ProfileReaderTest, CopiesOfAMethodAreAddedUp) {
  AddVoters();
  BoundCaller copies[] = {NewBoundCaller(make_, 1, 10), NewBoundCaller(make_, 1, 20),
                          NewBoundCaller(make_, 1, 30)};
  MarkUsed(base_make_, 2);
  copies[0].Count(300);
  copies[1].Count(1000);
  EXPECT_THAT(Read(), ElementsAre("1: 1310; 0 60 2 60"));
  copies[2].Count(400);
  EXPECT_THAT(Read(), ElementsAre("1: 1700; 0 60 2 60"));
}

TEST_P(ProfileReaderTest, MethodsOfAllClassesAreReadThatCallWhatIsObserved) {
  AddVoters();
  vm_.NameClass(base_, "app/Base", this);
  vm_.NameClass(derived_, "app/Hidden", this);
  Class* other = NewCallerOfMake("app/Hidden");
  FakeClasses::Method* caller =
      vm_.AddMethod(other, "calls", "()V", kPublic, kNotInVtable, {kInvokeStatic, 0, 0, 177});
  FakeMethodData& data = NewData();
  data.AddCall(0, 500);
  data.SetCounts(40, 0);
  Counts(caller, data);
  vm_.SetSource(other, caller, "Other.java", {(0 << 3) | 7, 0});
  FakeClasses::Method* silent = vm_.AddMethod(other, "silent", "()V", kPublic, kNotInVtable);
  FakeMethodData& nothing = NewData();
  nothing.SetCounts(70, 0);
  Counts(silent, nothing);
  EXPECT_THAT(Read(), ElementsAre("200: 40; 0 500 100 500"));
  ASSERT_THAT(callers_, SizeIs(1));
  EXPECT_EQ(callers_.begin()->first, "app/Hidden.calls()V of the JDK");
  EXPECT_EQ(sources_[0].file, "Other.java");
  ASSERT_THAT(sources_[0].lines, SizeIs(1));
  EXPECT_EQ(sources_[0].lines[0].line, 7);
}

TEST_P(ProfileReaderTest, ObservedMethodsAreToldThatWereOnlyInterpreted) {
  AddVoters();
  vm_.NameClass(base_, "app/Base", this);
  vm_.NameClass(derived_, "app/Hidden", this);
  vm_.SetInterpreted(base_run_, 150);
  vm_.SetInterpreted(base_make_, 3);
  vm_.SetInterpreted(derived_run_, 150);
  EXPECT_THAT(Read(), ElementsAre("200: 0; i150")) << "not the few calls of make";
  EXPECT_EQ(callers_.begin()->first, "app/Base.run()V");
}

TEST_P(ProfileReaderTest, WhatIsOfTheJdkIsNotLookedAtWhereItIsNotObserved) {
  AddVoters();
  vm_.NameClass(base_, "java/Base", nullptr);
  vm_.NameClass(derived_, "app/Derived", this);
  Begin(true, false);
  auto [method, data] = NewVirtualCaller({{base_, 300}, {derived_, 600}});
  EXPECT_THAT(Read(), ElementsAre("1: 1000; 0 907 ? 300 100 600"));
  EXPECT_THAT(named_, ElementsAre("app/Derived.run()V"));
}

TEST_P(ProfileReaderTest, WithoutABaselineNotAllIsTold) {
  Begin(false);  // Too few profiles to tell the layout by.
  AddVoters();
  Read();
  EXPECT_TRUE(reader_->layout_status().ok());
  EXPECT_FALSE(reader_->tells_all());
  Begin(false);
  Read();
  EXPECT_TRUE(reader_->tells_all());
}

TEST_P(ProfileReaderTest, WhatWasCountedBeforeTheRecordingIsTold) {
  AddVoters();
  vm_.NameClass(base_, "app/Base", this);
  vm_.NameClass(derived_, "app/Derived", this);
  auto [method, data] = NewVirtualCaller({{base_, 300}});
  vm_.SetInterpreted(base_make_, 100);
  Begin(false);
  vm_.SetInterpreted(base_make_, 250);
  vm_.SetInterpreted(base_run_, 99);  // Too few to be told.
  FakeMethodData& later = NewData();
  later.SetCounts(1500, 0);
  later.AddVirtualCall(0, 8, {{base_, 350}, {derived_, 20}});
  Counts(method, later);
  EXPECT_THAT(Read(), ElementsAre("1: 1500; before 1000 0 378 before 307 100 350 before 300 100 20",
                                  "200: 0; i250 before 100"));
}

TEST_P(ProfileReaderTest, APartHasWhatWasCountedSinceTheOneBefore) {
  AddVoters();
  vm_.NameClass(base_, "app/Base", this);
  BoundCaller caller = NewBoundCaller(make_, 1, 1000);
  vm_.SetInterpreted(base_make_, 250);
  vm_.SetInterpreted(base_run_, 99);  // Too few to be told.
  EXPECT_THAT(ReadPart(), ElementsAre("1: 10; 0 1000 100 1000", "200: 0; i250"));
  vm_.SetInterpreted(base_make_, 251);  // Since then as well.
  vm_.SetInterpreted(base_run_, 101);   // Not told yet: what there was counts here.
  caller.Count(30);
  EXPECT_THAT(ReadPart(), ElementsAre("1: 30; before 10 0 1000 before 1000 100 1000 before 1000",
                                      "201: 0; i101"));
  vm_.SetInterpreted(base_make_, 351);
  EXPECT_THAT(Read(), ElementsAre("1: 30; before 30 0 1000 before 1000 100 1000 before 1000",
                                  "200: 0; i351 before 250"));
}

// What the interpreter executed of methods: "id: calls loops" and, of each site, its bci.
std::vector<std::string> ExecutedTexts(const spool::InterpretedCalls& calls) {
  std::vector<std::string> texts;
  for (const spool::InterpretedCalls::Method& method : calls.methods) {
    std::string text = std::to_string(ToIndex(method.method)) + ": " +
                       std::to_string(method.interpreted) + " " + std::to_string(method.loops);
    for (const auto& site : method.sites) {
      text += " at " + std::to_string(site.bci) + (site.is_certain ? " certain" : "");
    }
    texts.push_back(text);
  }
  std::ranges::sort(texts);
  return texts;
}

TEST_P(ProfileReaderTest, TheLastReadingHasWhatTheInterpreterExecutedHoweverSeldom) {
  NewInterpretedCallerOfMake();
  ProfileReader::Interpreted interpreted;
  reader_->Read(compilations_, nullptr, &interpreted);
  EXPECT_THAT(ExecutedTexts(interpreted.calls), ElementsAre("200: 4 9 at 0 certain", "201: 7 0"));
  EXPECT_EQ(reader_->untold_interpreted_share(), 0);
}

TEST_P(ProfileReaderTest, CodeThatCountsNoInvocationsIsTold) {
  FakeClasses::Method* const method = NewInterpretedCallerOfMake();
  Compile(base_make_);
  Compile(method, 3);
  ProfileReader::Interpreted interpreted;
  reader_->Read(compilations_, nullptr, &interpreted);
  std::map<uint64_t, bool> has_uncounted;
  for (const spool::InterpretedCalls::Method& told : interpreted.calls.methods) {
    has_uncounted[told.interpreted] = told.has_uncounted;
  }
  EXPECT_EQ(has_uncounted, (std::map<uint64_t, bool>{{4, false}, {7, true}}));
}

TEST_P(ProfileReaderTest, WhatTheInterpreterExecutedBeforeTheRecordingOrItsPartIsLeftOut) {
  FakeClasses::Method* const method = NewInterpretedCallerOfMake();
  Begin(false);
  vm_.SetInterpreted(method, 6, 10);
  vm_.SetInterpreted(base_make_, 9);
  ProfileReader::Interpreted interpreted;
  reader_->ReadPart(compilations_, nullptr, &interpreted);
  EXPECT_THAT(ExecutedTexts(interpreted.calls), ElementsAre("200: 2 0", "201: 2 1 at 0"))
      << "which may have been resolved before";
  vm_.SetInterpreted(method, 7, 10);
  vm_.SetInterpreted(base_make_, 10);
  reader_->Read(compilations_, nullptr, &interpreted);
  EXPECT_THAT(ExecutedTexts(interpreted.calls), ElementsAre("200: 1 0", "201: 1 0 at 0"));
}

TEST_P(ProfileReaderTest, WithTooFewProfilesThereAreNoneYet) {
  NewBoundCaller(make_, 1);
  EXPECT_THAT(Read(), IsEmpty());
  EXPECT_THAT(std::string(reader_->layout_status().message()), HasSubstr("profiles"));
  AddVoters();
  EXPECT_EQ(Read().size(), 1u);
}

TEST_P(ProfileReaderTest, MethodsThatAreInterpretedTellTheLayoutAsWell) {
  AddVoters(false);
  NewBoundCaller(make_, 1);
  EXPECT_GE(Read().size(), 1u);
  EXPECT_TRUE(reader_->layout_status().ok());
}

TEST_P(ProfileReaderTest, WhatCameToAMethodsAddressIsAnother) {
  AddVoters();
  BoundCaller gone = NewBoundCaller(make_, 1), stays = NewBoundCaller(make_, 2);
  MarkUsed(base_make_, 3);
  EXPECT_THAT(Read(), ElementsAre("1: 10; 0 10 3 10", "2: 10; 0 10 3 10"));
  gone.method->const_method = NewCaller(kInvokeStatic, make_)->const_method;
  gone.Count(20);
  EXPECT_THAT(Read(), IsEmpty());
  MarkUsed(gone.method, 4);
  EXPECT_THAT(Read(), ElementsAre("4: 20; 0 10 3 10"));

  vm_.NameClass(base_, "app/Base", this);
  base_make_->const_method =
      vm_.AddMethod(base_, "make", "()V", kStatic, kNotInVtable)->const_method;
  stays.Count(11);
  EXPECT_THAT(Read(), ElementsAre("2: 11; 0 10 100 10"));
}

TEST_P(ProfileReaderTest, AMethodThatIsGoneHasNoProfile) {
  AddVoters();
  NewBoundCaller(make_, 1).method->const_method = nullptr;
  EXPECT_THAT(Read(), IsEmpty());
}

}  // namespace
}  // namespace yp::hotspot
