#include "server/content_security_policy.h"

#include <sha256.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "format/bytes/base64.h"

namespace yp {
namespace {

constexpr std::string_view kBegin = "<script", kEnd = "</script";

// Where `text`, in small letters, begins in the page; its size when it does not.
size_t FindAnyCase(std::string_view page, std::string_view text, size_t from) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto found =
      std::search(page.begin() + static_cast<ptrdiff_t>(std::min(from, page.size())), page.end(),
                  text.begin(), text.end(), [&](char a, char b) { return lower(a) == b; });
  return static_cast<size_t>(found - page.begin());
}

// Where the tag that begins at `from` ends: after its ">", which is not in quotes.
size_t EndOfTag(std::string_view page, size_t from) {
  char quote = 0;
  for (; from < page.size(); ++from) {
    const char c = page[from];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return from + 1;
    }
  }
  return page.size();
}

std::string HashOf(std::string_view script) {
  SHA256_CTX hash;
  SHA256_Init(&hash);
  SHA256_Update(&hash, reinterpret_cast<const unsigned char*>(script.data()), script.size());
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &hash);
  return Base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace

std::vector<std::string_view> ScriptsIn(std::string_view page) {
  std::vector<std::string_view> scripts;
  size_t at = FindAnyCase(page, kBegin, 0);
  while (at < page.size()) {
    const size_t begin = EndOfTag(page, at);
    const size_t end = FindAnyCase(page, kEnd, begin);
    scripts.push_back(page.substr(begin, end - begin));
    at = FindAnyCase(page, kBegin, end);
  }
  return scripts;
}

std::string ContentSecurityPolicy(std::string_view page) {
  std::string sources;
  for (const std::string_view script : ScriptsIn(page)) {
    if (!script.empty()) sources += " 'sha256-" + HashOf(script) + "'";
  }
  if (sources.empty()) sources = " 'none'";
  return "default-src 'none'; script-src" + sources +
         "; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; worker-src blob:; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace yp
