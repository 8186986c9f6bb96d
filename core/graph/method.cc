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

std::string Method::SourcePath() const {
  if (source_file.empty()) return "";
  const size_t package_end = class_name.rfind('.');
  if (package_end == std::string::npos) return source_file;
  std::string path = class_name.substr(0, package_end + 1);
  std::replace(path.begin(), path.end(), '.', '/');
  return path + source_file;
}

Method MethodOfFullName(std::string_view full_name) {
  // The last one: a method's name may have parentheses, as tests' in Kotlin.
  const size_t descriptor = std::min(full_name.rfind('('), full_name.size());
  const size_t dot = full_name.substr(0, descriptor).rfind('.');
  const size_t name = dot == std::string_view::npos ? 0 : dot + 1;
  Method method;
  if (name > 0) method.class_name = full_name.substr(0, dot);
  method.name = full_name.substr(name, descriptor - name);
  method.descriptor = full_name.substr(descriptor);
  return method;
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
