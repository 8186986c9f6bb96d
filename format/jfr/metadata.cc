#include "format/jfr/metadata.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace yp::jfr {
namespace {

constexpr int kMaxElementDepth = 16;  // The JDK's have five.
constexpr int kMaxTypeHeight = 64;    // By value; the JDK's have three.
// The JDK's have about 5,000.
constexpr size_t kMaxSkipSteps = size_t{1} << 16;
constexpr int kNotPlanned = -1;
constexpr int kBegun = -2;

Kind KindOf(std::string_view name) {
  constexpr std::pair<std::string_view, Kind> kKinds[] = {
      {"boolean", Kind::kBoolean}, {"byte", Kind::kByte},     {"char", Kind::kChar},
      {"short", Kind::kShort},     {"int", Kind::kInt},       {"long", Kind::kLong},
      {"float", Kind::kFloat},     {"double", Kind::kDouble}, {"java.lang.String", Kind::kString},
  };
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return Kind::kStruct;
}

SkipStep::What SkipOf(Kind kind) {
  using What = SkipStep::What;
  switch (kind) {
    case Kind::kBoolean:
    case Kind::kByte:
      return What::kByte;
    case Kind::kChar:
    case Kind::kShort:
    case Kind::kInt:
    case Kind::kLong:
      return What::kVarint;
    case Kind::kFloat:
      return What::kFourBytes;
    case Kind::kDouble:
      return What::kEightBytes;
    case Kind::kString:
      return What::kString;
    case Kind::kStruct:
      break;
  }
  return What::kStruct;
}

void SkipOne(SkipStep::What what, Cursor& in) {
  switch (what) {
    case SkipStep::What::kByte:
      return in.Skip(1);
    case SkipStep::What::kVarint:
      return in.SkipVarint();
    case SkipStep::What::kFourBytes:
      return in.Skip(4);
    case SkipStep::What::kEightBytes:
      return in.Skip(8);
    case SkipStep::What::kString:
      return in.SkipString();
    case SkipStep::What::kStruct:
      return;
  }
}

std::optional<int64_t> Number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

// Reads the tree of elements (a name, attributes, children), of which classes and their fields are
// kept.
struct Metadata::ClassElements {
  const std::vector<std::string>& texts;
  std::vector<Type>& types;
  std::vector<std::vector<int64_t>> field_type_ids;  // By type and field.

  std::string_view Text(Cursor& in) {
    const int64_t index = in.Varint();
    if (in.ok() && (index < 0 || static_cast<uint64_t>(index) >= texts.size())) {
      in.Fail("a text's number that the metadata does not have");
    }
    return in.ok() ? std::string_view(texts[static_cast<size_t>(index)]) : std::string_view();
  }

  int64_t NumberOf(std::string_view text, Cursor& in) {
    const std::optional<int64_t> number = Number(text);
    if (!number) in.Fail("an attribute of the metadata that is not a number");
    return number.value_or(0);
  }

