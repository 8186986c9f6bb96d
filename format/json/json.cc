#include "format/json/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace yp {

// Prints as nlohmann/json does, with its numbers and texts.
class Json::Printer {
 public:
  explicit Printer(int indent) : indent_(indent) {}

  void Print(const Json& json) {
    std::visit([this](const auto& value) { Add(value); }, json.value_);
  }
  std::string Take() { return std::move(out_); }

 private:
  template <typename T>
  void Add(const T& value) {
    out_ += nlohmann::json(value).dump();
  }
  void Add(const std::unique_ptr<std::string>& text) { AddText(*text); }
  void Add(const std::unique_ptr<Values>& values) {
    AddElements('[', ']', *values, [this](const Json& value) { Print(value); });
  }
  void Add(const std::unique_ptr<Fields>& fields) {
    AddElements('{', '}', *fields, [this](const Field& field) {
      AddText(field.key);
      out_ += indent_ < 0 ? ":" : ": ";
      Print(field.value);
    });
  }
  void AddText(const std::string& text) {
    out_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  template <typename Elements, typename PrintElement>
  void AddElements(char open, char close, const Elements& elements, PrintElement print) {
    out_ += open;
    ++depth_;
    for (const auto& element : elements) {
      if (&element != elements.data()) out_ += ',';
      BreakLine();
      print(element);
    }
    --depth_;
    if (!elements.empty()) BreakLine();
    out_ += close;
  }
  void BreakLine() {
    if (indent_ >= 0) (out_ += '\n').append(static_cast<size_t>(indent_) * depth_, ' ');
  }

  const int indent_;
  size_t depth_ = 0;
  std::string out_;
};

Json::Json(std::initializer_list<Field> fields) : Json(Object()) {
  for (const Field& field : fields) (*this)[field.key] = std::move(field.value);
}

Json::Json(const Json& other) {
  std::visit(
      [this](const auto& value) {
        if constexpr (requires { *value; }) {
          value_ = std::make_unique<std::remove_cvref_t<decltype(*value)>>(*value);
        } else {
          value_ = value;
        }
      },
      other.value_);
}

Json& Json::operator=(Json other) noexcept {
  value_.swap(other.value_);
  return *this;
}

Json::~Json() = default;

Json Json::Array() {
  Json json;
  json.value_ = std::make_unique<Values>();
  return json;
}

Json Json::Object() {
  Json json;
  json.value_ = std::make_unique<Fields>();
  return json;
}

void Json::Append(Json value) {
  std::get<std::unique_ptr<Values>>(value_)->push_back(std::move(value));
}

size_t Json::size() const { return std::get<std::unique_ptr<Values>>(value_)->size(); }

Json& Json::Last() { return std::get<std::unique_ptr<Values>>(value_)->back(); }

Json& Json::operator[](std::string_view key) {
  if (IsNull()) *this = Object();
  Fields& fields = *std::get<std::unique_ptr<Fields>>(value_);
  const auto found = std::ranges::find(fields, key, &Field::key);
  if (found != fields.end()) return found->value;
  return fields.emplace_back(Field{std::string(key), {}}).value;
}

void Json::Remove(std::string_view key) {
  std::erase_if(*std::get<std::unique_ptr<Fields>>(value_),
                [key](const Field& field) { return field.key == key; });
}

std::string Json::Dump(int indent) const {
  Printer printer(indent);
  printer.Print(*this);
  return printer.Take();
}

Json JsonNumber(double value) {
  if (value == std::floor(value) && std::abs(value) <= 0x1p53) return static_cast<int64_t>(value);
  return value;
}

}  // namespace yp
