#ifndef YP_SERVER_TOKEN_H_
#define YP_SERVER_TOKEN_H_

#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// 128 random bits of the kernel's as 32 hexadecimal digits.
Result<std::string> RandomToken();

// In a time that depends on the lengths only, so that nobody learns how far a guess is right.
bool EqualInConstantTime(std::string_view a, std::string_view b);

}  // namespace yp

#endif  // YP_SERVER_TOKEN_H_
