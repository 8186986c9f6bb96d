#include "hotspot/vmstructs/counted_methods.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

// Loaders and classes: more than any VM has.
constexpr size_t kMaxSeen = 4'000'000;
constexpr int32_t kMaxMethods = 0xffff;  // Of a class.

using MethodWords = std::array<uint64_t, 32>;

}  // namespace

Result<CountedMethods> CountedMethods::Create(const VmStructs& structs, GuardedBlocks& memory) {
  CountedMethods reader(memory);
  FieldFinder find(structs);
  reader.head_ = find.Address("ClassLoaderDataGraph", "_head");
  reader.next_loader_ = find.Offset("ClassLoaderData", "_next");
  reader.classes_ = find.Offset("ClassLoaderData", "_klasses");
  reader.next_class_ = find.Offset("Klass", "_next_link");
  reader.layout_helper_ = find.Offset("Klass", "_layout_helper");
  reader.methods_ = find.Offset("InstanceKlass", "_methods");
  reader.array_length_ = find.Offset("Array<int>", "_length");
  reader.array_data_ = find.Offset("Array<Method*>", "_data");
  reader.const_method_ = find.Offset("Method", "_constMethod");
  reader.data_ = find.Offset("Method", "_method_data");
  reader.counters_ = find.Offset("Method", "_method_counters");
  reader.method_words_ =
      static_cast<size_t>(std::max({reader.const_method_, reader.data_, reader.counters_})) / 8 + 1;
  reader.interpreted_ = find.Offset("MethodCounters", "_invocation_counter") +
                        find.Offset("InvocationCounter", "_counter");
  reader.count_shift_ = find.Constant("InvocationCounter::count_shift");
  if (Status found = find.status(); !found) return found;
  if (reader.method_words_ > std::tuple_size_v<MethodWords> || reader.count_shift_ < 0 ||
      reader.count_shift_ > 31) {
    return Status::Error("this JVM's methods have a layout that is not known here");
  }
  return reader;
}

std::vector<CountedMethods::Method> CountedMethods::Find() const {
  std::vector<Method> found;
  // A loader that was freed may have become another one, which leads back to those that were seen.
  std::unordered_set<const void*> seen;
  const void* loader = memory_->Get<const void*>(head_, 0).value_or(nullptr);
  while (loader != nullptr && seen.size() < kMaxSeen && seen.insert(loader).second) {
    const void* klass = memory_->Get<const void*>(loader, classes_).value_or(nullptr);
    while (klass != nullptr && seen.size() < kMaxSeen && seen.insert(klass).second) {
      FindIn(klass, &found);
      klass = memory_->Get<const void*>(klass, next_class_).value_or(nullptr);
    }
    loader = memory_->Get<const void*>(loader, next_loader_).value_or(nullptr);
  }
  return found;
}

void CountedMethods::FindIn(const void* klass, std::vector<Method>* found) const {
  // The sign tells arrays (HotSpot's klass.hpp), which are no InstanceKlass.
  const auto layout = memory_->Get<int32_t>(klass, layout_helper_);
  if (!layout || *layout < 0) return;
  const void* methods = memory_->Get<const void*>(klass, methods_).value_or(nullptr);
  const auto length = memory_->Get<int32_t>(methods, array_length_);
  if (!length || *length <= 0 || *length > kMaxMethods) return;
  std::vector<const void*> addresses(static_cast<size_t>(*length));
  if (!memory_->Read(GuardedMemory::At(methods, array_data_), addresses.data(),
                     addresses.size() * sizeof(addresses[0]))) {
    return;
  }
  for (const void* method : addresses) Look(klass, method, found);
}

void CountedMethods::Look(const void* klass, const void* method, std::vector<Method>* found) const {
  MethodWords words;
  if (!memory_->Read(method, words.data(), method_words_ * sizeof(words[0]))) return;
  const void* counters = Load<const void*>(words.data(), counters_);
  Method counted{.address = method,
                 .const_method = Load<const void*>(words.data(), const_method_),
                 .klass = klass,
                 .has_data = Load<const void*>(words.data(), data_) != nullptr};
  if (counters != nullptr) {
    counted.interpreted =
        memory_->Get<uint32_t>(counters, interpreted_).value_or(0) >> count_shift_;
  }
  if (counted.has_data || counted.interpreted > 0) found->push_back(counted);
}

}  // namespace yp::hotspot
