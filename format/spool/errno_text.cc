#include "format/spool/errno_text.h"

#include <cerrno>

namespace yp::spool {

std::string ErrnoText(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "permission denied";
    case EDQUOT:
      return "disk quota used up";
    case EEXIST:
      return "the file exists";
    case EFBIG:
      return "the file would exceed the size limit";
    case EIO:
      return "input/output error";
    case EISDIR:
      return "it is a directory";
    case EMFILE:
    case ENFILE:
      return "too many open files";
    case ENOENT:
      return "no such file or directory";
    case ENOSPC:
      return "no space left on the device";
    case ENOTDIR:
      return "a part of the path is not a directory";
    case EROFS:
      return "the file system is read-only";
    default:
      return "error number " + std::to_string(error);
  }
}

std::string ErrnoAdvice(int error) {
  switch (error) {
    case EDQUOT:
    case ENOSPC:
      return "free some space or write elsewhere with -o";
    case EEXIST:
      return "remove it or choose another name with -o";
    case EFBIG:
      return "raise the limit (ulimit -f) or write elsewhere with -o";
    case EIO:
      return "check the disk, or write elsewhere with -o";
    case EMFILE:
    case ENFILE:
      return "raise the limit (ulimit -n)";
    case ENOENT:
    case ENOTDIR:
      return "check the path";
    default:
      return "choose a place with -o where files can be written";
  }
}

}  // namespace yp::spool
