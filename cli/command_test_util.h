#ifndef YP_CLI_COMMAND_TEST_UTIL_H_
#define YP_CLI_COMMAND_TEST_UTIL_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/command.h"

namespace yp {

// Commands as a user types them.
class CommandTest : public testing::Test {
 protected:
  // Runs yp with these arguments; gives its exit code, and its output in out_ and err_.
  int Run(std::vector<const char*> arguments,
          const Result<std::string_view>& page = std::string_view()) {
    arguments.insert(arguments.begin(), "yp");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = Main(static_cast<int>(arguments.size()), arguments.data(), page);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return code;
  }

  std::string out_, err_;
};

}  // namespace yp

#endif  // YP_CLI_COMMAND_TEST_UTIL_H_
