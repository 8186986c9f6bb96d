// Types of objects, and stores of references with their barriers.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/backend/optimizing_compiler_for_test.h"

namespace yp::compiler {
namespace {

// As Unsafe.compareAndSetReference, but static: the first argument is the Unsafe.
CallLink CompareAndSetReference() {
  return LinkOf("(Ljava/lang/Object;Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
                {Intrinsic::Kind::kCompareAndSet, 'L'});
}

// An object whose class is known by the constant that the VM would replace, which is 1.
class TypeTest : public testing::Test {
 protected:
  TypeTest() : vm_(Vm()) {
    vm_.compressed_classes = false;
    const auto klass = reinterpret_cast<intptr_t>(klass_);
    const auto list = reinterpret_cast<intptr_t>(list_);
    std::memcpy(object_ + vm_.klass_offset, &klass, sizeof klass);
    std::memcpy(klass_ + vm_.secondary_supers, &list, sizeof list);
  }
  // instanceof, as a value and as what a branch asks for.
  void Expect(int32_t check_offset, bool is_instance) {
    FakeLinkage linkage;
    linkage.types[1] = {true, ConstantId{7}, 0, check_offset};
    const Running value(vm_, MethodOf("(Ljava/lang/Object;)I", {kAload0, 193, 0, 1, kIreturn}), {},
                        linkage, &CompileOptimizedForTest);
    const Running yes(
        vm_, MethodOf("(Ljava/lang/Object;)I", {kAload0, 193, 0, 1, 153, 0, 5, 4, 172, 3, 172}), {},
        linkage, &CompileOptimizedForTest);
    const Running no(
        vm_, MethodOf("(Ljava/lang/Object;)I", {kAload0, 193, 0, 1, 154, 0, 5, 4, 172, 3, 172}), {},
        linkage, &CompileOptimizedForTest);
    const auto object = static_cast<int64_t>(reinterpret_cast<intptr_t>(object_));
    EXPECT_EQ(value.Int(object), is_instance ? 1 : 0);
    EXPECT_EQ(yes.Int(object), is_instance ? 1 : 0);
    EXPECT_EQ(no.Int(object), is_instance ? 0 : 1);
    EXPECT_EQ(value.Int(0), 0);
    EXPECT_EQ(yes.Int(0), 0);
    EXPECT_EQ(no.Int(0), 1);
  }

  VmLayout vm_;
  int64_t one_ = 1;
  alignas(8) uint8_t object_[64] = {}, klass_[1024] = {}, list_[64] = {};
};

TEST_F(TypeTest, FindsAClassAtItsPlace) {
  constexpr int32_t kPlace = 64;
  ASSERT_NE(kPlace, vm_.secondary_super_cache);
  Expect(kPlace, false);
  std::memcpy(klass_ + kPlace, &one_, sizeof one_);
  Expect(kPlace, true);
}

TEST_F(TypeTest, FindsAnInterfaceInTheListAndWhatWasFoundThereLast) {
  Expect(vm_.secondary_super_cache, false);
  std::memcpy(klass_ + vm_.secondary_super_cache, &one_, sizeof one_);
  Expect(vm_.secondary_super_cache, true);
  std::memset(klass_ + vm_.secondary_super_cache, 0, sizeof one_);
  const int32_t count = 2;
  std::memcpy(list_ + vm_.array_count, &count, sizeof count);
  Expect(vm_.secondary_super_cache, false);
  std::memcpy(list_ + vm_.array_elements, &one_, sizeof one_);
  Expect(vm_.secondary_super_cache, true);
}

// Cards are marked in ordinary memory: of 512 bytes each.
TEST(OptimizingCompiler, StoresAReferenceAndMarksItsCardWhereItIsNotNull) {
  VmLayout vm = Vm();
  for (const bool is_compressed : {false, true}) {
    vm.collector = Collector::kSerial;
    vm.compressed_oops = is_compressed;
    vm.oop_base = 0;
    vm.oop_shift = is_compressed ? 3 : 0;
    alignas(8) uint8_t object[64] = {};
    const auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(object));
    uint8_t cards[2] = {9, 9};
    // So that the object's first byte has the first card.
    vm.card_table = static_cast<uint64_t>(reinterpret_cast<intptr_t>(cards)) -
                    (static_cast<uint64_t>(address) >> vm.card_shift);
    FakeLinkage linkage;
    FieldLink field;
    field.type = 'L';
    field.resolved = true;
    field.offset = 16;
    linkage.fields[1] = field;
    const char* const descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)V";
    const Running store(vm, MethodOf(descriptor, {kAload0, 43, 181, 0, 1, kReturn}), {}, linkage,
                        &CompileOptimizedForTest);
    const Running clear(vm, MethodOf(descriptor, {kAload0, 1, 181, 0, 1, kReturn}), {}, linkage,
                        &CompileOptimizedForTest);
    store(address, 0x1230);
    int64_t stored = 0;
    std::memcpy(&stored, object + 16, is_compressed ? 4 : 8);
    EXPECT_EQ(stored, is_compressed ? 0x1230 >> 3 : 0x1230);
    EXPECT_EQ(std::min(cards[0], cards[1]), 0);
    cards[0] = cards[1] = 9;
    clear(address, 0x1230);
    std::memcpy(&stored, object + 16, is_compressed ? 4 : 8);
    EXPECT_EQ(stored, 0);
    EXPECT_EQ(std::min(cards[0], cards[1]), 9);
  }
}

