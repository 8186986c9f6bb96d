#ifndef YP_CLI_CHOICE_H_
#define YP_CLI_CHOICE_H_

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace yp {

// One word that an option takes.
template <typename T>
struct Choice {
  std::string_view name;
  T value;
};

// As help shows them: "a|b|c".
template <typename T>
std::string WordsOf(const std::vector<Choice<T>>& choices) {
  std::string words;
  for (const Choice<T>& choice : choices) {
    words += (words.empty() ? "" : "|") + std::string(choice.name);
  }
  return words;
}

// The value of the word given to an option, or an error that names the words it takes.
template <typename T>
Result<T> Choose(std::string_view option, std::string_view given,
                 const std::vector<Choice<T>>& choices) {
  std::string words;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].name == given) return choices[i].value;
    if (i > 0) words += i + 1 == choices.size() ? " or " : ", ";
    words += choices[i].name;
  }
  return Status::Error(fmt::format("{} {}: unknown; choose {}", option, given, words));
}

}  // namespace yp

#endif  // YP_CLI_CHOICE_H_
