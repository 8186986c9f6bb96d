#ifndef YP_RECORDER_LOG_H_
#define YP_RECORDER_LOG_H_

#include <string_view>

namespace yp {

// One line on the process's standard error, "yieldpoint: " before it. Standard output is the
// program's.
void Log(std::string_view message);

}  // namespace yp

#endif  // YP_RECORDER_LOG_H_
