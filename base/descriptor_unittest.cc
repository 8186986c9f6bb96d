#include "base/descriptor.h"

#include <gtest/gtest.h>

namespace yp {
namespace {

TEST(Descriptor, AFileOfOursIsNoStandardStream) {
  const int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  close(STDIN_FILENO);
  const int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(lowest, STDIN_FILENO);
  const int file = AboveStandardStreams(lowest);
  EXPECT_GT(file, STDERR_FILENO);
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), -1) << "it is closed again";
  EXPECT_EQ(AboveStandardStreams(file), file);
  close(file);
  if (saved >= 0) {
    dup2(saved, STDIN_FILENO);
    close(saved);
  }
}

TEST(Descriptor, WhatWasNotOpenedStaysSo) { EXPECT_EQ(AboveStandardStreams(-1), -1); }

}  // namespace
}  // namespace yp
