#ifndef YP_BASE_CHANCE_TEST_UTIL_H_
#define YP_BASE_CHANCE_TEST_UTIL_H_

#include <gtest/gtest.h>

#include "base/sanitizer.h"

// The first statement of a test that draws for seconds, until a bias shows. A sanitizer makes that
// ten times as long and finds nothing that shorter tests of the same code do not show it.
#define YP_LONG_TEST_OF_CHANCE() \
  if (::yp::kIsSanitized) GTEST_SKIP() << "a long test of chance: without sanitizers only"

#endif  // YP_BASE_CHANCE_TEST_UTIL_H_
