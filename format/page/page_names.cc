#include "format/page/page_names.h"

namespace yp {

int64_t PageNames::String(std::string_view text) {
  if (const auto known = index_.find(text); known != index_.end()) return known->second;
  const auto number = static_cast<int64_t>(strings_.size());
  strings_.emplace_back(text);
  index_.emplace(strings_.back(), number);
  return number;
}

void PageNames::Write(JsonWriter& json) {
  const std::vector<Method>& methods = methods_.methods();
  json.Key("methods");
  json.BeginObject();
  json.Column("class", methods, [this](const Method& m) { return String(m.class_name); });
  json.Column("name", methods, [this](const Method& m) { return String(m.name); });
  json.Column("descriptor", methods, [this](const Method& m) { return String(m.descriptor); });
  json.Column("file", methods, [this](const Method& m) { return StringOrNone(m.source_file); });
  json.Column("line", methods, [](const Method& m) { return m.LineOf(0); });
  json.EndObject();
  json.Column("strings", strings_, [](const std::string& text) { return std::string_view(text); });
}

std::vector<MethodId> AddMethods(const MethodTable& methods, PageNames* names) {
  std::vector<MethodId> ids;
  ids.reserve(methods.size());
  for (const Method& method : methods.methods()) ids.push_back(names->methods().Intern(method));
  return ids;
}

}  // namespace yp
