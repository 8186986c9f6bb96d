#include "compiler/ctb/code_targets.h"

#include <algorithm>
#include <utility>

#include "compiler/ctb/stub_code.h"
#include "compiler/runtime/yieldpoints.h"
#include "recorder/guarded.h"

namespace yp::compiler {
namespace {

// Interface methods are spread over the first words of the Klass's own fields.
constexpr uint32_t kInterfaceSlots = 32;
constexpr uint32_t kFirstCapacity = 4;
// A dispatch slot with more callers than this goes on without telling of the others.
constexpr uint32_t kMostCallers = 1 << 16;
// Of virtual calls that no edge is told of.
constexpr uint32_t kNoIndex = 0;

CodeTargets* the_targets = nullptr;

int32_t InterfaceSlot(uint64_t interface, int32_t index) {
  const uint64_t mixed = (interface + static_cast<uint64_t>(index)) * 0x9e3779b97f4a7c15u;
  return static_cast<int32_t>(8 * (mixed >> 32 & (kInterfaceSlots - 1)));
}

// So that a dispatch slot's words are a power of two.
uint8_t WordsLog2(unsigned inlined) {
  uint8_t log2 = 0;
  while ((1u << log2) < inlined + 1) ++log2;
  return log2;
}

}  // namespace

CodeTargets::CodeTargets(const VmLayout& vm, const VmClasses::LoaderList& loaders, unsigned inlined,
                         EdgeListener& listener)
    : vm_(vm), classes_(vm, loaders), inlined_(inlined), listener_(listener) {}

CodeTargets::~CodeTargets() {
  if (the_targets == this) the_targets = nullptr;
  for (const auto& [number, family] : families_) {
    for (const Family::Array& array : family.arrays) {
      delete[] reinterpret_cast<uint64_t*>(array.word->load());
    }
  }
  for (uint64_t* const array : replaced_) delete[] array;
}

Result<std::unique_ptr<CodeTargets>> CodeTargets::Make(const VmLayout& vm,
                                                       const VmClasses::LoaderList& loaders,
                                                       uint64_t object, unsigned inlined,
                                                       EdgeListener& listener) {
  if (!vm.dispatch) return Status::Error("this JVM does not say how it dispatches calls");
  if (!vm.compressed_classes) {
    return Status::Error(
        "code targets need compressed class pointers: leave out "
        "-XX:-UseCompressedClassPointers");
  }
  if (vm.dispatch->vtable_start < static_cast<int32_t>(8 * kInterfaceSlots)) {
    return Status::Error("this JVM's classes have too few fields");
  }
  std::unique_ptr<CodeTargets> targets(
      new CodeTargets(vm, loaders, std::min(inlined, kMostInlined), listener));
  if (Status ready = targets->Prepare(object); !ready) return ready;
  the_targets = targets.get();
  return targets;
}

Status CodeTargets::Prepare(uint64_t object) {
  if (Status known = classes_.Check(object); !known) return known;
  Status reserved = shadow_.Reserve(vm_.klass_base, vm_.klass_shift, WordsLog2(inlined_));
  if (!reserved) return reserved;
  const uint8_t* const stub =
      code_.Add(AssembleProfilingStub(reinterpret_cast<uintptr_t>(&OnCall)));
  if (stub == nullptr) return Status::Error("there is no memory that may be executed");
  profiling_stub_ = reinterpret_cast<uintptr_t>(stub);
  return Status::Ok();
}

CodeTargetPlaces CodeTargets::places() const {
  return {.shadow = shadow_.base(),
          .words_log2 = shadow_.words_log2(),
          .inlined = inlined_,
          .profiling_stub = profiling_stub_,
          .first_direct_call = reinterpret_cast<uintptr_t>(&OnDirectCall)};
}

CallTarget CodeTargets::Add(uint32_t site, uint64_t method, Dispatch dispatch,
                            bool is_interface_method) {
  const bool is_virtual = dispatch == Dispatch::kVirtual || dispatch == Dispatch::kInterface;
  Call call{.site = site};
  std::pair<uint64_t, int32_t> family;
  if (is_virtual && is_interface_method) {
    if (const auto index = classes_.InterfaceIndex(method)) {
      call.interface = classes_.HolderOf(method);
      call.interface_index = *index;
      call.slot = InterfaceSlot(call.interface, *index);
      family = {0, call.slot};
      const std::lock_guard lock(mutex_);
      return Indexed(AddCall(call, family));
    }
  } else if (is_virtual) {
    if (const auto slot = classes_.VirtualSlot(method)) {
      call.slot = *slot;
      family = {classes_.RootOf(classes_.HolderOf(method), *slot), *slot};
      const std::lock_guard lock(mutex_);
      return Indexed(AddCall(call, family));
    }
  }
  // It goes to that method and no other, unless the VM does not know yet.
  if (site == 0 || (is_virtual && !classes_.IsNonvirtual(method))) return {};
  const MethodId callee = listener_.IdOf(classes_.Describe(method));
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] =
      direct_call_numbers_.try_emplace({site, callee}, static_cast<uint32_t>(direct_calls_.size()));
  if (is_new) direct_calls_.push_back({site, callee});
  return {.kind = CallTarget::Kind::kDirect, .number = known->second};
}

