#ifndef YP_SERVER_REQUEST_CHECK_H_
#define YP_SERVER_REQUEST_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

namespace yp {

// What of a request decides whether it is answered, and how.
struct PageRequest {
  std::string_view method;
  std::vector<std::string> hosts;    // Its Host headers.
  std::vector<std::string> origins;  // Its Origin headers.
  std::string_view path;             // Decoded, without the query.
};

enum class PageAnswer { kPage, kData, kForbidden, kNotAllowed, kNotFound };

// - The one Host names this server: a name that an attacker's DNS points to 127.0.0.1 does not (DNS
//   rebinding).
// - There is no Origin, or it is this server's: the page of another site asks in vain.
// - The method is GET or HEAD.
// - The path is that of the page, /TOKEN/, or of its data, /TOKEN/data. Files are not served.
PageAnswer Check(const PageRequest& request, int port, std::string_view token);

}  // namespace yp

#endif  // YP_SERVER_REQUEST_CHECK_H_
