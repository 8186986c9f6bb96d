#ifndef YP_FORMAT_PAGE_JSON_WRITER_H_
#define YP_FORMAT_PAGE_JSON_WRITER_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace yp {

// A number that is known, in all its digits as far as a double has them; other doubles are
// estimates, of which six digits are written.
struct ExactNumber {
  double value = 0;
};

// Writes one JSON value into a string, without spaces, for tables of millions of numbers:
// nlohmann's values would take some 30 bytes for each beside the text.
//
// Text may hold anything: what is no UTF-8 is replaced by U+FFFD, and "<" is written as an escape,
// so that no text can end a script element. What is no number (infinite, NaN) becomes null.
class JsonWriter {
 public:
  void BeginObject() { Open('{'); }
  void EndObject() { out_ += '}'; }
  void BeginArray() { Open('['); }
  void EndArray() { out_ += ']'; }
  // Before each value of an object.
  void Key(std::string_view key) {
    Value(key);
    out_ += ':';
  }

  void Value(std::string_view text);
  void Value(const char* text) { Value(std::string_view(text)); }
  void Value(const std::string& text) { Value(std::string_view(text)); }
  void Value(bool value);
  void Value(std::nullptr_t) { Raw("null"); }
  void Value(double estimate);
  void Value(ExactNumber number);
  template <std::integral T>
  void Value(T value) {
    if constexpr (std::unsigned_integral<T>) {
      Unsigned(value);
    } else {
      Signed(value);
    }
  }
  template <typename T>
  void Value(const std::optional<T>& value) {
    value ? Value(*value) : Value(nullptr);
  }

  template <typename T>
  void Field(std::string_view key, const T& value) {
    Key(key);
    Value(value);
  }
  // An array of what `of` makes of each row.
  template <typename Rows, typename Of>
  void Column(std::string_view key, const Rows& rows, Of of) {
    Key(key);
    BeginArray();
    for (const auto& row : rows) Value(of(row));
    EndArray();
  }

  std::string Take() { return std::move(out_); }

 private:
  // Values that follow another are parted from it.
  void Separate() {
    if (out_.empty()) return;
    const char last = out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
  }
  void Open(char bracket) {
    Separate();
    out_ += bracket;
  }
  void Raw(std::string_view text) {
    Separate();
    out_ += text;
  }
  void Signed(int64_t value);
  void Unsigned(uint64_t value);

  std::string out_;
};

}  // namespace yp

#endif  // YP_FORMAT_PAGE_JSON_WRITER_H_
