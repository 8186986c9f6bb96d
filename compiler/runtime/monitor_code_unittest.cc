#include "compiler/runtime/monitor_code.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "compiler/install/test_store_for_test.h"
#include "compiler/x64/executable_for_test.h"

namespace yp::compiler {
namespace {

using enum x64::Reg;
using enum x64::Width;
using x64::Assembler;
using x64::At;
using x64::Label;
using x64::Reg;

constexpr int32_t kThreadBytes = 4096;
constexpr uint64_t kHash = 0x12345600, kUnlocked = kHash | 1;

// An object, and a thread that has locked nothing.
struct World {
  explicit World(const VmLayout& layout) : vm(layout) {
    if (vm.monitors.way == VmLayout::Monitors::Way::kLockStack) {
      Put<int32_t>(vm.monitors.lock_stack_top, FirstEntry());
    }
    const auto& inflated = vm.monitors.inflated;
    if (inflated && inflated->thread_as_owner) Put<int64_t>(*inflated->thread_as_owner, 77);
  }
  int32_t FirstEntry() const { return vm.monitors.lock_stack_top + 16; }  // Behind a sentinel.
  int32_t Entries() const { return (Get<int32_t>(vm.monitors.lock_stack_top) - FirstEntry()) / 8; }
  template <typename T>
  void Put(int32_t offset, T value) {
    std::memcpy(thread + offset, &value, sizeof value);
  }
  template <typename T>
  T Get(int32_t offset) const {
    T value;
    std::memcpy(&value, thread + offset, sizeof value);
    return value;
  }
  uint64_t Inflated() const {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(monitor)) | 2;
  }
  // What this thread is as an owner of monitors.
  int64_t Self() const {
    const auto& as_owner = vm.monitors.inflated->thread_as_owner;
    return as_owner ? Get<int64_t>(*as_owner)
                    : static_cast<int64_t>(reinterpret_cast<intptr_t>(thread));
  }
  int64_t& OfMonitor(int32_t offset) { return monitor[offset / 8]; }
  int64_t& Owner() { return OfMonitor(vm.monitors.inflated->owner); }
  int64_t& Recursions() { return OfMonitor(vm.monitors.inflated->recursions); }
  int64_t Held() const { return Get<int64_t>(*vm.monitors.held_count); }

  // Runs what `emit` assembles: BasicLocks are at rsp; r8 counts what could be done fast.
  int64_t Run(const std::function<void(Assembler&)>& emit) {
    constexpr int32_t kFrame = 256;
    Assembler a;
    for (const Reg reg : {r15, rbx}) a.Push(reg);
    a.Do(x64::Alu::kSub, k64, rsp, kFrame);
    a.Mov(k64, r15, rdi);
    a.MovImmediate(r8, 0);
    emit(a);
    a.Mov(k64, rax, r8);
    a.Do(x64::Alu::kAdd, k64, rsp, kFrame);
    for (const Reg reg : {rbx, r15}) a.Pop(reg);
    a.Return();
    return x64::Executable<int64_t(void*, void*, void*)>(a.TakeCode())(thread, &mark, copies);
  }
  void Do(Assembler& a, int32_t lock, bool enters) const {
    const Label slow = a.NewLabel();
    a.Lea(rdx, At(rsp, 8 * lock));
    if (enters) {
      ChangeMonitor(a, vm, Stub::kMonitorEnter, slow);
    } else {
      ChangeMonitor(a, vm, Stub::kMonitorExit, slow);
    }
    a.Do(x64::Alu::kAdd, k64, r8, 1);
    a.Bind(slow);
  }

