#ifndef YP_COMPILER_BRIDGE_METHOD_BODY_H_
#define YP_COMPILER_BRIDGE_METHOD_BODY_H_

#include <jni.h>

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "base/status.h"
#include "compiler/aos/call_graph.h"
#include "compiler/bytecode/method.h"

namespace yp::compiler {

std::string Text(JNIEnv* env, jstring string);

// What yieldpoint.compiler.Task.body gives, but for the task itself, its first element.
struct MethodBody {
  Method method;
  std::string full_name;
  int32_t pool = 0;     // Methods with the same one name the same by their constants' indices.
  MethodId recorded{};  // In the graph, where there is one.
};

// The graph's number of a method; it is added if it is new. `identity` as yieldpoint.compiler.Task
// has it.
MethodId RecordedMethod(JNIEnv* env, jobjectArray identity, const std::string& descriptor,
                        jint flags, CallGraph& graph);

// An error where the descriptor is malformed. The method is added to the graph, if there is one.
Result<MethodBody> ReadBody(JNIEnv* env, jobjectArray body, CallGraph* graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_METHOD_BODY_H_