TEST(OptimizingCompiler, StoresAReferenceWhereWhatIsExpectedIs) {
  VmLayout vm = Vm();
  vm.collector = Collector::kSerial;
  for (const uint8_t shift : {uint8_t{0}, uint8_t{3}}) {
    vm.compressed_oops = shift != 0;
    vm.oop_base = 0;
    vm.oop_shift = shift;
    alignas(8) int64_t at = 0x1230 >> shift;
    const auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(&at));
    uint8_t card = 9;
    vm.card_table = static_cast<uint64_t>(reinterpret_cast<intptr_t>(&card)) -
                    (static_cast<uint64_t>(address) >> vm.card_shift);
    FakeLinkage linkage;
    linkage.calls[1] = CompareAndSetReference();
    // Of the address in the first argument, the second one expected; null is stored.
    const Running set(
        vm,
        MethodOf("(JLjava/lang/Object;)I", {1, 1, kLload0, 44, 1, kInvokestatic, 0, 1, kIreturn}),
        {}, linkage, &CompileOptimizedForTest);
    EXPECT_EQ(set.Int(address, 0x1238), 0);
    EXPECT_EQ(at, 0x1230 >> shift);
    EXPECT_EQ(set.Int(address, 0x1230), 1);
    EXPECT_EQ(at, 0);
    EXPECT_EQ(card, 0);
  }
}

// What the VM's barriers were called with. Like any function they leave nothing in most registers.
struct BarrierCalls {
  static inline int64_t kept = 0, card = 0;

  static void LoseRegisters() {
    asm volatile(
        "mov $0x55, %%rax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi; mov %%rax, %%rdi;"
        "mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10; mov %%rax, %%r11; movq %%rax, %%xmm0;"
        "movaps %%xmm0, %%xmm1; movaps %%xmm0, %%xmm2; movaps %%xmm0, %%xmm3;"
        "movaps %%xmm0, %%xmm4; movaps %%xmm0, %%xmm5; movaps %%xmm0, %%xmm6;"
        "movaps %%xmm0, %%xmm7; movaps %%xmm0, %%xmm8; movaps %%xmm0, %%xmm9;" ::
            : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2",
              "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9");
  }
  static void Keep(void*, int64_t object) {
    kept = object;
    LoseRegisters();
  }
  static void Mark(void*, int64_t at) {
    card = at;
    LoseRegisters();
  }
};

class G1Test : public testing::Test {
 protected:
  G1Test() : vm_(Vm()) {
    vm_.collector = Collector::kG1;
    vm_.compressed_oops = false;
    vm_.region_shift = 20;
    vm_.young_card = 2;
    vm_.barrier_pre = reinterpret_cast<uintptr_t>(&BarrierCalls::Keep);
    vm_.barrier_post = reinterpret_cast<uintptr_t>(&BarrierCalls::Mark);
    // So that the object's first byte has the first card.
    vm_.card_table =
        reinterpret_cast<uintptr_t>(cards_) - (static_cast<uint64_t>(Object()) >> vm_.card_shift);
    BarrierCalls::kept = BarrierCalls::card = 0;
    FieldLink field;
    field.type = 'L';
    field.resolved = true;
    field.offset = 16;
    linkage_.fields[1] = field;
  }
  int64_t Object() const { return static_cast<int64_t>(reinterpret_cast<intptr_t>(object_)); }
  int64_t& Field() { return object_[2]; }
  Running Code(const char* descriptor, std::vector<uint8_t> code) const {
    return {vm_, MethodOf(descriptor, std::move(code)), {}, linkage_, &CompileOptimizedForTest};
  }

