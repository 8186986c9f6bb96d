#include "recorder/log.h"

#include <unistd.h>

#include <string>

namespace yp {

void Log(std::string_view message) {
  std::string line = "yieldpoint: ";
  line += message;
  line += '\n';
  // In one call, so that the line stays whole among the program's own.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace yp
