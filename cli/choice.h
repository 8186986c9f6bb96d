#ifndef YP_CLI_CHOICE_H_
#define YP_CLI_CHOICE_H_

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace yp {

// One word that an option takes. Without a value it belongs to a later version.
template <typename T>
struct Choice {
  std::string_view name;
  std::optional<T> value;
};

// The value of the word given to an option, or an error that names the words it takes.
template <typename T>
Result<T> Choose(std::string_view option, std::string_view given,
                 const std::vector<Choice<T>>& choices) {
  bool later = false;
  std::vector<std::string_view> known;
  for (const Choice<T>& choice : choices) {
    if (choice.value) known.push_back(choice.name);
    if (choice.name != given) continue;
    if (choice.value) return *choice.value;
    later = true;
  }
  std::string words;
  for (size_t i = 0; i < known.size(); ++i) {
    if (i > 0) words += i + 1 == known.size() ? " or " : ", ";
    words += known[i];
  }
  return Status::Error(fmt::format("{} {}: {}; choose {}", option, given,
                                   later ? "not in this version" : "unknown", words));
}

}  // namespace yp

#endif  // YP_CLI_CHOICE_H_
