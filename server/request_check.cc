#include "server/request_check.h"

#include <algorithm>

#include "server/token.h"

namespace yp {
namespace {

// As a browser writes it after "http://" for an address of ours.
bool IsOwnHost(std::string_view host, int port) {
  constexpr int kHttpPort = 80;  // Browsers leave it out.
  for (const std::string name : {"127.0.0.1", "localhost"}) {
    if (host == name + ":" + std::to_string(port)) return true;
    if (port == kHttpPort && host == name) return true;
  }
  return false;
}

bool IsOwnOrigin(std::string_view origin, int port) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && IsOwnHost(origin.substr(kScheme.size()), port);
}

}  // namespace

PageAnswer Check(const PageRequest& request, int port, std::string_view token) {
  if (request.hosts.size() != 1 || !IsOwnHost(request.hosts[0], port)) {
    return PageAnswer::kForbidden;
  }
  const bool is_own = std::ranges::all_of(
      request.origins, [&](const std::string& origin) { return IsOwnOrigin(origin, port); });
  if (!is_own || request.origins.size() > 1) return PageAnswer::kForbidden;
  if (request.method != "GET" && request.method != "HEAD") return PageAnswer::kNotAllowed;
  std::string_view path = request.path;
  if (!path.starts_with('/')) return PageAnswer::kNotFound;
  path.remove_prefix(1);
  const size_t slash = std::min(path.find('/'), path.size());
  if (slash == path.size() || !EqualInConstantTime(path.substr(0, slash), token)) {
    return PageAnswer::kNotFound;
  }
  path.remove_prefix(slash + 1);
  if (path.empty()) return PageAnswer::kPage;
  return path == "data" ? PageAnswer::kData : PageAnswer::kNotFound;
}

}  // namespace yp
