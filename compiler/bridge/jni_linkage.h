#ifndef YP_COMPILER_BRIDGE_JNI_LINKAGE_H_
#define YP_COMPILER_BRIDGE_JNI_LINKAGE_H_

#include <jni.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "compiler/aos/call_graph.h"
#include "compiler/bridge/method_body.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/ctb/code_targets.h"
#include "compiler/install/vm_layout.h"

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
  jmethodID only_callee = nullptr;
  jmethodID callee_of = nullptr;
  jmethodID bind = nullptr;
  jmethodID open = nullptr;
  jfieldID call_descriptor = nullptr;
  jfieldID callee_name = nullptr;
  jclass object = nullptr;     // Object
  jclass no_memory = nullptr;  // OutOfMemoryError
  jmethodID cause = nullptr;   // Throwable.getCause

  static Result<TaskMethods> Find(JNIEnv* env);
};

// What is recorded of a method's calls.
struct RecordedCalls {
  CallGraph* graph = nullptr;      // None: nothing is recorded.
  MethodId method{};               // In the graph.
  CodeTargets* targets = nullptr;  // None: calls go as the VM links them.
};

// What the constants of one class are in one compilation: whichever of its methods asks. By index
// and opcode. Of stores to fields nothing, as final fields may be stored to by some methods only.
struct PoolAnswers {
  using Key = std::pair<uint32_t, uint8_t>;
  std::map<Key, std::optional<FieldLink>> loaded_fields;
  std::map<Key, std::optional<CallLink>> calls;
  std::map<Key, std::optional<CalleeLink>> only_callees;
  std::map<Key, TypeLink> types;
  std::map<uint32_t, ConstantLink> constants;
};
// By MethodBody::pool.
using Answers = std::map<int32_t, PoolAnswers>;

// Asks the Java side, once for each constant. For one method in one compilation, in one thread.
// Exceptions are no answers. Where one was for lack of memory, *no_memory is set, and the
// compilation is to end: what was made of the other answers would last longer than the lack.
// `answers`: of all methods of the compilation, which it outlives.
class JniLinkage : public Linkage {
 public:
  JniLinkage(JNIEnv* env, jobject task, const TaskMethods& methods, const VmLayout& vm,
             const MethodBody& body, const RecordedCalls& recorded, Answers* answers,
             bool* no_memory)
      : env_(env),
        task_(task),
        methods_(methods),
        vm_(vm),
        full_name_(body.full_name),
        recorded_(recorded),
        answers_(*answers),
        pool_((*answers)[body.pool]),
        no_memory_(no_memory) {}

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
  std::optional<CalleeLink> OnlyCallee(uint32_t index, uint8_t opcode,
                                       const CallLink& call) override;
  std::optional<CalleeLink> CalleeOf(std::string_view class_name, uint32_t bci, uint32_t index,
                                     uint8_t opcode, const CallLink& call) override;
  void Bind(MethodNumber method) override;
  std::optional<OpenedMethod> Open(MethodNumber method) override;
  std::string FullName() override { return full_name_; }
  // In the graph of recorded calls; of no use where nothing is recorded.
  MethodId recorded_method() const { return recorded_.method; }

 private:
  template <size_t kCount>
  using Numbers = std::array<jlong, kCount>;

  static constexpr size_t kCalleeNumbers = 10;

  // Whether the Java side has just thrown; then that is over.
  bool HasThrown();
  // What is in an array, which is released; nullopt when there is none or an exception.
  template <size_t kCount>
  std::optional<Numbers<kCount>> Take(jobject array);
  std::optional<CalleeLink> Callee(const std::optional<Numbers<kCalleeNumbers>>& numbers);
  // Of one of the task's fields.
  std::string TextOf(jfieldID field);
  // An array that a method of the task's gives; nullopt when it is null or throws.
  template <size_t kCount, typename... Arguments>
  std::optional<Numbers<kCount>> Ask(jmethodID method, Arguments... arguments);
  template <typename... Arguments>
  TypeLink AskType(jmethodID method, Arguments... arguments);

  JNIEnv* env_;
  jobject task_;
  const TaskMethods& methods_;
  const VmLayout& vm_;
  const std::string full_name_;
  const RecordedCalls recorded_;
  Answers& answers_;
  PoolAnswers& pool_;
  bool* const no_memory_;
  std::map<PoolAnswers::Key, std::optional<FieldLink>> stored_fields_;
  std::map<uint32_t, TypeLink> caught_types_;
  std::map<uint8_t, TypeLink> primitive_arrays_;
  std::optional<ConstantId> holder_;
  std::optional<ConstantId> holder_class_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_JNI_LINKAGE_H_
