#include "compiler/bytecode/signature.h"

namespace yp::compiler {
namespace {

// Removes one type from the front of `rest`; its first letter, or nullopt.
std::optional<char> TakeType(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const char first = rest.front();
  size_t at = rest.find_first_not_of('[');
  if (at == std::string_view::npos) return std::nullopt;
  if (rest[at] == 'L') {
    at = rest.find(';', at);
    if (at == std::string_view::npos) return std::nullopt;
  } else if (KindOf(rest[at]) == Kind::kDead) {
    return std::nullopt;
  }
  rest.remove_prefix(at + 1);
  return first;
}

}  // namespace

std::optional<Signature> Signature::Parse(std::string_view descriptor) {
  if (!descriptor.starts_with('(')) return std::nullopt;
  descriptor.remove_prefix(1);
  Signature signature;
  while (!descriptor.starts_with(')')) {
    const std::optional<char> type = TakeType(descriptor);
    if (!type) return std::nullopt;
    signature.parameters.push_back(KindOf(*type));
  }
  descriptor.remove_prefix(1);
  if (descriptor == "V") return signature;
  const std::optional<char> type = TakeType(descriptor);
  if (!type || !descriptor.empty()) return std::nullopt;
  signature.return_type = *type;
  return signature;
}

}  // namespace yp::compiler
