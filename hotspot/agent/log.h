#ifndef YP_HOTSPOT_AGENT_LOG_H_
#define YP_HOTSPOT_AGENT_LOG_H_

#include <string_view>

namespace yp::hotspot {

// One line on the process's standard error, "yieldpoint: " before it. Standard output is the
// program's.
void Log(std::string_view message);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_LOG_H_
