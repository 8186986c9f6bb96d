#ifndef YP_SERVER_CONTENT_SECURITY_POLICY_H_
#define YP_SERVER_CONTENT_SECURITY_POLICY_H_

#include <string>
#include <string_view>
#include <vector>

namespace yp {

// The Content-Security-Policy of a page: of scripts, only those that stand in it now, by their
// SHA-256; requests only to where it came from. Nothing else is loaded, and nobody may frame it.
std::string ContentSecurityPolicy(std::string_view page);

// What stands between <script ...> and </script>, in order. For pages of our own: comments that
// look like scripts count as such.
std::vector<std::string_view> ScriptsIn(std::string_view page);

}  // namespace yp

#endif  // YP_SERVER_CONTENT_SECURITY_POLICY_H_
