#include "hotspot/vmstructs/call_resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hotspot/vmstructs/classes_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;
using Class = FakeClasses::Class;

constexpr uint32_t kPublic = 1, kPrivate = 2, kStatic = 8, kFinal = 16, kAbstract = 0x400;
constexpr int32_t kNotInVtable = -2;
constexpr uint8_t kVirtual = 182, kSpecial = 183, kInvokeStatic = 184, kInterface = 185;

// Base has run and go; Derived overrides run; Face has area, and Derived implements it.
class CallResolverTest : public ::testing::TestWithParam<int> {
 protected:
  CallResolverTest() {
    Result<CallResolver> created = CallResolver::Create(*vm_.tables.Read(), blocks_);
    EXPECT_TRUE(created.ok()) << created.message();
    if (created) resolver_.emplace(*std::move(created));
    FakeClasses::SetVtable(base_, {base_go_, base_run_});
    FakeClasses::SetVtable(derived_, {base_go_, derived_run_, derived_area_});
    FakeClasses::SetItable(derived_, caller_, face_, {face_twice_, derived_area_});
    derived_->interfaces->data[0] = face_;
    derived_->interfaces->length = 1;
  }

  // A method of the caller's with one call, at bci 0.
  std::optional<CallResolver::Caller> Open(uint8_t opcode, uint16_t index) {
    std::vector<uint8_t> code = {opcode, 0, 0, 0, 0, 177};
    std::memcpy(&code[1], &index, sizeof(index));
    blocks_.Forget();
    return resolver_->Open(vm_.AddMethod(caller_, "call", "()V", kPublic, kNotInVtable, code));
  }
  const void* Bound(uint8_t opcode, uint16_t index) {
    const auto caller = Open(opcode, index);
    return caller ? resolver_->BoundCallee(*caller, *caller->SiteAt(0)) : nullptr;
  }
  const void* Selected(uint8_t opcode, uint16_t index, const void* receiver) {
    const auto caller = Open(opcode, index);
    return caller ? resolver_->Callee(*caller, *caller->SiteAt(0), receiver) : nullptr;
  }
  uint16_t Call(Class* of, const char* name) { return vm_.AddCall(caller_, of, name, "()V"); }

  FakeClasses vm_{GetParam()};
  GuardedMemory memory_ = *GuardedMemory::Create();
  GuardedBlocks blocks_{memory_};
  std::optional<CallResolver> resolver_;
  Class* caller_ = vm_.AddClass();
  Class* base_ = vm_.AddClass();
  Class* derived_ = vm_.AddClass(base_);
  Class* face_ = vm_.AddClass();
  FakeClasses::Method* base_go_ = vm_.AddMethod(base_, "go", "()V", kPublic, 0);
  FakeClasses::Method* base_run_ = vm_.AddMethod(base_, "run", "()V", kPublic, 1);
  FakeClasses::Method* base_make_ = vm_.AddMethod(base_, "make", "()V", kStatic, kNotInVtable);
  FakeClasses::Method* base_init_ = vm_.AddMethod(base_, "<init>", "()V", kPublic, kNotInVtable);
  FakeClasses::Method* base_own_ = vm_.AddMethod(base_, "own", "()V", kPrivate, kNotInVtable);
  FakeClasses::Method* derived_run_ = vm_.AddMethod(derived_, "run", "()V", kPublic, 1);
  FakeClasses::Method* derived_area_ = vm_.AddMethod(derived_, "area", "()V", kPublic, 2);
  FakeClasses::Method* face_twice_ = vm_.AddMethod(face_, "twice", "()V", kPublic, -10);
  FakeClasses::Method* face_area_ = vm_.AddMethod(face_, "area", "()V", kPublic | kAbstract, -11);
};

INSTANTIATE_TEST_SUITE_P(Jdks, CallResolverTest, ::testing::Values(11, 17, 21, 25),
                         [](const auto& jdk) { return "Jdk" + std::to_string(jdk.param); });

TEST_P(CallResolverTest, StaticAndSpecialCallsHaveTheMethodThatTheVmHasResolved) {
  const uint16_t make = Call(base_, "make"), init = Call(base_, "<init>");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_make_);
  vm_.ResolveDirect(caller_, init, kSpecial, base_init_);
  EXPECT_EQ(Bound(kInvokeStatic, make), base_make_);
  EXPECT_EQ(Bound(kSpecial, init), base_init_);
}

