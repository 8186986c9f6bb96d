#include "compiler/ctb/code_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "compiler/install/test_store_for_test.h"
#include "compiler/runtime/yieldpoints.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr uint64_t kWrongMethod = 4711;

// Classes, methods and class loaders in memory, as a VM of that layout has them.
class FakeVm {
 public:
  explicit FakeVm(const char* store) {
    memory_ = static_cast<uint8_t*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const auto layout = VmLayout::From(ReadTestStore(store));
    EXPECT_TRUE(layout) << layout.message();
    vm = *layout;
    vm.klass_base = reinterpret_cast<uint64_t>(memory_);
    vm.wrong_method = Code(kWrongMethod);
    list.head = Take(8);
    list.next = 16;
    boot = Loader();
    object = Class("java/lang/Object", 0, boot, 5);
  }
  ~FakeVm() { munmap(memory_, kBytes); }

  template <typename T>
  static void Set(uint64_t base, int64_t offset, T value) {
    std::memcpy(reinterpret_cast<void*>(base + static_cast<uint64_t>(offset)), &value,
                sizeof value);
  }
  template <typename T>
  static T Get(uint64_t base, int64_t offset = 0) {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(base + static_cast<uint64_t>(offset)),
                sizeof value);
    return value;
  }

  uint64_t Loader() {
    const uint64_t data = Take(64);
    Set(data, list.next, Get<uint64_t>(list.head));
    Set(list.head, 0, data);
    return data;
  }
  // Of the last loader that was made.
  void UnloadLast() { Set(list.head, 0, Get<uint64_t>(Get<uint64_t>(list.head), list.next)); }

  // `at`: where another one was; 0: in new memory.
  uint64_t Class(const std::string& name, uint64_t super, uint64_t loader, int32_t entries,
                 uint64_t at = 0) {
    const uint64_t klass = at != 0 ? at : Take(2048);
    std::memset(reinterpret_cast<void*>(klass), 0, 2048);
    Set(klass, vm.dispatch->klass_name, Symbol(name));
    Set(klass, vm.dispatch->klass_super, super);
    Set(klass, vm.dispatch->klass_loader_data, loader);
    Set(klass, vm.dispatch->vtable_length, entries);
    Set(klass, vm.layout_helper, int32_t{16});
    if (super != 0) {
      std::memcpy(reinterpret_cast<void*>(Entry(klass, 0)),
                  reinterpret_cast<const void*>(Entry(super, 0)),
                  8 * static_cast<size_t>(Get<int32_t>(super, vm.dispatch->vtable_length)));
    }
    return klass;
  }
  uint64_t Entry(uint64_t klass, int32_t index) const {
    return klass + static_cast<uint64_t>(vm.dispatch->vtable_start + 8 * index);
  }
  // Returns `result`. A virtual one with an index in the vtable, or one of an interface.
  uint64_t Method(uint64_t holder, const std::string& name, int32_t vtable_index, uint32_t result) {
    const VmLayout::Dispatch& d = *vm.dispatch;
    const uint64_t method = Take(128), constant = Take(64), pool = Take(256);
    Set(method, d.method_const, constant);
    Set(method, d.method_vtable_index, vtable_index);
    Set(method, d.method_compiled_entry, Code(result));
    Set(constant, d.const_constants, pool);
    Set(constant, d.const_name, uint16_t{3});
    Set(constant, d.const_descriptor, uint16_t{5});
    Set(pool, d.pool_holder, holder);
    Set(pool, d.pool_bytes + 8 * 3, Symbol(name));
    Set(pool, d.pool_bytes + 8 * 5, Symbol("()I"));
    if (vtable_index >= 0) Set(Entry(holder, vtable_index), 0, method);
    return method;
  }
  // One interface with one method, as its first.
  void Implement(uint64_t klass, uint64_t interface, uint64_t method) {
    const uint64_t itable = Entry(klass, Get<int32_t>(klass, vm.dispatch->vtable_length));
    uint64_t free = itable;
    while (Get<uint64_t>(free) != 0) free += 16;
    const auto offset = static_cast<int32_t>(itable - klass + 256 + 8 * ((free - itable) / 16));
    Set(free, 0, interface);
    Set(free, 8, offset);
    Set(klass, offset, method);
  }
  uint64_t Object(uint64_t klass) {
    const uint64_t object_at = Take(16);
    Set(object_at, vm.klass_offset, static_cast<uint32_t>(klass - vm.klass_base));
    return object_at;
  }

  VmLayout vm;
  VmClasses::LoaderList list;
  uint64_t boot = 0, object = 0;

 private:
  static constexpr size_t kBytes = 1 << 20;
  uint64_t Take(size_t bytes) {
    const uint64_t at = reinterpret_cast<uint64_t>(memory_) + used_;
    used_ += (bytes + 15) & ~size_t{15};
    EXPECT_LT(used_, kBytes);
    return at;
  }
  uint64_t Symbol(const std::string& text) {
    const uint64_t symbol = Take(6 + text.size());
    Set(symbol, 4, static_cast<uint16_t>(text.size()));
    std::memcpy(reinterpret_cast<void*>(symbol + 6), text.data(), text.size());
    return symbol;
  }
  uint64_t Code(uint64_t result) {
    x64::Assembler a;
    a.MovImmediate(x64::Reg::rax, static_cast<int64_t>(result));
    a.Return();
    const std::vector<uint8_t> code = a.TakeCode();
    const uint64_t at = Take(code.size());
    std::memcpy(reinterpret_cast<void*>(at), code.data(), code.size());
    return at;
  }

  uint8_t* memory_;
  size_t used_ = 4096;
};

