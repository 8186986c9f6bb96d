#include "core/graph/method.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace yp {
namespace {

std::string_view PrimitiveName(char c) {
  switch (c) {
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'D':
      return "double";
    case 'F':
      return "float";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'S':
      return "short";
    case 'Z':
      return "boolean";
    default:
      return "";
  }
}

// "java/lang/Object" as "Object".
std::string_view SimpleName(std::string_view internal_name) {
  const size_t slash = internal_name.rfind('/');
  return slash == std::string_view::npos ? internal_name : internal_name.substr(slash + 1);
}

}  // namespace

std::string ReadableParameters(std::string_view descriptor) {
  const std::string malformed(descriptor);
  if (descriptor.empty() || descriptor.front() != '(') return malformed;
  descriptor.remove_prefix(1);
  std::string result = "(";
  while (!descriptor.empty() && descriptor.front() != ')') {
    if (result.size() > 1) result += ", ";
    size_t dimensions = 0;
    while (dimensions < descriptor.size() && descriptor[dimensions] == '[') ++dimensions;
    descriptor.remove_prefix(dimensions);
    if (descriptor.empty()) return malformed;
    if (descriptor.front() == 'L') {
      const size_t end = descriptor.find(';');
      if (end == std::string_view::npos) return malformed;
      result += SimpleName(descriptor.substr(1, end - 1));
      descriptor.remove_prefix(end + 1);
    } else {
      const std::string_view name = PrimitiveName(descriptor.front());
      if (name.empty()) return malformed;
      result += name;
      descriptor.remove_prefix(1);
    }
    for (; dimensions > 0; --dimensions) result += "[]";
  }
  if (descriptor.empty()) return malformed;
  return result + ")";
}

std::string Method::ReadableName() const {
  return class_name + "." + name + ReadableParameters(descriptor);
}

int Method::LineOf(int32_t bci) const {
  const auto after = std::upper_bound(lines.begin(), lines.end(), bci,
                                      [](int32_t wanted, const Line& l) { return wanted < l.bci; });
  return after == lines.begin() ? 0 : std::prev(after)->line;
}

int Method::FirstLine() const {
  const auto first = std::ranges::min_element(lines, {}, &Line::line);
  return first == lines.end() ? 0 : first->line;
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
