#ifndef YP_FORMAT_COMPILE_LOG_CLASS_NAMES_H_
#define YP_FORMAT_COMPILE_LOG_CLASS_NAMES_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace yp::compile_log {

// Names of classes with spaces, as Kotlin's nested tests have ("T$when empty"). Where a log puts a
// class and a method beside each other, a space between them, these say where the one ends.
// Elsewhere it names the classes of what is compiled one by one.
class ClassNames {
 public:
  void Add(std::string_view name) {
    if (name.find(' ') != std::string_view::npos && names_.size() < kMost) names_.emplace(name);
  }
  // How long the class's name is, of "class method": up to the last space that ends a name known
  // here, else the first one. npos when there is none.
  size_t LengthIn(std::string_view class_and_method) const {
    const size_t first = class_and_method.find(' ');
    if (names_.empty()) return first;
    for (size_t space = class_and_method.rfind(' ');
         space != first && space != std::string_view::npos;
         space = class_and_method.rfind(' ', space - 1)) {
      if (names_.contains(class_and_method.substr(0, space))) return space;
    }
    return first;
  }

 private:
  static constexpr size_t kMost = 100'000;

  std::set<std::string, std::less<>> names_;
};

}  // namespace yp::compile_log

#endif  // YP_FORMAT_COMPILE_LOG_CLASS_NAMES_H_
