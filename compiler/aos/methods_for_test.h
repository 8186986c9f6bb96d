#ifndef YP_COMPILER_AOS_METHODS_FOR_TEST_H_
#define YP_COMPILER_AOS_METHODS_FOR_TEST_H_

#include "core/graph/method.h"

namespace yp::compiler {

// A method of app.Main.
inline yp::Method Named(const char* name) {
  yp::Method method;
  method.class_name = "app.Main";
  method.name = name;
  method.descriptor = "()V";
  return method;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_METHODS_FOR_TEST_H_
