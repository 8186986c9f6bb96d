#ifndef YP_FORMAT_PROFILE_THREAD_NAMES_H_
#define YP_FORMAT_PROFILE_THREAD_NAMES_H_

#include <string>
#include <string_view>

namespace yp {

// What the names of threads that do alike have in common, as those of a pool: "pool-1-thread-12"
// is "pool-#-thread-#".
std::string NamePattern(std::string_view name);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_THREAD_NAMES_H_
