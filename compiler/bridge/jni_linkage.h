#ifndef YP_COMPILER_BRIDGE_JNI_LINKAGE_H_
#define YP_COMPILER_BRIDGE_JNI_LINKAGE_H_

#include <jni.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/status.h"
#include "compiler/aos/call_graph.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/ctb/code_targets.h"

namespace yp::compiler {

// What yieldpoint.compiler.Task answers. Found once, when the library is loaded.
struct TaskMethods {
  jmethodID field = nullptr;
  jmethodID call = nullptr;
  jmethodID type = nullptr;
  jmethodID primitive_array = nullptr;
  jmethodID caught_type = nullptr;
  jmethodID constant = nullptr;
  jmethodID holder = nullptr;
  jmethodID holder_class = nullptr;
  jmethodID target = nullptr;
  jfieldID call_descriptor = nullptr;

  static Result<TaskMethods> Find(JNIEnv* env);
};

// Asks the Java side, once for each constant. For one compilation, in one thread.
class JniLinkage : public Linkage {
 public:
  // `method` is that which is compiled, in the graph; no graph: nothing is recorded. No targets:
  // calls go as the VM links them.
  JniLinkage(JNIEnv* env, jobject task, const TaskMethods& methods, CallGraph* graph,
             MethodId method, CodeTargets* targets)
      : env_(env),
        task_(task),
        methods_(methods),
        graph_(graph),
        method_(method),
        targets_(targets) {}

  const FieldLink* Field(uint32_t index, uint8_t opcode) override;
  const CallLink* Call(uint32_t index, uint8_t opcode) override;
  TypeLink Type(uint32_t index, uint8_t opcode) override;
  TypeLink PrimitiveArray(uint8_t code) override;
  TypeLink CaughtType(uint32_t handler) override;
  ConstantLink Constant(uint32_t index) override;
  ConstantId Holder() override;
  ConstantId HolderClass() override;
  uint32_t CallSite(uint32_t bci) override;
  CallTarget TargetOf(uint32_t bci, const CallLink& call) override;

 private:
  using Key = std::pair<uint32_t, uint8_t>;
  template <size_t kCount>
  using Numbers = std::array<jlong, kCount>;

  // An array that a method of the task's gives; nullopt when it is null or throws.
  template <size_t kCount, typename... Arguments>
  std::optional<Numbers<kCount>> Ask(jmethodID method, Arguments... arguments);
  template <typename... Arguments>
  TypeLink AskType(jmethodID method, Arguments... arguments);

  JNIEnv* env_;
  jobject task_;
  const TaskMethods& methods_;
  CallGraph* const graph_;
  const MethodId method_;
  CodeTargets* const targets_;
  std::map<Key, std::optional<FieldLink>> fields_;
  std::map<Key, std::optional<CallLink>> calls_;
  std::map<Key, TypeLink> types_;
  std::map<uint32_t, TypeLink> caught_types_;
  std::map<uint32_t, ConstantLink> constants_;
  std::map<uint8_t, TypeLink> primitive_arrays_;
  std::optional<ConstantId> holder_;
  std::optional<ConstantId> holder_class_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_JNI_LINKAGE_H_
