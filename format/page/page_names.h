#ifndef YP_FORMAT_PAGE_PAGE_NAMES_H_
#define YP_FORMAT_PAGE_PAGE_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/method.h"
#include "format/page/json_writer.h"

namespace yp {

// The tables of names that all parts of a page share. They are complete, and can be written, when
// all parts have been.
class PageNames {
 public:
  // An index of the strings.
  int64_t String(std::string_view text);
  // -1 for nothing.
  int64_t StringOrNone(std::string_view text) { return text.empty() ? -1 : String(text); }

  // Methods of all profiles, each once.
  MethodTable& methods() { return methods_; }
  // The page's number of a method that may be kNoMethod.
  static int64_t Number(MethodId id) {
    return id == kNoMethod ? -1 : static_cast<int64_t>(ToIndex(id));
  }

  // The fields "strings" and "methods".
  void Write(JsonWriter& json);

 private:
  // Lets String look up a view without copying it.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  MethodTable methods_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> index_;
};

// The ids of one profile's methods in the page's table.
std::vector<MethodId> AddMethods(const MethodTable& methods, PageNames* names);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_NAMES_H_
