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

using MethodWords = std::array<uint64_t, 32>;

}  // namespace

Result<CountedMethods> CountedMethods::Create(const VmStructs& structs, GuardedBlocks& memory) {
  const Result<ClassReader> classes = ClassReader::Create(structs, memory);
  if (!classes) return classes.status();
  CountedMethods reader(memory, *classes);
  FieldFinder find(structs);
  reader.head_ = find.Address("ClassLoaderDataGraph", "_head");
  reader.next_loader_ = find.Offset("ClassLoaderData", "_next");
  reader.classes_ = find.Offset("ClassLoaderData", "_klasses");
  reader.next_class_ = find.Offset("Klass", "_next_link");
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
  const std::optional<ClassReader::ClassInfo> info = class_reader_.ReadClass(klass);
  if (!info || info->is_array) return;
  for (const void* method : class_reader_.ReadPointers(info->methods)) Look(klass, method, found);
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