class Edges final : public EdgeListener {
 public:
  MethodId IdOf(const yp::Method& method) override {
    const auto [known, is_new] =
        ids_.try_emplace(method.FullName(), MethodId{static_cast<uint32_t>(names_.size())});
    if (is_new) names_.push_back(method.FullName());
    return known->second;
  }
  void OnNewEdge(uint32_t site, MethodId callee) override {
    found_.emplace_back(site, names_[ToIndex(callee)]);
  }
  std::vector<std::pair<uint32_t, std::string>> Take() { return std::exchange(found_, {}); }

 private:
  std::map<std::string, MethodId> ids_;
  std::vector<std::string> names_;
  std::vector<std::pair<uint32_t, std::string>> found_;
};

// Goes where compiled code would go.
class Caller {
 public:
  Caller() {
    code_ = static_cast<uint8_t*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  ~Caller() { munmap(code_, kBytes); }

  // Arguments that are kept must be the numbers 1 to 6.
  uint64_t Call(const FakeVm& vm, const CodeTargetPlaces& places, const CallTarget& target,
                uint64_t receiver) {
    const uint64_t narrow = FakeVm::Get<uint32_t>(receiver, vm.vm.klass_offset);
    const uint64_t words =
        places.shadow + ((narrow + static_cast<uint64_t>(target.slot)) << places.words_log2);
    const bool is_inlined = target.index < places.inlined;
    uint64_t to = FakeVm::Get<uint64_t>(words, 8 * (is_inlined ? target.index : places.inlined));
    if (to == 0) {
      to = places.profiling_stub;
    } else if (!is_inlined) {
      to = FakeVm::Get<uint64_t>(to, 8 * (target.index - places.inlined));
    }
    was_stub_ = to == places.profiling_stub;
    Emit(to, target.number);
    uint64_t (*run)(uint64_t, uint64_t*);
    std::memcpy(&run, &code_, sizeof run);
    std::array<uint64_t, 6> kept{};
    const uint64_t result = run(receiver, kept.data());
    EXPECT_THAT(kept, ElementsAre(receiver, 2, 3, 4, 5, 6));
    return result;
  }
  bool was_stub() const { return was_stub_; }

 private:
  static constexpr size_t kBytes = 4096;
  void Emit(uint64_t to, uint32_t number) {
    using enum x64::Reg;
    using enum x64::Width;
    x64::Assembler a;
    a.Push(rbx);
    a.Push(r12);
    a.Push(rsi);
    a.Mov(k64, rsi, rdi);
    int64_t value = 2;
    for (const x64::Reg reg : {rdx, rcx, r8, r9, rdi}) a.MovImmediate(reg, value++);
    a.MovImmediate(rax, static_cast<int64_t>(to));
    a.Call(rax);
    a.Dword(kCallMarker);
    a.Dword(number);
    a.Pop(r12);
    int32_t at = 0;
    for (const x64::Reg reg : {rsi, rdx, rcx, r8, r9, rdi}) {
      a.Store(k64, x64::At(r12, at), reg);
      at += 8;
    }
    a.Pop(r12);
    a.Pop(rbx);
    a.Return();
    const std::vector<uint8_t> code = a.TakeCode();
    std::memcpy(code_, code.data(), code.size());
  }

  uint8_t* code_;
  bool was_stub_ = false;
};

using Parameters = std::tuple<const char*, unsigned>;
class CodeTargetsTest : public testing::TestWithParam<Parameters> {
 protected:
  void SetUp() override {
    auto made =
        CodeTargets::Make(fake_.vm, fake_.list, fake_.object, std::get<1>(GetParam()), edges_);
    ASSERT_TRUE(made) << made.message();
    targets_ = std::move(made).value();
  }
  CallTarget Add(uint32_t site, uint64_t method) {
    return targets_->Add(site, method, Dispatch::kVirtual, false);
  }
  CallTarget AddInterface(uint32_t site, uint64_t method) {
    return targets_->Add(site, method, Dispatch::kInterface, true);
  }
  uint64_t Call(const CallTarget& target, uint64_t receiver) {
    return caller_.Call(fake_, targets_->places(), target, receiver);
  }

