#include "core/graph/method.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace yp {

int Method::LineOf(int32_t bci) const {
  const auto after = std::upper_bound(lines.begin(), lines.end(), bci,
                                      [](int32_t wanted, const Line& l) { return wanted < l.bci; });
  return after == lines.begin() ? 0 : std::prev(after)->line;
}

MethodId MethodTable::Intern(const Method& method) {
  std::string name = method.FullName();
  if (const auto known = by_name_.find(name); known != by_name_.end()) {
    Method& first = methods_[ToIndex(known->second)];
    first.flags |= method.flags;
    if (first.lines.empty()) first.lines = method.lines;
    if (first.source_file.empty()) first.source_file = method.source_file;
    return known->second;
  }
  const MethodId id{static_cast<uint32_t>(methods_.size())};
  methods_.push_back(method);
  by_name_.emplace(std::move(name), id);
  return id;
}

MethodId MethodTable::Find(std::string_view full_name) const {
  const auto found = by_name_.find(full_name);
  return found == by_name_.end() ? kNoMethod : found->second;
}

}  // namespace yp
