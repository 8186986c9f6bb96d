#include "format/compile_log/element_scanner.h"

#include <algorithm>
#include <utility>

namespace yp::compile_log {
namespace {

constexpr std::string_view kCdata = "<![CDATA[";
constexpr std::string_view kBlanks = " \t\r\n";

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':';
}

size_t NameLength(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && IsNameCharacter(text[length])) ++length;
  return length;
}

}  // namespace

std::optional<std::string_view> Element::Raw(std::string_view attribute) const {
  std::string_view rest = attributes;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const size_t length = NameLength(rest);
    if (length == 0 || rest.size() < length + 2 || rest[length] != '=') return std::nullopt;
    const char quote = rest[length + 1];
    const size_t end =
        quote == '\'' || quote == '"' ? rest.find(quote, length + 2) : std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    if (rest.substr(0, length) == attribute) return rest.substr(length + 2, end - length - 2);
    rest.remove_prefix(end + 1);
  }
}

void ElementScanner::Take(std::string_view bytes) {
  while (!begun_.empty() && !bytes.empty()) {
    // Up to where the tag must have ended or been cut: TakeWhole then decides.
    const size_t stop = bytes.find_first_of("<>");
    const size_t part = stop == std::string_view::npos ? bytes.size() : stop + 1;
    if (begun_.size() + part > kMaxTagBytes) {
      begun_.clear();
      ++broken_tags_;
      is_skipping_ = true;
      break;
    }
    const bool may_be_cdata = begun_.size() < kCdata.size();
    begun_.append(bytes.substr(0, part));
    bytes.remove_prefix(part);
    if (stop == std::string_view::npos && !may_be_cdata) return;
    const std::string whole = std::exchange(begun_, {});
    begun_.assign(TakeWhole(whole));
  }
  if (begun_.empty()) begun_.assign(TakeWhole(bytes));
  if (begun_.size() > kMaxTagBytes) {
    begun_.clear();
    ++broken_tags_;
    is_skipping_ = true;
  }
}

bool ElementScanner::End() {
  const bool is_within = !begun_.empty() || is_skipping_;
  begun_.clear();
  is_skipping_ = false;
  in_cdata_ = false;
  return is_within;
}

std::string_view ElementScanner::TakeWhole(std::string_view bytes) {
  if (is_skipping_) {
    const size_t stop = bytes.find_first_of("<>");
    if (stop == std::string_view::npos) return {};
    is_skipping_ = false;
    bytes.remove_prefix(bytes[stop] == '>' ? stop + 1 : stop);
  }
  while (!bytes.empty()) {
    const size_t tag = std::min(bytes.find('<'), bytes.size());
    if (tag > 0) {
      handler_->OnText(bytes.substr(0, tag));
    }
    bytes.remove_prefix(tag);
    if (bytes.starts_with(kCdata)) {
      in_cdata_ = true;
      bytes.remove_prefix(kCdata.size());
      continue;
    }
    if (kCdata.starts_with(bytes)) return bytes;
    const size_t end = bytes.find('>');
    const std::string_view candidate =
        bytes.substr(1, end == std::string_view::npos ? end : end - 1);
    const size_t next = candidate.find('<');
    if (next != std::string_view::npos) {
      ++broken_tags_;
      bytes.remove_prefix(1 + next);
      continue;
    }
    if (end == std::string_view::npos) return bytes;
    TakeTag(candidate);
    bytes.remove_prefix(end + 1);
  }
  return {};
}

void ElementScanner::TakeTag(std::string_view inside) {
  if (in_cdata_ && inside.ends_with("]]")) {
    in_cdata_ = false;
    return;
  }
  if (inside.starts_with("?") || inside.starts_with("!")) return;
  Element element;
  if (inside.starts_with("/")) {
    element.form = Element::Form::kClose;
    inside.remove_prefix(1);
  } else if (inside.ends_with("/")) {
    element.form = Element::Form::kEmpty;
    inside.remove_suffix(1);
  }
  const size_t length = NameLength(inside);
  if (length == 0 ||
      (length < inside.size() && kBlanks.find(inside[length]) == std::string_view::npos)) {
    ++broken_tags_;
    return;
  }
  element.name = inside.substr(0, length);
  if (element.name == "fragment") in_cdata_ = false;
  element.attributes = inside.substr(length);
  handler_->OnElement(element);
}

}  // namespace yp::compile_log
