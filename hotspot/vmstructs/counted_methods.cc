#include "hotspot/vmstructs/counted_methods.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <unordered_set>

#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

// Loaders and classes: more than any VM has.
constexpr size_t kMaxSeen = 4'000'000;
// Methods that are read together.
constexpr size_t kMethodsAtOnce = 1024;
// Bytes between two counters of a method.
constexpr int64_t kMostApart = 64;

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
  reader.loops_ = find.Offset("MethodCounters", "_backedge_counter") +
                  find.Offset("InvocationCounter", "_counter");
  reader.count_shift_ = find.Constant("InvocationCounter::count_shift");
  if (Status found = find.status(); !found) return found;
  const int64_t apart = std::abs(reader.interpreted_ - reader.loops_);
  if (reader.count_shift_ < 0 || reader.count_shift_ > 31 || apart % 4 != 0 || apart > kMostApart) {
    return Status::Error("this JVM's methods have a layout that is not known here");
  }
  return reader;
}

CountedMethods::Classes CountedMethods::LinkedClasses(bool with_boot_loader) const {
  Classes linked;
  // A loader that was freed may have become another one, which leads back to those that were seen.
  std::unordered_set<const void*> seen;
  const void* loader = memory_->Get<const void*>(head_, 0).value_or(nullptr);
  while (loader != nullptr && seen.size() < kMaxSeen && seen.insert(loader).second) {
    const bool is_wanted = with_boot_loader || !class_reader_.IsBootLoader(loader);
    const void* klass =
        is_wanted ? memory_->Get<const void*>(loader, classes_).value_or(nullptr) : nullptr;
    while (klass != nullptr && seen.size() < kMaxSeen && seen.insert(klass).second) {
      const std::optional<ClassReader::ClassInfo> info = class_reader_.ReadClass(klass);
      // Nothing of a class has run before it was linked.
      if (info && info->is_linked) {
        linked.classes.push_back(klass);
        linked.methods.push_back(info->methods);
      }
      klass = memory_->Get<const void*>(klass, next_class_).value_or(nullptr);
    }
    loader = memory_->Get<const void*>(loader, next_loader_).value_or(nullptr);
  }
  return linked;
}

// Each round of reads follows the pointers of the one before.
std::vector<CountedMethods::Method> CountedMethods::Find(bool with_boot_loader) const {
  const Classes linked = LinkedClasses(with_boot_loader);
  const auto declared = class_reader_.ReadPointersOfEach(linked.methods);
  std::vector<Method> methods, found;
  for (size_t i = 0; i < declared.size(); ++i) {
    for (const void* method : declared[i]) {
      methods.push_back({.address = method, .klass = linked.classes[i]});
      if (methods.size() < kMethodsAtOnce) continue;
      Look(methods, &found);
      methods.clear();
    }
  }
  Look(methods, &found);
  return found;
}

void CountedMethods::Look(std::span<const Method> methods, std::vector<Method>* found) const {
  std::vector<uint64_t> words(methods.size() * method_words_);
  std::vector<GuardedMemory::Piece> pieces;
  for (size_t i = 0; i < methods.size(); ++i) {
    pieces.push_back({.from = methods[i].address,
                      .to = &words[i * method_words_],
                      .bytes = method_words_ * sizeof(words[0])});
  }
  memory_->ReadEach(pieces);
  std::vector<Method> counted;
  std::vector<const void*> counters;
  for (size_t i = 0; i < methods.size(); ++i) {
    if (!pieces[i].is_read) continue;
    const void* const of_method = Load<const void*>(pieces[i].to, counters_);
    Method method = methods[i];
    method.const_method = Load<const void*>(pieces[i].to, const_method_);
    method.has_data = Load<const void*>(pieces[i].to, data_) != nullptr;
    if (!method.has_data && of_method == nullptr) continue;
    counted.push_back(method);
    counters.push_back(of_method);
  }
  ReadInterpreted(counters, counted);
  std::ranges::copy_if(counted, std::back_inserter(*found), [](const Method& method) {
    return method.has_data || method.interpreted > 0;
  });
}

void CountedMethods::ReadInterpreted(std::span<const void* const> counters,
                                     std::span<Method> methods) const {
  const int64_t first = std::min(interpreted_, loops_);
  const size_t words = static_cast<size_t>(std::max(interpreted_, loops_) - first) / 4 + 1;
  std::vector<uint32_t> values(methods.size() * words, 0);
  std::vector<GuardedMemory::Piece> pieces;
  for (size_t i = 0; i < methods.size(); ++i) {
    if (counters[i] == nullptr) continue;
    pieces.push_back({.from = GuardedMemory::At(counters[i], first),
                      .to = &values[i * words],
                      .bytes = words * sizeof(values[0])});
  }
  memory_->ReadEach(pieces);
  const auto count = [&](size_t i, int64_t offset) {
    return int64_t{values[i * words + static_cast<size_t>(offset - first) / 4] >> count_shift_};
  };
  for (size_t i = 0; i < methods.size(); ++i) {
    methods[i].interpreted = count(i, interpreted_);
    methods[i].loops = count(i, loops_);
  }
}

}  // namespace yp::hotspot