  const VmLayout& vm;
  alignas(8) uint8_t thread[kThreadBytes] = {};
  alignas(8) uint64_t mark = kUnlocked;  // The object: no more of it is looked at.
  int64_t monitor[32] = {};              // Of the VM's, when the mark is Inflated().
  uint64_t copies[4] = {};
};

VmLayout Vm(const char* file, int64_t mode = -1) {
  VmStore store = ReadTestStore(file);
  if (mode >= 0) store.Set("flag:LockingMode", mode);
  return *VmLayout::From(store);
}
const char* const kJdk17 = "../install/testdata/jdk17.txt";
const char* const kJdk25 = "../install/testdata/jdk25.txt";

class EachWay : public testing::TestWithParam<VmLayout> {
 protected:
  World world_{GetParam()};
};

TEST_P(EachWay, LeavesTheObjectAsItWasFound) {
  EXPECT_EQ(world_.Run([&](Assembler& a) {
    for (const int32_t lock : {0, 1, 2}) world_.Do(a, lock, true);
    for (const int32_t lock : {2, 1, 0}) world_.Do(a, lock, false);
  }),
            6);
  EXPECT_EQ(world_.mark, kUnlocked);
}

TEST_P(EachWay, LocksTheObjectUntilItIsLeftAsOftenAsItWasEntered) {
  EXPECT_EQ(world_.Run([&](Assembler& a) {
    for (const int32_t lock : {0, 1, 2}) world_.Do(a, lock, true);
    for (const int32_t lock : {2, 1}) world_.Do(a, lock, false);
  }),
            5);
  EXPECT_EQ(world_.mark & 3, 0u);
}

TEST_P(EachWay, EntersAndLeavesAMonitorOfTheVm) {
  world_.mark = world_.Inflated();
  EXPECT_EQ(world_.Run([&](Assembler& a) {
    for (const int32_t lock : {0, 1, 2}) world_.Do(a, lock, true);
    world_.Do(a, 2, false);
  }),
            4);
  EXPECT_EQ(world_.Owner(), world_.Self());
  EXPECT_EQ(world_.Recursions(), 1);
  EXPECT_EQ(world_.mark, world_.Inflated());
  world_.Recursions() = 0;
  world_.Owner() = 0;
  EXPECT_EQ(world_.Run([&](Assembler& a) {
    for (const int32_t lock : {0, 1}) world_.Do(a, lock, true);
    for (const int32_t lock : {1, 0}) world_.Do(a, lock, false);
  }),
            4);
  EXPECT_EQ(world_.Owner(), 0);
  EXPECT_EQ(world_.Recursions(), 0);
}

TEST_P(EachWay, LeavesAMonitorOfAnotherThreadsAsItIs) {
  world_.mark = world_.Inflated();
  world_.Owner() = world_.Self() + 8;
  EXPECT_EQ(world_.Run([&](Assembler& a) {
    world_.Do(a, 0, true);
    a.StoreImmediate(k64, At(rsp), 3);
    world_.Do(a, 0, false);
  }),
            0);
  EXPECT_EQ(world_.Owner(), world_.Self() + 8);
  EXPECT_EQ(world_.Recursions(), 0);
}

TEST_P(EachWay, LeavesAMonitorToTheVmForWhichAnotherThreadWaits) {
  for (const int32_t entering : GetParam().monitors.inflated->entering) {
    world_.mark = world_.Inflated();
    world_.OfMonitor(entering) = 1;
    EXPECT_EQ(world_.Run([&](Assembler& a) {
      world_.Do(a, 0, true);
      world_.Do(a, 0, false);
    }),
              1);
    EXPECT_EQ(world_.Owner(), world_.Self());
    world_.Owner() = world_.OfMonitor(entering) = 0;
  }
}

TEST_P(EachWay, LeavesMonitorsToAVmThatKeepsThemInATable) {
  VmLayout vm = GetParam();
  vm.monitors.inflated.reset();
  World world(vm);
  world.mark = kHash | 2;
  EXPECT_EQ(world.Run([&](Assembler& a) { world.Do(a, 0, true); }), 0);
  EXPECT_EQ(world.mark, kHash | 2);
}

TEST_P(EachWay, LeavesToTheVmWhatItHasMadeAMonitorMeanwhile) {
  world_.Owner() = 1;  // As JDK 25 says that it does not know whose it is.
  EXPECT_EQ(world_.Run([&](Assembler& a) {
    world_.Do(a, 0, true);
    a.MovImmediate(rax, static_cast<int64_t>(world_.Inflated()));
    a.Store(k64, At(rsi), rax);
    world_.Do(a, 0, false);
  }),
            1);
  EXPECT_EQ(world_.mark, world_.Inflated());
  EXPECT_EQ(world_.Owner(), 1);
}

TEST_P(EachWay, DoesNotEnterWhatAnotherThreadHasLocked) {
  uint64_t other[2] = {};
  world_.mark = GetParam().monitors.way == VmLayout::Monitors::Way::kStack
                    ? static_cast<uint64_t>(reinterpret_cast<uintptr_t>(other)) + (1 << 20)
                    : kHash;
  const uint64_t before = world_.mark;
  EXPECT_EQ(world_.Run([&](Assembler& a) { world_.Do(a, 0, true); }), 0);
  EXPECT_EQ(world_.mark, before);
}

INSTANTIATE_TEST_SUITE_P(Monitors, EachWay, testing::Values(Vm(kJdk17), Vm(kJdk25), Vm(kJdk25, 1)));

TEST(MonitorCode, KeepsTheMarkInTheOuterBasicLockAndZeroInThoseOfRecursion) {
  const VmLayout vm = Vm(kJdk17);
  World world(vm);
  world.Run([&](Assembler& a) {
    a.Mov(k64, r9, rdx);
    for (const int32_t lock : {0, 1}) world.Do(a, lock, true);
    for (const int32_t i : {0, 1}) {
      a.Load(k64, rax, At(rsp, 8 * i));
      a.Store(k64, At(r9, 8 * i), rax);
    }
  });
  EXPECT_EQ(world.copies[0], kUnlocked);
  EXPECT_EQ(world.copies[1], 0u);
}

TEST(MonitorCode, CountsWhereTheVmCounts) {
  const VmLayout vm = Vm(kJdk25, 1);
  ASSERT_TRUE(vm.monitors.held_count);
  World world(vm);
  world.Run([&](Assembler& a) {
    for (const int32_t lock : {0, 1, 2}) world.Do(a, lock, true);
    world.Do(a, 2, false);
  });
  EXPECT_EQ(world.Held(), 2);
  world.mark = world.Inflated();
  world.Owner() = 1;
  world.Run([&](Assembler& a) { world.Do(a, 0, true); });
  EXPECT_EQ(world.Held(), 2);
  world.Owner() = 0;
  world.Run([&](Assembler& a) { world.Do(a, 0, true); });
  EXPECT_EQ(world.Held(), 3);
}

TEST(MonitorCode, HasTheObjectOnTheLockStackAsOftenAsItIsEntered) {
  const VmLayout vm = Vm(kJdk25);
  World world(vm);
  world.Run([&](Assembler& a) {
    for (const int32_t lock : {0, 1, 2}) world.Do(a, lock, true);
    world.Do(a, 2, false);
  });
  EXPECT_EQ(world.Entries(), 2);
  for (const int32_t entry : {0, 1}) {
    EXPECT_EQ(world.Get<uint64_t*>(world.FirstEntry() + 8 * entry), &world.mark);
  }
}

TEST(MonitorCode, AsksTheVmWhereTheLockStackIsFull) {
  const VmLayout vm = Vm(kJdk25);
  World world(vm);
  const int32_t free = (vm.monitors.lock_stack_end - world.FirstEntry()) / 8;
  EXPECT_EQ(world.Run([&](Assembler& a) {
    for (int32_t lock = 0; lock <= free; ++lock) world.Do(a, lock, true);
  }),
            free);
  EXPECT_EQ(world.Entries(), free);
}

TEST(MonitorCode, AsksTheVmWhereAnotherObjectIsOnTopOfTheLockStack) {
  const VmLayout vm = Vm(kJdk25);
  World world(vm);
  EXPECT_EQ(world.Run([&](Assembler& a) {
    world.Do(a, 0, true);
    a.Do(x64::Alu::kAdd, k64, rsi, 8);  // An object that is not locked.
    world.Do(a, 0, false);
  }),
            1);
  EXPECT_EQ(world.Entries(), 1);
}

}  // namespace
}  // namespace yp::compiler
