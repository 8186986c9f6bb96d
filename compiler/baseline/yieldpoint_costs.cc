#include "compiler/baseline/yieldpoint_costs.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

#include "base/clock.h"
#include "compiler/baseline/base_compiler.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {
namespace {

constexpr uint8_t kReturn = 177;
constexpr int64_t kCalls = 5'000;
// Each kind of call has its turn in each round, so that a processor that becomes slower or faster
// does so for all of them. What disturbs a turn makes it longer: of each kind the shortest counts.
constexpr int kRounds = 8;

// Of a method that names nothing.
class NoLinkage final : public Linkage {
 public:
  const FieldLink* Field(uint32_t, uint8_t) override { return nullptr; }
  const CallLink* Call(uint32_t, uint8_t) override { return nullptr; }
  TypeLink Type(uint32_t, uint8_t) override { return {}; }
  TypeLink PrimitiveArray(uint8_t) override { return {}; }
  TypeLink CaughtType(uint32_t) override { return {}; }
  ConstantLink Constant(uint32_t) override { return {}; }
  ConstantId Holder() override { return {}; }
  ConstantId HolderClass() override { return {}; }
  uint32_t CallSite(uint32_t) override { return 0; }
  CallTarget TargetOf(uint32_t, const CallLink&) override { return {}; }
};

void DoNothing(YieldpointRecord*, uint32_t, const uint8_t*) {}

// The method, and behind it a function that calls it so often as its second argument says, on the
// thread that is its first.
class Loop {
 public:
  explicit Loop(const CompiledCode& method) {
    using enum x64::Reg;
    using enum x64::Width;
    void* const pages =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    pages_ = static_cast<uint8_t*>(pages);
    x64::Assembler a;
    const x64::Label again = a.NewLabel();
    a.Push(r15);
    a.Push(rbx);
    a.Push(rsi);  // The calls that are left; the stack is aligned.
    a.Mov(k64, r15, rdi);
    a.MovImmediate(rbx, reinterpret_cast<intptr_t>(pages_ + method.verified_entry));
    a.Bind(again);
    a.Call(rbx);
    a.Do(x64::Alu::kSub, k64, x64::At(rsp), 1);
    a.Jump(x64::Condition::kGreater, again);
    a.Pop(rsi);
    a.Pop(rbx);
    a.Pop(r15);
    a.Return();
    const std::vector<uint8_t> loop = a.TakeCode();
    if (method.code.size() + loop.size() > kBytes) return;
    std::memcpy(pages_, method.code.data(), method.code.size());
    uint8_t* const entry = pages_ + method.code.size();
    std::memcpy(entry, loop.data(), loop.size());
    if (mprotect(pages_, kBytes, PROT_READ | PROT_EXEC) != 0) return;
    std::memcpy(&run_, &entry, sizeof run_);
  }
  ~Loop() {
    if (pages_ != nullptr) munmap(pages_, kBytes);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  bool can_run() const { return run_ != nullptr; }
  // ns of kCalls calls, where they are less than `least_ns`.
  void Run(uint8_t* thread, int64_t* least_ns) const {
    SystemClock clock;
    const int64_t begin_ns = clock.NowNs();
    run_(thread, kCalls);
    *least_ns = std::min(*least_ns, clock.NowNs() - begin_ns);
  }

 private:
  static constexpr size_t kBytes = 4096;
  uint8_t* pages_ = nullptr;
  void (*run_)(uint8_t* thread, int64_t calls) = nullptr;
};

}  // namespace

YieldpointCosts MeasureYieldpoints(const VmLayout& vm) {
  Method method;
  method.is_static = true;
  method.signature = *Signature::Parse("()V");
  method.code = {kReturn};
  method.yieldpoint_id = 1;
  NoLinkage linkage;
  RuntimePlaces places;
  places.yieldpoints = YieldpointTargets{reinterpret_cast<uintptr_t>(&DoNothing), 0};
  const Result<CompiledCode> compiled = CompileBase(method, linkage, vm, places);
  if (!compiled) return {};
  const Loop loop(*compiled);
  // What the method's code looks at of its thread.
  constexpr int32_t kThreadBytes = 4096;
  alignas(8) std::array<uint8_t, kThreadBytes> thread{};
  const auto set = [&](int32_t offset, auto value) {
    const bool fits = offset >= 0 && offset + static_cast<int32_t>(sizeof value) <= kThreadBytes;
    if (fits) std::memcpy(thread.data() + offset, &value, sizeof value);
    return fits;
  };
  YieldpointRecord record;
  const void* const page = thread.data();
  const bool is_ready = loop.can_run() && vm.entry_guard.value_or(0) < kThreadBytes - 4 &&
                        set(vm.polling_page, page) && set(vm.yieldpoints->record, &record) &&
                        set(vm.yieldpoints->state, YieldpointState::kNone);
  if (!is_ready) return {};
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t plain_ns = kNone, counted_ns = kNone, taken_ns = kNone;
  for (int round = 0; round < kRounds; ++round) {
    set(vm.yieldpoints->state, YieldpointState::kNone);
    loop.Run(thread.data(), &plain_ns);
    set(vm.yieldpoints->state, YieldpointState::kCalls);
    record.calls_left = 2 * kCalls;
    loop.Run(thread.data(), &counted_ns);
    record.calls_left = 0;
    loop.Run(thread.data(), &taken_ns);
  }
  const auto of_a_call = [](int64_t ns) { return std::max<int64_t>(0, ns * 1000 / kCalls); };
  return {of_a_call(counted_ns - plain_ns), of_a_call(taken_ns - plain_ns)};
}

}  // namespace yp::compiler
