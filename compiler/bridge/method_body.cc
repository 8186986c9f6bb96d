#include "compiler/bridge/method_body.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/method.h"

namespace yp::compiler {
namespace {

// Of Native.java.
constexpr jint kIsStatic = 1, kIsSynchronized = 2, kRegistersFinalizer = 4, kKeepsUnresolved = 8,
               kChecksInitialization = 16, kUsesReservedStack = 32, kSpeculationFailed = 64;
// Where the parts are.
constexpr jsize kCode = 1, kNumbers = 2, kDescriptor = 3, kHandlers = 4, kName = 5, kIdentity = 6;

std::vector<jint> Ints(JNIEnv* env, jobject array) {
  if (array == nullptr) return {};
  const auto ints = static_cast<jintArray>(array);
  std::vector<jint> numbers(static_cast<size_t>(env->GetArrayLength(ints)));
  env->GetIntArrayRegion(ints, 0, static_cast<jsize>(numbers.size()), numbers.data());
  return numbers;
}

std::string TextAt(JNIEnv* env, jobjectArray array, jsize i) {
  const auto string = static_cast<jstring>(env->GetObjectArrayElement(array, i));
  return string == nullptr ? std::string() : Text(env, string);
}

}  // namespace

MethodId RecordedMethod(JNIEnv* env, jobjectArray identity, const std::string& descriptor,
                        jint flags, CallGraph& graph) {
  yp::Method method;
  method.class_name = TextAt(env, identity, 0);
  method.name = TextAt(env, identity, 1);
  method.source_file = TextAt(env, identity, 2);
  method.descriptor = descriptor;
  method.flags = yp::Method::kObserved | ((flags & kIsStatic) != 0 ? yp::Method::kStatic : 0u);
  const std::vector<jint> numbers = Ints(env, env->GetObjectArrayElement(identity, 3));
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    method.lines.push_back(
        {static_cast<uint16_t>(numbers[i]), static_cast<uint16_t>(numbers[i + 1])});
  }
  std::ranges::stable_sort(method.lines, {}, &yp::Method::Line::bci);
  return graph.AddMethod(method);
}

std::string Text(JNIEnv* env, jstring string) {
  constexpr size_t kMostBytes = 3;  // Of a character. None is 0.
  const jsize characters = env->GetStringLength(string);
  std::string text(kMostBytes * static_cast<size_t>(characters) + 1, 0);
  env->GetStringUTFRegion(string, 0, characters, text.data());
  text.resize(text.find('\0'));
  return text;
}

Result<MethodBody> ReadBody(JNIEnv* env, jobjectArray body, CallGraph* graph) {
  const auto at = [&](jsize i) { return env->GetObjectArrayElement(body, i); };
  MethodBody read;
  Method& method = read.method;
  const auto code = static_cast<jbyteArray>(at(kCode));
  const jsize bytes = env->GetArrayLength(code);
  method.code.resize(static_cast<size_t>(bytes));
  env->GetByteArrayRegion(code, 0, bytes, reinterpret_cast<jbyte*>(method.code.data()));
  const std::vector<jint> numbers = Ints(env, at(kNumbers));
  const jint flags = numbers[2];
  method.max_locals = static_cast<uint32_t>(numbers[0]);
  method.max_stack = static_cast<uint32_t>(numbers[1]);
  read.pool = numbers[3];
  method.is_static = (flags & kIsStatic) != 0;
  method.is_synchronized = (flags & kIsSynchronized) != 0;
  method.registers_finalizer = (flags & kRegistersFinalizer) != 0;
  method.keeps_unresolved = (flags & kKeepsUnresolved) != 0;
  method.checks_initialization = (flags & kChecksInitialization) != 0;
  method.uses_reserved_stack = (flags & kUsesReservedStack) != 0;
  method.speculation_failed = (flags & kSpeculationFailed) != 0;
  const std::vector<jint> table = Ints(env, at(kHandlers));
  for (size_t i = 0; i + 3 < table.size(); i += 4) {
    method.handlers.push_back({static_cast<uint32_t>(table[i]), static_cast<uint32_t>(table[i + 1]),
                               static_cast<uint32_t>(table[i + 2]), table[i + 3] != 0});
  }
  const std::string descriptor = TextAt(env, body, kDescriptor);
  std::optional<Signature> signature = Signature::Parse(descriptor);
  if (!signature) return Status::Error("malformed descriptor");
  method.signature = std::move(*signature);
  read.full_name = TextAt(env, body, kName);
  if (graph != nullptr) {
    const auto identity = static_cast<jobjectArray>(at(kIdentity));
    read.recorded = RecordedMethod(env, identity, descriptor, flags, *graph);
    method.yieldpoint_id = ToIndex(read.recorded);
  }
  return read;
}

}  // namespace yp::compiler
