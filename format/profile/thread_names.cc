#include "format/profile/thread_names.h"

namespace yp {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string NamePattern(std::string_view name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    if (!IsDigit(name[i])) {
      text += name[i];
    } else if (i == 0 || !IsDigit(name[i - 1])) {
      text += '#';
    }
  }
  return text;
}

}  // namespace yp
