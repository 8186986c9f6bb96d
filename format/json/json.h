#ifndef YP_FORMAT_JSON_JSON_H_
#define YP_FORMAT_JSON_JSON_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace yp {

// A JSON value that is made to be written; fields stay in the order in which they were added. The
// bytes are those of nlohmann/json, of which only json.cc knows: its header takes the compiler
// longer than most of our files.
class Json {
 public:
  struct Field;

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(std::same_as<bool> auto value) : value_(value) {}
  Json(std::signed_integral auto value) : value_(int64_t{value}) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value) : value_(uint64_t{value}) {}
  Json(double value) : value_(value) {}
  Json(std::string text) : value_(std::make_unique<std::string>(std::move(text))) {}
  Json(std::string_view text) : Json(std::string(text)) {}
  Json(const char* text) : Json(std::string(text)) {}
  template <typename T>
  Json(const std::vector<T>& values) : Json(Array()) {
    for (const T& value : values) Append(value);
  }
  template <typename T>
  Json(const std::map<std::string, T>& fields) : Json(Object()) {
    for (const auto& [key, value] : fields) (*this)[key] = value;
  }
  // An object, such as {{"line", 42}, {"callee", name}}.
  Json(std::initializer_list<Field> fields);

  Json(const Json& other);
  Json(Json&&) noexcept = default;
  Json& operator=(Json other) noexcept;
  ~Json();

  static Json Array();
  static Json Object();

  bool IsNull() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool IsObject() const { return std::holds_alternative<std::unique_ptr<Fields>>(value_); }

  // Of an array.
  void Append(Json value);
  size_t size() const;
  Json& Last();

  // Of an object, which null becomes. A field that is not there yet is added behind the others.
  Json& operator[](std::string_view key);
  void Remove(std::string_view key);

  // With each element on a line of its own and so many spaces more than what it is in; negative: on
  // one line. Bytes that are no UTF-8 become U+FFFD, numbers that are none null.
  std::string Dump(int indent = -1) const;

 private:
  using Values = std::vector<Json>;
  using Fields = std::vector<Field>;
  class Printer;

  // Small, as a profile has millions of numbers.
  std::variant<std::nullptr_t, bool, int64_t, uint64_t, double, std::unique_ptr<std::string>,
               std::unique_ptr<Values>, std::unique_ptr<Fields>>
      value_ = nullptr;
};

struct Json::Field {
  std::string key;
  mutable Json value;  // Taken out of an initializer list, whose elements are constant.
};

// A count without ".0" when it is whole and every consumer's double holds it.
Json JsonNumber(double value);

}  // namespace yp

#endif  // YP_FORMAT_JSON_JSON_H_