TEST_P(CallResolverTest, VirtualCallsHaveTheReceiversMethod) {
  const uint16_t run = Call(base_, "run");
  vm_.ResolveVirtual(caller_, run, 1);
  EXPECT_EQ(Bound(kVirtual, run), nullptr);
  EXPECT_EQ(Selected(kVirtual, run, base_), base_run_);
  EXPECT_EQ(Selected(kVirtual, run, derived_), derived_run_);
  Class* array = vm_.AddClass(base_);
  array->layout_helper = -1;
  FakeClasses::SetVtable(array, {base_go_, base_run_});
  EXPECT_EQ(Selected(kVirtual, run, array), base_run_) << "arrays have a vtable as well";
}

TEST_P(CallResolverTest, FinalMethodsAreBound) {
  const uint16_t run = Call(base_, "run");
  vm_.ResolveFinal(caller_, run, base_run_);
  EXPECT_EQ(Bound(kVirtual, run), base_run_);
  EXPECT_EQ(Selected(kVirtual, run, derived_), base_run_);
  const uint16_t own = Call(base_, "own");
  EXPECT_EQ(Bound(kVirtual, own), base_own_) << "private, and not resolved";
  base_go_->access_flags |= kFinal;
  EXPECT_EQ(Bound(kVirtual, Call(base_, "go")), base_go_);
}

TEST_P(CallResolverTest, InterfaceCallsHaveTheReceiversMethod) {
  const uint16_t area = Call(face_, "area"), twice = Call(face_, "twice");
  vm_.ResolveInterface(caller_, area, face_, face_area_);
  vm_.ResolveInterface(caller_, twice, face_, face_twice_);
  EXPECT_EQ(Bound(kInterface, area), nullptr);
  EXPECT_EQ(Selected(kInterface, area, derived_), derived_area_);
  EXPECT_EQ(Selected(kInterface, twice, derived_), face_twice_) << "a default method";
  EXPECT_EQ(Selected(kInterface, area, base_), nullptr) << "which does not implement it";
}

TEST_P(CallResolverTest, WhatRanInCompiledCodeOnlyIsFoundByItsName) {
  EXPECT_EQ(Bound(kInvokeStatic, Call(base_, "make")), base_make_);
  EXPECT_EQ(Bound(kInvokeStatic, Call(derived_, "make")), base_make_) << "inherited";
  EXPECT_EQ(Bound(kSpecial, Call(base_, "<init>")), base_init_);
  EXPECT_EQ(Bound(kSpecial, Call(derived_, "<init>")), nullptr) << "not inherited";
  EXPECT_EQ(Selected(kVirtual, Call(base_, "run"), derived_), derived_run_);
  EXPECT_EQ(Selected(kInterface, Call(face_, "area"), derived_), derived_area_);
  EXPECT_EQ(Selected(kVirtual, Call(derived_, "twice"), derived_), face_twice_)
      << "only an interface has it";
  EXPECT_EQ(Bound(kInvokeStatic, Call(nullptr, "make")), nullptr) << "its class is not resolved";
}

TEST_P(CallResolverTest, OfTheSuperclassesMethodsOnlyTheNextOnesAreFoundByName) {
  caller_->super = base_;
  EXPECT_EQ(Bound(kSpecial, Call(base_, "run")), base_run_);
  caller_->super = derived_;
  EXPECT_EQ(Bound(kSpecial, Call(base_, "run")), nullptr) << "the VM would begin at derived";
}

TEST_P(CallResolverTest, AMethodOfAnotherNameIsNoCallee) {
  const uint16_t make = Call(base_, "make"), run = Call(base_, "run");
  vm_.ResolveDirect(caller_, make, kInvokeStatic, base_init_);
  EXPECT_EQ(Bound(kInvokeStatic, make), nullptr);
  vm_.ResolveVirtual(caller_, run, 0);
  EXPECT_EQ(Selected(kVirtual, run, base_), nullptr);
  const uint16_t area = Call(face_, "area");
  vm_.ResolveInterface(caller_, area, face_, face_twice_);
  EXPECT_EQ(Selected(kInterface, area, derived_), nullptr);
}

TEST_P(CallResolverTest, AbstractMethodsAreNoCallees) {
  base_run_->access_flags |= kAbstract;
  const uint16_t run = Call(base_, "run");
  vm_.ResolveVirtual(caller_, run, 1);
  EXPECT_EQ(Selected(kVirtual, run, base_), nullptr);
  EXPECT_EQ(Selected(kVirtual, run, derived_), derived_run_);
}