  void ReadElement(int depth, bool is_in_class, Cursor& in) {
    if (depth > kMaxElementDepth) return in.Fail("metadata nested too deeply");
    const std::string_view element = Text(in);
    const bool is_class = element == "class";
    const bool is_field = element == "field" && is_in_class;
    Type type;
    Field field;
    int64_t field_type_id = 0;
    for (size_t left = in.Count(); left > 0 && in.ok(); --left) {
      const std::string_view key = Text(in);
      const std::string_view value = Text(in);
      if (is_class) {
        if (key == "id") type.id = NumberOf(value, in);
        if (key == "name") type.name = value;
        if (key == "simpleType") type.is_simple = value == "true";
      } else if (is_field) {
        if (key == "name") field.name = value;
        if (key == "class") field_type_id = NumberOf(value, in);
        if (key == "constantPool") field.is_constant = value == "true";
        if (key == "dimension") {
          const int64_t dimension = NumberOf(value, in);
          if (dimension < 0 || dimension > 1) in.Fail("a field with more than one dimension");
          field.is_array = dimension == 1;
        }
      }
    }
    if (is_class) {
      type.kind = KindOf(type.name);
      types.push_back(std::move(type));
      field_type_ids.emplace_back();
    } else if (is_field) {
      types.back().fields.push_back(std::move(field));
      field_type_ids.back().push_back(field_type_id);
    }
    for (size_t left = in.Count(); left > 0 && in.ok(); --left) {
      ReadElement(depth + 1, is_class, in);
    }
  }
};

Metadata Metadata::Parse(Cursor& in) {
  Metadata metadata;
  in.SkipVarint();  // Its time,
  in.SkipVarint();  // duration
  in.SkipVarint();  // and number.
  for (size_t left = in.Count(); left > 0 && in.ok(); --left) {
    metadata.texts_.push_back(in.String().text.value_or(""));
  }
  ClassElements elements{.texts = metadata.texts_, .types = metadata.types_, .field_type_ids = {}};
  elements.ReadElement(0, false, in);
  if (in.ok()) metadata.Resolve(elements, in);
  if (in.ok()) metadata.PlanSkipping(in);
  return metadata;
}

void Metadata::Resolve(ClassElements& elements, Cursor& in) {
  for (uint32_t i = 0; i < types_.size(); ++i) {
    if (!by_id_.emplace(types_[i].id, i).second) return in.Fail("two types of one number");
  }
  for (uint32_t i = 0; i < types_.size(); ++i) {
    for (size_t k = 0; k < types_[i].fields.size(); ++k) {
      const int64_t type = Find(elements.field_type_ids[i][k]);
      if (type < 0) return in.Fail("a field of a type that the metadata does not have");
      types_[i].fields[k].type = static_cast<uint32_t>(type);
    }
  }
}

void Metadata::PlanSkipping(Cursor& in) {
  std::vector<int> heights(types_.size(), kNotPlanned);
  for (uint32_t i = 0; i < types_.size() && in.ok(); ++i) PlanSkippingOf(i, 0, heights, in);
}

// Depth first; a type that is met again before it is done contains itself. A type's height is one
// more than that of the types that it contains.
void Metadata::PlanSkippingOf(uint32_t index, int depth, std::vector<int>& heights, Cursor& in) {
  if (heights[index] >= 0) return;
  if (heights[index] == kBegun) return in.Fail("a type that contains itself");
  if (depth > kMaxTypeHeight) return in.Fail("types nested too deeply");
  heights[index] = kBegun;
  int height = 0;
  std::vector<SkipStep>& steps = types_[index].skip;
  if (types_[index].kind != Kind::kStruct) {
    steps.push_back({SkipOf(types_[index].kind), false, 0});
  }
  for (const Field& field : types_[index].fields) {
    if (types_[index].kind != Kind::kStruct) break;
    const Type& type = types_[field.type];
    if (field.is_constant) {
      steps.push_back({SkipStep::What::kVarint, field.is_array, 0});
    } else if (type.kind != Kind::kStruct) {
      steps.push_back({SkipOf(type.kind), field.is_array, 0});
    } else {
      PlanSkippingOf(field.type, depth + 1, heights, in);
      if (!in.ok()) return;
      height = std::max(height, heights[field.type] + 1);
      if (skip_steps_ + steps.size() + type.skip.size() > kMaxSkipSteps) {
        return in.Fail("types that unfold to too many values");
      }
      if (field.is_array) {
        steps.push_back({SkipStep::What::kStruct, true, field.type});
      } else {
        steps.insert(steps.end(), type.skip.begin(), type.skip.end());
      }
    }
  }
  if (height > kMaxTypeHeight) return in.Fail("types nested too deeply");
  skip_steps_ += steps.size();
  heights[index] = height;
}

int64_t Metadata::Find(int64_t id) const {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? -1 : int64_t{it->second};
}

int64_t Metadata::Find(std::string_view name) const {
  for (size_t i = 0; i < types_.size(); ++i) {
    if (types_[i].name == name) return static_cast<int64_t>(i);
  }
  return -1;
}

std::vector<bool> Metadata::ConstantsOf(std::span<const uint32_t> types) const {
  std::vector<bool> constants(types_.size()), seen(types_.size());
  std::vector<uint32_t> pending(types.begin(), types.end());
  while (!pending.empty()) {
    const uint32_t index = pending.back();
    pending.pop_back();
    if (seen[index]) continue;
    seen[index] = true;
    // A string's text may be in its type's pool though the field does not say so.
    if (types_[index].kind == Kind::kString) constants[index] = true;
    for (const Field& field : types_[index].fields) {
      if (field.is_constant) constants[field.type] = true;
      pending.push_back(field.type);
    }
  }
  return constants;
}

void Metadata::SkipValue(uint32_t type, Cursor& in) const {
  for (const SkipStep& step : types_[type].skip) {
    if (!in.ok()) return;
    if (!step.is_array) {
      SkipOne(step.what, in);
      continue;
    }
    size_t left = in.Count();
    if (step.what == SkipStep::What::kStruct && types_[step.type].skip.empty()) continue;
    for (; left > 0 && in.ok(); --left) {
      if (step.what == SkipStep::What::kStruct) {
        SkipValue(step.type, in);
      } else {
        SkipOne(step.what, in);
      }
    }
  }
}

void Metadata::SkipField(const Field& field, Cursor& in) const {
  size_t left = field.is_array ? in.Count() : 1;
  if (!field.is_constant && types_[field.type].skip.empty()) return;
  for (; left > 0 && in.ok(); --left) {
    if (field.is_constant) {
      in.SkipVarint();
    } else {
      SkipValue(field.type, in);
    }
  }
}

}  // namespace yp::jfr
