#ifndef YP_BASE_DESCRIPTOR_H_
#define YP_BASE_DESCRIPTOR_H_

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace yp {

// A file of ours that was just opened, under a number that is none of the standard streams': where
// those are closed, as a daemon's are, it would be the lowest one, and what the program prints
// would go into it. The file as it is where there is no such number; -1 stays -1, with its errno.
inline int AboveStandardStreams(int file) {
  constexpr int kFirst = STDERR_FILENO + 1;
  if (file < 0 || file >= kFirst) return file;
  const int above = fcntl(file, F_DUPFD_CLOEXEC, kFirst);
  if (above < 0) return file;
  close(file);
  return above;
}

}  // namespace yp

#endif  // YP_BASE_DESCRIPTOR_H_
