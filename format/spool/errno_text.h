#ifndef YP_FORMAT_SPOOL_ERRNO_TEXT_H_
#define YP_FORMAT_SPOOL_ERRNO_TEXT_H_

#include <string>

namespace yp::spool {

// The errors of opening, reading and writing files, for a person. Unlike strerror() these need
// neither the locale nor a shared buffer.
std::string ErrnoText(int error);
// What the user can do about it.
std::string ErrnoAdvice(int error);

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_ERRNO_TEXT_H_