  static constexpr int64_t kFar = 0x1230, kOld = 0x4560;
  VmLayout vm_;
  FakeLinkage linkage_;
  alignas(512) int64_t object_[64] = {};
  uint8_t cards_[2] = {9, 9};
};

TEST_F(G1Test, AStoreTellsTheVmAndLosesNoRegister) {
  // a.field = b; return x + y;
  Running store = Code("(Ljava/lang/Object;Ljava/lang/Object;DD)D",
                       {kAload0, 43, 181, 0, 1, kDload2, 24, 4, 99, kDreturn});
  Field() = kOld;
  EXPECT_EQ(store(Object(), kFar, 1.5, 2.25).number, 3.75);
  EXPECT_EQ(Field(), kFar);
  EXPECT_EQ(BarrierCalls::kept, 0);  // Nothing marks.
  EXPECT_EQ(BarrierCalls::card, static_cast<int64_t>(reinterpret_cast<intptr_t>(cards_)));
  EXPECT_EQ(cards_[0], 0);

  Field() = kOld;
  BarrierCalls::card = 0;
  store.Set<uint8_t>(vm_.satb_active, 1);
  EXPECT_EQ(store(Object(), kFar, 1.5, 2.25).number, 3.75);
  EXPECT_EQ(Field(), kFar);
  EXPECT_EQ(BarrierCalls::kept, kOld);
  EXPECT_EQ(BarrierCalls::card, 0);  // It was marked already.
}

TEST_F(G1Test, AStoreToAYoungObjectOrOfOneBesideItMarksNoCard) {
  const Running store =
      Code("(Ljava/lang/Object;Ljava/lang/Object;)V", {kAload0, 43, 181, 0, 1, kReturn});
  store(Object(), Object() + 8);
  EXPECT_EQ(Field(), Object() + 8);
  store(Object(), 0);
  EXPECT_EQ(Field(), 0);
  cards_[0] = static_cast<uint8_t>(vm_.young_card);
  store(Object(), kFar);
  EXPECT_EQ(Field(), kFar);
  EXPECT_EQ(BarrierCalls::card, 0);
}

TEST_F(G1Test, NullOverwritesWhatIsKept) {
  Running clear = Code("(Ljava/lang/Object;)V", {kAload0, 1, 181, 0, 1, kReturn});
  clear.Set<uint8_t>(vm_.satb_active, 1);
  Field() = kOld;
  clear(Object());
  EXPECT_EQ(Field(), 0);
  EXPECT_EQ(BarrierCalls::kept, kOld);
}

TEST_F(G1Test, AnExchangeTellsTheVmWhereItHasStored) {
  linkage_.calls[1] = CompareAndSetReference();
  // Of the address in the first argument, the second one expected, and stored as well.
  Running set = Code("(JLjava/lang/Object;DD)D", {1, 1, kLload0, 44, 44, kInvokestatic, 0, 1, 135,
                                                  41, 99, 24, 5, 99, kDreturn});
  set.Set<uint8_t>(vm_.satb_active, 1);
  Field() = kOld;
  EXPECT_EQ(set(Object() + 16, kFar, 1.5, 2.25).number, 3.75);
  EXPECT_EQ(BarrierCalls::kept, kOld);
  EXPECT_EQ(BarrierCalls::card, 0);
  Field() = kFar;
  EXPECT_EQ(set(Object() + 16, kFar, 1.5, 2.25).number, 4.75);
  EXPECT_EQ(BarrierCalls::kept, kFar);
  EXPECT_EQ(BarrierCalls::card, static_cast<int64_t>(reinterpret_cast<intptr_t>(cards_)));
}

TEST_F(G1Test, AReferentIsKeptAndIsStillThere) {
  linkage_.fields[1].is_referent = true;
  Running load = Code("(Ljava/lang/Object;)Ljava/lang/Object;", {kAload0, 180, 0, 1, 176});
  Field() = kOld;
  EXPECT_EQ(load(Object()).integer, kOld);
  EXPECT_EQ(BarrierCalls::kept, 0);
  load.Set<uint8_t>(vm_.satb_active, 1);
  EXPECT_EQ(load(Object()).integer, kOld);
  EXPECT_EQ(BarrierCalls::kept, kOld);
}

}  // namespace
}  // namespace yp::compiler