TEST_P(CallResolverTest, IndicesThatCannotBeLeadNowhere) {
  const uint16_t run = Call(base_, "run");
  vm_.ResolveVirtual(caller_, run, 1);
  EXPECT_EQ(Selected(kVirtual, 500, base_), nullptr) << "in the cache";
  base_->vtable_length = 1;
  EXPECT_EQ(Selected(kVirtual, run, base_), nullptr) << "in the vtable";
  base_->vtable_length = -1;
  EXPECT_EQ(Selected(kVirtual, run, base_), nullptr);
  derived_->itable_length = 3;
  const uint16_t area = Call(face_, "area");
  EXPECT_EQ(Selected(kInterface, area, derived_), nullptr) << "in the itable";
}

TEST_P(CallResolverTest, AClassThatIsNotLinkedHasNoCalls) {
  EXPECT_TRUE(Open(kVirtual, Call(base_, "run")).has_value());
  caller_->init_state = 1;
  EXPECT_FALSE(Open(kVirtual, Call(base_, "run")).has_value());
}

TEST_P(CallResolverTest, SitesAreFoundByTheirBci) {
  const auto caller = Open(kVirtual, Call(base_, "run"));
  ASSERT_TRUE(caller.has_value());
  EXPECT_TRUE(caller->SiteAt(0).has_value());
  EXPECT_FALSE(caller->SiteAt(1).has_value());
  EXPECT_FALSE(caller->SiteAt(100).has_value());
}

TEST_P(CallResolverTest, WhatIsGoneHasNoCalls) {
  void* gone = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(gone, 4096);
  EXPECT_FALSE(resolver_->Open(gone).has_value());
  EXPECT_FALSE(resolver_->Open(nullptr).has_value());
  const uint16_t run = Call(base_, "run");
  vm_.ResolveVirtual(caller_, run, 1);
  EXPECT_EQ(Selected(kVirtual, run, gone), nullptr);
  EXPECT_EQ(Selected(kVirtual, run, nullptr), nullptr);
  vm_.ResolveFinal(caller_, run, static_cast<const FakeClasses::Method*>(gone));
  EXPECT_EQ(Bound(kVirtual, run), nullptr);
}

// Superclasses that go round in a ring, as in memory that is another's by now.
TEST_P(CallResolverTest, RingsEnd) {
  base_->super = derived_;
  EXPECT_EQ(Bound(kInvokeStatic, Call(derived_, "nowhere")), nullptr);
}

TEST_P(CallResolverTest, RandomBytesDoNoHarm) {
  const uint16_t run = Call(base_, "run"), area = Call(face_, "area"), make = Call(base_, "make");
  vm_.ResolveVirtual(caller_, run, 1);
  vm_.ResolveInterface(caller_, area, face_, face_area_);
  const std::vector<uint8_t> code = {kVirtual,      0, 0, kInterface, 1, 0, 0, 0,
                                     kInvokeStatic, 2, 0, 177};
  FakeClasses::Method* method = vm_.AddMethod(caller_, "call", "()V", kPublic, kNotInVtable, code);
  ASSERT_EQ(make, 2);
  std::mt19937_64 random(1);
  int found = 0;
  const auto spoil = [&](auto* object) {
    auto* words = reinterpret_cast<uint64_t*>(object);
    uint64_t& word = words[random() % (sizeof(*object) / 8)];
    const uint64_t before = word;
    word = random() % 2 == 0 ? random() : before ^ uint64_t { 1 } << random() % 64;
    blocks_.Forget();
    const auto caller = resolver_->Open(method);
    if (!caller) return void(word = before);
    for (const InvokeSite& site :
         FindInvokeSites(caller->code).value_or(std::vector<InvokeSite>())) {
      found += resolver_->BoundCallee(*caller, site) != nullptr ? 1 : 0;
      found += resolver_->Callee(*caller, site, derived_) != nullptr ? 1 : 0;
    }
    word = before;
  };
  for (int round = 0; round < 1000; ++round) {
    spoil(method);
    spoil(method->const_method);
    spoil(caller_);
    spoil(caller_->pool);
    spoil(caller_->pool->cache);
    spoil(derived_);
    spoil(derived_run_);
    spoil(face_->pool);
  }
  EXPECT_GT(found, 10'000);
}

TEST_P(CallResolverTest, SaysWhatTheTablesLack) {
  vm_.tables.RemoveField("Klass", "_vtable_len");
  EXPECT_THAT(std::string(CallResolver::Create(*vm_.tables.Read(), blocks_).message()),
              HasSubstr("lack Klass::_vtable_len"));
}

}  // namespace
}  // namespace yp::hotspot