CallTarget CodeTargets::Indexed(uint32_t number) const {
  const Call& call = calls_[number];
  return {
      .kind = CallTarget::Kind::kIndexed, .number = number, .slot = call.slot, .index = call.index};
}

uint32_t CodeTargets::AddCall(Call call, std::pair<uint64_t, int32_t> of) {
  const auto [numbered, is_new_family] = family_numbers_.try_emplace(of, next_family_);
  call.family = numbered->second;
  Family& family = families_[call.family];
  if (is_new_family) {
    ++next_family_;
    if (of.first != 0) {
      family.root_loader = classes_.LoaderOf(of.first);
      family.next_index = kNoIndex + 1;
    }
  }
  const auto [known, is_new] =
      call_numbers_.try_emplace({call.site, call.family, call.interface, call.interface_index},
                                static_cast<uint32_t>(calls_.size()));
  if (!is_new) return known->second;
  if (of.first != 0 && (call.site == 0 || family.next_index == kMostCallers)) {
    if (call.site != 0) ++without_index_;
    call.site = 0;
    call.index = kNoIndex;
  } else {
    // Of an interface's method, calls that are not told of have an index as well.
    call.index = family.next_index++;
  }
  while (family.next_index > inlined_ + family.capacity) Grow(family);
  calls_.push_back(call);
  return known->second;
}

uint64_t* CodeTargets::NewArray(uint32_t capacity) const {
  auto* const array = new uint64_t[capacity];
  std::fill_n(array, capacity, profiling_stub_);
  return array;
}

// The code that will use the new elements is not yet there. A thread that has loaded an old array's
// address reads it still; what is written to it from now on, nothing, as that takes the mutex.
void CodeTargets::Grow(Family& family) {
  const uint32_t capacity = std::max(kFirstCapacity, 2 * family.capacity);
  for (const Family::Array& array : family.arrays) {
    auto* const old = reinterpret_cast<uint64_t*>(array.word->load(std::memory_order_relaxed));
    uint64_t* const grown = NewArray(capacity);
    std::copy_n(old, family.capacity, grown);
    array.word->store(reinterpret_cast<uintptr_t>(grown), std::memory_order_release);
    replaced_.push_back(old);
  }
  family.capacity = capacity;
}

std::atomic<uint64_t>& CodeTargets::ArrayWord(uint64_t klass, int32_t slot) const {
  return shadow_.Words(klass, slot)[inlined_];
}

CodeTargets::KnownClass& CodeTargets::Know(uint64_t klass) {
  const auto [known, is_new] = known_.try_emplace(klass);
  if (is_new) known->second.loader = classes_.LoaderOf(klass);
  return known->second;
}

std::atomic<uint64_t>* CodeTargets::ElementOf(uint64_t klass, KnownClass& known, const Call& call) {
  if (std::ranges::find(known.slots, call.slot) == known.slots.end()) {
    known.slots.push_back(call.slot);
  }
  if (call.index < inlined_) return &shadow_.Words(klass, call.slot)[call.index];
  Family& family = families_[call.family];
  std::atomic<uint64_t>& word = ArrayWord(klass, call.slot);
  if (word.load(std::memory_order_relaxed) == 0) {
    word.store(reinterpret_cast<uintptr_t>(NewArray(family.capacity)), std::memory_order_release);
    family.arrays.push_back({klass, &word});
  }
  auto* const array =
      reinterpret_cast<std::atomic<uint64_t>*>(word.load(std::memory_order_relaxed));
  return &array[call.index - inlined_];
}

