#ifndef YP_CLI_JAVA_RELEASE_H_
#define YP_CLI_JAVA_RELEASE_H_

#include <string>

#include "base/status.h"
#include "cli/aos/jdk_release.h"

namespace yp {

// Which JDK a java launcher is of; a name without a slash is looked up in $PATH.
Result<JdkRelease> ReleaseOf(const std::string& launcher);

}  // namespace yp

#endif  // YP_CLI_JAVA_RELEASE_H_