  FakeVm fake_{std::get<0>(GetParam())};
  Edges edges_;
  Caller caller_;
  std::unique_ptr<CodeTargets> targets_;
};
INSTANTIATE_TEST_SUITE_P(JdksAndInlined, CodeTargetsTest,
                         testing::Combine(testing::Values("../install/testdata/jdk17.txt",
                                                          "../install/testdata/jdk25.txt"),
                                          testing::Values(0u, 1u, 2u, 4u, 7u)));

TEST_P(CodeTargetsTest, TellOfEachCallersFirstCallAndOfNoOther) {
  const uint64_t base = fake_.Class("p/Base", fake_.object, fake_.boot, 7);
  const uint64_t method = fake_.Method(base, "m", 6, 10);
  const uint64_t derived = fake_.Class("p/Derived", base, fake_.boot, 7);
  fake_.Method(derived, "m", 6, 20);
  const uint64_t of_base = fake_.Object(base), of_derived = fake_.Object(derived);
  for (uint32_t site = 1; site <= 30; ++site) {
    const CallTarget call = Add(site, method);
    ASSERT_EQ(call.kind, CallTarget::Kind::kIndexed);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(Call(call, of_derived), 20u);
      EXPECT_EQ(caller_.was_stub(), i == 0);
    }
    EXPECT_THAT(edges_.Take(), ElementsAre(Pair(site, "p.Derived.m()I")));
    EXPECT_EQ(Call(call, of_base), 10u);
    EXPECT_THAT(edges_.Take(), ElementsAre(Pair(site, "p.Base.m()I")));
  }
  // Compiled anew.
  EXPECT_EQ(Call(Add(7, method), of_base), 10u);
  EXPECT_FALSE(caller_.was_stub());
}

