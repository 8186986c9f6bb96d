#ifndef YP_BASE_MEMORY_TEST_UTIL_H_
#define YP_BASE_MEMORY_TEST_UTIL_H_

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace yp {

// Bytes of memory that the process takes up (proc(5), statm: resident).
inline int64_t ResidentBytes() {
  int64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace yp

#endif  // YP_BASE_MEMORY_TEST_UTIL_H_
