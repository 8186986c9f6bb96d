#ifndef YP_COMPILER_INSTALL_VM_STORE_H_
#define YP_COMPILER_INSTALL_VM_STORE_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yp::compiler {

// What a HotSpot says of itself, by name: constants (CodeInstaller::POLL_FAR), functions
// (SharedRuntime::drem), offsets of fields (Klass::_layout_helper), values of static fields, flags
// (flag:UseG1GC), and what the bridge adds (yp:jdk).
class VmStore {
 public:
  void Set(std::string name, int64_t value) { values_.insert_or_assign(std::move(name), value); }
  // nullptr when it is not there.
  const int64_t* Find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, int64_t, std::less<>> values_;
};

// Reads a store and remembers what it did not find.
class VmStoreReader {
 public:
  explicit VmStoreReader(const VmStore& store) : store_(store) {}

  // The first of the names that is there: what one JDK calls so, another calls otherwise.
  int64_t Get(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      if (const int64_t* const value = store_.Find(name)) return *value;
    }
    missing_.emplace_back(*names.begin());
    return 0;
  }
  int64_t Get(std::string_view name) { return Get({name}); }
  int64_t GetOr(std::string_view name, int64_t otherwise) const {
    const int64_t* const value = store_.Find(name);
    return value == nullptr ? otherwise : *value;
  }
  bool Has(std::string_view name) const { return store_.Find(name) != nullptr; }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  const VmStore& store_;
  std::vector<std::string> missing_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_INSTALL_VM_STORE_H_