TEST_P(CodeTargetsTest, OfAnOverridingMethodShareTheSlotWithCallersOfTheOverridden) {
  const uint64_t base = fake_.Class("p/Base", fake_.object, fake_.boot, 6);
  const uint64_t of_base = fake_.Method(base, "m", 5, 10);
  const uint64_t derived = fake_.Class("p/Derived", base, fake_.boot, 6);
  const uint64_t of_derived = fake_.Method(derived, "m", 5, 20);
  const CallTarget one = Add(1, of_base), other = Add(2, of_derived);
  EXPECT_EQ(one.slot, other.slot);
  EXPECT_NE(one.index, other.index);
  const uint64_t object = fake_.Object(derived);
  EXPECT_EQ(Call(one, object), 20u);
  EXPECT_EQ(Call(other, object), 20u);
  EXPECT_THAT(edges_.Take(), ElementsAre(Pair(1, "p.Derived.m()I"), Pair(2, "p.Derived.m()I")));
}

TEST_P(CodeTargetsTest, OfTheVmsGlueHaveIndexZeroAndAreNotTold) {
  const uint64_t klass = fake_.Class("p/C", fake_.object, fake_.boot, 6);
  const uint64_t method = fake_.Method(klass, "m", 5, 10);
  const CallTarget call = Add(0, method);
  EXPECT_EQ(call.index, 0u);
  EXPECT_EQ(Add(0, method).number, call.number);
  EXPECT_EQ(Call(call, fake_.Object(klass)), 10u);
  EXPECT_EQ(Call(call, fake_.Object(klass)), 10u);
  EXPECT_FALSE(caller_.was_stub());
  EXPECT_THAT(edges_.Take(), IsEmpty());
}

TEST_P(CodeTargetsTest, GoOnToARedefinedMethod) {
  const uint64_t klass = fake_.Class("p/C", fake_.object, fake_.boot, 6);
  const CallTarget call = Add(1, fake_.Method(klass, "m", 5, 10));
  const uint64_t object = fake_.Object(klass);
  EXPECT_EQ(Call(call, object), 10u);
  fake_.Method(klass, "m", 5, 11);
  EXPECT_EQ(Call(call, object), 11u);
  EXPECT_FALSE(caller_.was_stub());
}

TEST_P(CodeTargetsTest, OfManyInterfacesMeetNoOthersMethod) {
  constexpr uint32_t kInterfaces = 40;  // More than there are slots.
  const uint64_t klass = fake_.Class("p/C", fake_.object, fake_.boot, 5);
  std::vector<CallTarget> calls, glue;
  for (uint32_t i = 0; i < kInterfaces; ++i) {
    const std::string name = "p/I" + std::to_string(i);
    const uint64_t interface = fake_.Class(name, fake_.object, fake_.boot, 5);
    const uint64_t declared = fake_.Method(interface, "m", -10, 0);
    if (i < 15) fake_.Implement(klass, interface, fake_.Method(klass, name.substr(2), -2, 100 + i));
    calls.push_back(AddInterface(i + 1, declared));
    glue.push_back(AddInterface(0, declared));
  }
  const uint64_t object = fake_.Object(klass);
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < kInterfaces; ++i) {
      const uint64_t expected = i < 15 ? 100 + i : kWrongMethod;
      EXPECT_EQ(Call(calls[i], object), expected) << i;
      EXPECT_EQ(caller_.was_stub(), round == 0 || i >= 15);
      EXPECT_EQ(Call(glue[i], object), expected) << i;
    }
    EXPECT_THAT(edges_.Take(), SizeIs(round == 0 ? 15 : 0));
  }
}

TEST_P(CodeTargetsTest, OfArraysHaveNoInterfaces) {
  const uint64_t interface = fake_.Class("p/I", fake_.object, fake_.boot, 5);
  const uint64_t declared = fake_.Method(interface, "m", -10, 0);
  const uint64_t array = fake_.Class("[I", fake_.object, fake_.boot, 5);
  FakeVm::Set(array, fake_.vm.layout_helper, int32_t{-5});
  EXPECT_EQ(Call(AddInterface(1, declared), fake_.Object(array)), kWrongMethod);
}