uint8_t* CodeTargets::ThunkFor(KnownClass& known, uint64_t entry) {
  const auto [thunk, is_new] = known.thunks.try_emplace(entry);
  if (is_new) {
    thunk->second = code_.Add(AssembleThunk(entry, vm_.dispatch->method_compiled_entry));
  }
  return thunk->second;
}

// Compiled code cannot take an exception of ours: where there is no memory, the VM resolves the
// call.
uint64_t CodeTargets::OnCall(uint64_t receiver, const uint8_t* return_address) {
  uint64_t target = the_targets->vm_.wrong_method;
  Guarded([&] { target = the_targets->Find(receiver, CallMarkedAt(return_address)); });
  return target;
}

// Where it does not know what to do, the VM does: it resolves the call anew, or throws.
uint64_t CodeTargets::Find(uint64_t receiver, uint32_t number) {
  const uint64_t klass = classes_.ClassOf(receiver);
  const std::lock_guard lock(mutex_);
  if (number == 0 || number >= calls_.size()) return vm_.wrong_method;
  const Call& call = calls_[number];
  const uint64_t entry = call.interface != 0
                             ? classes_.InterfaceEntry(klass, call.interface, call.interface_index)
                             : klass + static_cast<uint64_t>(call.slot);
  uint64_t method = 0;
  if (entry != 0) __builtin_memcpy(&method, reinterpret_cast<const void*>(entry), sizeof method);
  if (method == 0) return vm_.wrong_method;
  KnownClass& known = Know(klass);
  const uint8_t* const thunk = ThunkFor(known, entry);
  if (thunk == nullptr) return vm_.wrong_method;
  // Release: the thunk is there before its address.
  ElementOf(klass, known, call)
      ->store(reinterpret_cast<uintptr_t>(thunk), std::memory_order_release);
  if (call.site != 0) listener_.OnNewEdge(call.site, listener_.IdOf(classes_.Describe(method)));
  return reinterpret_cast<uintptr_t>(thunk);
}

void CodeTargets::OnDirectCall(uint32_t number, uint8_t* jump) {
  static_assert(sizeof(std::atomic<uint8_t>) == 1);
  CodeTargets& targets = *the_targets;
  reinterpret_cast<std::atomic<uint8_t>*>(jump)->store(kPassedJump, std::memory_order_release);
  Guarded([&] {
    const std::lock_guard lock(targets.mutex_);
    const DirectCall& call = targets.direct_calls_[number];
    targets.listener_.OnNewEdge(call.site, call.callee);
  });
}

void CodeTargets::OnCollection() {
  const std::lock_guard lock(mutex_);
  // No thread is between loading an array's address and the call.
  for (uint64_t* const array : replaced_) delete[] array;
  replaced_.clear();
  if (known_.empty() && family_numbers_.empty()) return;
  const std::unordered_set<uint64_t> live = classes_.LiveLoaders();
  for (auto& [number, family] : families_) {
    std::erase_if(family.arrays, [&](const Family::Array& array) {
      if (live.contains(known_.at(array.klass).loader)) return false;
      delete[] reinterpret_cast<uint64_t*>(array.word->load());
      return true;
    });
  }
  std::erase_if(known_, [&](const auto& entry) {
    const auto& [klass, known] = entry;
    if (live.contains(known.loader)) return false;
    for (const int32_t slot : known.slots) {
      std::atomic<uint64_t>* const words = shadow_.Words(klass, slot);
      for (unsigned i = 0; i <= inlined_; ++i) words[i].store(0, std::memory_order_relaxed);
    }
    for (const auto& [at, thunk] : known.thunks) {
      if (thunk != nullptr) code_.Free(thunk);
    }
    return true;
  });
  std::erase_if(family_numbers_, [&](const auto& entry) {
    const auto& [of, number] = entry;
    if (of.first == 0 || live.contains(families_.at(number).root_loader)) return false;
    families_.erase(number);
    return true;
  });
}

CodeTargets::Counts CodeTargets::counts() {
  const std::lock_guard lock(mutex_);
  Counts counts{
      .calls = calls_.size() - 1, .classes = known_.size(), .without_index = without_index_};
  for (const auto& [number, family] : families_) counts.arrays += family.arrays.size();
  for (const auto& [klass, known] : known_) counts.thunks += known.thunks.size();
  return counts;
}

}  // namespace yp::compiler
