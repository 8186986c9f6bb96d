#ifndef YP_CLI_AOS_JDK_RELEASE_H_
#define YP_CLI_AOS_JDK_RELEASE_H_

#include <optional>
#include <string>
#include <string_view>

namespace yp {

// What the file `release` of a JDK's home says of it.
struct JdkRelease {
  int feature = 0;      // 17 of 17.0.21
  std::string version;  // 17.0.21
  std::string architecture;
  bool has_jvmci = false;  // the module jdk.internal.vm.ci
  bool is_hotspot = false;
};

// nullopt when `text` names no version.
std::optional<JdkRelease> ParseRelease(std::string_view text);

}  // namespace yp

#endif  // YP_CLI_AOS_JDK_RELEASE_H_