TEST_P(CodeTargetsTest, ForgetClassesThatHaveGone) {
  const uint64_t method = fake_.Method(fake_.object, "hash", 4, 10);
  const CallTarget call = Add(1, method);
  for (int i = 0; i < 20; ++i) Add(static_cast<uint32_t>(100 + i), method);
  const CallTarget late = Add(50, method);
  uint64_t klass = 0;
  for (uint32_t round = 0; round < 5; ++round) {
    const uint64_t loader = fake_.Loader();
    // At the same place each time.
    klass = fake_.Class("q/C", fake_.object, loader, 6, klass);
    fake_.Method(klass, "hash", 4, 20 + round);
    const uint64_t own = fake_.Method(klass, "own", 5, 30 + round);
    const uint64_t object = fake_.Object(klass);
    EXPECT_EQ(Call(call, object), 20u + round);
    EXPECT_EQ(Call(late, object), 20u + round);
    EXPECT_EQ(Call(Add(2, own), object), 30u + round);
    EXPECT_THAT(edges_.Take(), SizeIs(3)) << "of the new class";
    EXPECT_EQ(Call(call, fake_.Object(fake_.object)), 10u);
    targets_->OnCollection();
    EXPECT_EQ(Call(call, object), 20u + round) << "the class lives";
    EXPECT_FALSE(caller_.was_stub());
    fake_.UnloadLast();
    targets_->OnCollection();
    EXPECT_EQ(targets_->counts().classes, 1u);
    EXPECT_EQ(targets_->counts().thunks, 1u);
    edges_.Take();
  }
}

TEST_P(CodeTargetsTest, OfWhatIsNotDispatchedAreDirectCalls) {
  const uint64_t klass = fake_.Class("p/C", fake_.object, fake_.boot, 5);
  const uint64_t method = fake_.Method(klass, "s", -2, 10);
  const CallTarget call = targets_->Add(9, method, Dispatch::kStatic, false);
  EXPECT_EQ(call.kind, CallTarget::Kind::kDirect);
  EXPECT_EQ(targets_->Add(9, method, Dispatch::kStatic, false).number, call.number);
  EXPECT_EQ(targets_->Add(0, method, Dispatch::kStatic, false).kind, CallTarget::Kind::kNone);
  void (*tell)(uint32_t, uint8_t*);
  const uint64_t first_call = targets_->places().first_direct_call;
  std::memcpy(&tell, &first_call, sizeof tell);
  std::array<uint8_t, 5> jump = {kTakenJump, 1, 2, 3, 4};
  tell(call.number, jump.data());
  EXPECT_THAT(jump, ElementsAre(kPassedJump, 1, 2, 3, 4));
  EXPECT_THAT(edges_.Take(), ElementsAre(Pair(9, "p.C.s()I")));
}

TEST_P(CodeTargetsTest, OfClassesThatAreNotLinkedYetAreNotKnown) {
  const uint64_t interface = fake_.Class("p/I", fake_.object, fake_.boot, 5);
  constexpr int32_t kPending = -9;
  EXPECT_EQ(AddInterface(1, fake_.Method(interface, "m", kPending, 0)).kind,
            CallTarget::Kind::kNone);
  EXPECT_EQ(AddInterface(1, fake_.Method(interface, "p", -2, 0)).kind, CallTarget::Kind::kDirect)
      << "a private method";
}

TEST(CodeTargets, AreRefusedWhereTheVmIsAnother) {
  FakeVm fake("../install/testdata/jdk17.txt");
  Edges edges;
  const uint64_t other = fake.Class("p/Other", fake.object, fake.boot, 5);
  EXPECT_FALSE(CodeTargets::Make(fake.vm, fake.list, other, 2, edges));
  fake.vm.compressed_classes = false;
  EXPECT_FALSE(CodeTargets::Make(fake.vm, fake.list, fake.object, 2, edges));
}

}  // namespace
}  // namespace yp::compiler
