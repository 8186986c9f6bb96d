// What the JVM loads: the native methods of yieldpoint.compiler.Native.
#include <jni.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/baseline/base_compiler.h"
#include "compiler/baseline/yieldpoint_costs.h"
#include "compiler/bridge/agent.h"
#include "compiler/bridge/edge_finding.h"
#include "compiler/bridge/jni_linkage.h"
#include "compiler/install/vm_layout.h"
#include "compiler/install/vm_store.h"
#include "compiler/runtime/stubs.h"
#include "recorder/log.h"

namespace yp::compiler {
namespace {

// Of Native.java.
constexpr jint kIsStatic = 1, kIsSynchronized = 2, kRegistersFinalizer = 4, kKeepsUnresolved = 8,
               kChecksInitialization = 16;

// Written by one thread before any compilation begins.
struct Bridge {
  std::optional<VmLayout> vm;
  RuntimePlaces places;
  CodeTargets* targets = nullptr;  // Where edges are found.
  TaskMethods task_methods;
};

// By Trap. Incremented by compiled code only.
std::array<std::atomic<int64_t>, kTraps> trap_counters{};

Bridge& TheBridge() {
  static Bridge* const bridge = new Bridge;  // Never destroyed: compiler threads outlive exit().
  return *bridge;
}

std::string Text(JNIEnv* env, jstring string) {
  const char* const characters = env->GetStringUTFChars(string, nullptr);
  std::string text = characters;
  env->ReleaseStringUTFChars(string, characters);
  return text;
}

jbyteArray Bytes(JNIEnv* env, const std::vector<uint8_t>& bytes) {
  const auto size = static_cast<jsize>(bytes.size());
  const jbyteArray array = env->NewByteArray(size);
  if (array != nullptr) {
    env->SetByteArrayRegion(array, 0, size, reinterpret_cast<const jbyte*>(bytes.data()));
  }
  return array;
}

template <typename Number>
jintArray Ints(JNIEnv* env, const Number* numbers, size_t count) {
  static_assert(sizeof(Number) == sizeof(jint));
  const jintArray array = env->NewIntArray(static_cast<jsize>(count));
  if (array != nullptr) {
    env->SetIntArrayRegion(array, 0, static_cast<jsize>(count),
                           reinterpret_cast<const jint*>(numbers));
  }
  return array;
}

jobjectArray Objects(JNIEnv* env, std::initializer_list<jobject> objects) {
  const jobjectArray array = env->NewObjectArray(static_cast<jsize>(objects.size()),
                                                 env->FindClass("java/lang/Object"), nullptr);
  jsize i = 0;
  for (const jobject object : objects) {
    if (array != nullptr) env->SetObjectArrayElement(array, i++, object);
  }
  return array;
}

// Without words that are free, code has no yieldpoints.
void UseYieldpoints(JNIEnv* env, Bridge& bridge, Recording* recording) {
  const auto& words = bridge.vm->yieldpoints;
  const auto is_free = [&](int32_t word) {
    int64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const uint8_t*>(env) + word - words->jni_environment,
                sizeof value);
    return value == 0;
  };
  if (!words || !is_free(words->state) || !is_free(words->record)) {
    return Log("calls are not recorded: this JVM has no words for yieldpoints in its threads");
  }
  const YieldpointCosts costs = MeasureYieldpoints(*bridge.vm);
  recording->SetCallCosts(costs.counted_call_ps, costs.taken_call_ps);
  recording->UseWords(
      {words->state - words->jni_environment, words->record - words->jni_environment});
  bridge.places.yieldpoints = Recording::Targets();
}

void UseRecording(JNIEnv* env, Bridge& bridge, const VmStore& store) {
  Recording* const recording = TheRecording();
  if (recording == nullptr) return;
  if (recording->options().mode != RecordingOptions::Mode::kEdges) {
    return UseYieldpoints(env, bridge, recording);
  }
  const int64_t* const object = store.Find("yp:object_class");
  const Result<CodeTargets*> targets =
      FindEdges(*bridge.vm, *recording, object == nullptr ? 0 : static_cast<uint64_t>(*object));
  if (!targets) return Log("edges are not recorded: " + std::string(targets.message()));
  bridge.targets = *targets;
  bridge.places.targets = bridge.targets->places();
}

jstring JNICALL Start(JNIEnv* env, jclass, jobjectArray names, jlongArray values) {
  VmStore store;
  const jsize count = env->GetArrayLength(names);
  std::vector<jlong> numbers(static_cast<size_t>(count));
  env->GetLongArrayRegion(values, 0, count, numbers.data());
  for (jsize i = 0; i < count; ++i) {
    const auto name = static_cast<jstring>(env->GetObjectArrayElement(names, i));
    store.Set(Text(env, name), numbers[static_cast<size_t>(i)]);
    env->DeleteLocalRef(name);
  }
  Result<VmLayout> vm = VmLayout::From(store);
  if (!vm) return env->NewStringUTF(std::string(vm.message()).c_str());
  Result<TaskMethods> methods = TaskMethods::Find(env);
  if (!methods) return env->NewStringUTF(std::string(methods.message()).c_str());
  TheBridge().vm = *vm;
  TheBridge().task_methods = *methods;
  TheBridge().places.trap_counters = reinterpret_cast<uintptr_t>(trap_counters.data());
  UseRecording(env, TheBridge(), store);
  return nullptr;
}

jobjectArray JNICALL StubNames(JNIEnv* env, jclass) {
  const jobjectArray names =
      env->NewObjectArray(static_cast<jsize>(kStubs), env->FindClass("java/lang/String"), nullptr);
  for (size_t i = 0; i < kStubs; ++i) {
    env->SetObjectArrayElement(names, static_cast<jsize>(i),
                               env->NewStringUTF(NameOf(static_cast<Stub>(i))));
  }
  return names;
}

jobjectArray JNICALL AssembleStubFor(JNIEnv* env, jclass, jint stub) {
  const StubCode code = AssembleStub(static_cast<Stub>(stub), *TheBridge().vm);
  return Objects(env, {Bytes(env, code.code), Ints(env, code.sites.data(), code.sites.size())});
}

jlongArray JNICALL TrapsTaken(JNIEnv* env, jclass) {
  const jlongArray array = env->NewLongArray(static_cast<jsize>(kTraps));
  for (size_t i = 0; array != nullptr && i < kTraps; ++i) {
    const jlong count = trap_counters[i].load(std::memory_order_relaxed);
    env->SetLongArrayRegion(array, static_cast<jsize>(i), 1, &count);
  }
  return array;
}

void JNICALL SetStubAddress(JNIEnv*, jclass, jint stub, jlong address) {
  TheBridge().places.stubs[static_cast<size_t>(stub)] = static_cast<uint64_t>(address);
}

Method MethodOf(JNIEnv* env, jbyteArray code, jint max_locals, jint max_stack, jint flags,
                jintArray handlers, jint osr_bci) {
  Method method;
  const jsize bytes = env->GetArrayLength(code);
  method.code.resize(static_cast<size_t>(bytes));
  env->GetByteArrayRegion(code, 0, bytes, reinterpret_cast<jbyte*>(method.code.data()));
  method.max_locals = static_cast<uint32_t>(max_locals);
  method.max_stack = static_cast<uint32_t>(max_stack);
  method.is_static = (flags & kIsStatic) != 0;
  method.is_synchronized = (flags & kIsSynchronized) != 0;
  method.registers_finalizer = (flags & kRegistersFinalizer) != 0;
  method.keeps_unresolved = (flags & kKeepsUnresolved) != 0;
  method.checks_initialization = (flags & kChecksInitialization) != 0;
  std::vector<jint> table(static_cast<size_t>(env->GetArrayLength(handlers)));
  env->GetIntArrayRegion(handlers, 0, static_cast<jsize>(table.size()), table.data());
  for (size_t i = 0; i + 3 < table.size(); i += 4) {
    method.handlers.push_back({static_cast<uint32_t>(table[i]), static_cast<uint32_t>(table[i + 1]),
                               static_cast<uint32_t>(table[i + 2]), table[i + 3] != 0});
  }
  if (osr_bci >= 0) method.osr_bci = static_cast<uint32_t>(osr_bci);
  return method;
}

jboolean JNICALL IsRecorded(JNIEnv*, jclass) {
  const RuntimePlaces& places = TheBridge().places;
  return places.yieldpoints || places.targets ? JNI_TRUE : JNI_FALSE;
}

// What a profile says of the method; `identity` as Native.compile has it.
MethodId RecordedMethod(JNIEnv* env, jobjectArray identity, std::string descriptor, jint flags) {
  const auto text = [&](jsize i) {
    const auto string = static_cast<jstring>(env->GetObjectArrayElement(identity, i));
    return string == nullptr ? std::string() : Text(env, string);
  };
  yp::Method method;
  method.class_name = text(0);
  method.name = text(1);
  method.source_file = text(2);
  method.descriptor = std::move(descriptor);
  method.flags = yp::Method::kObserved | ((flags & kIsStatic) != 0 ? yp::Method::kStatic : 0u);
  const auto lines = static_cast<jintArray>(env->GetObjectArrayElement(identity, 3));
  std::vector<jint> numbers(lines == nullptr ? 0 : static_cast<size_t>(env->GetArrayLength(lines)));
  if (lines != nullptr) {
    env->GetIntArrayRegion(lines, 0, static_cast<jsize>(numbers.size()), numbers.data());
  }
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    method.lines.push_back(
        {static_cast<uint16_t>(numbers[i]), static_cast<uint16_t>(numbers[i + 1])});
  }
  std::ranges::stable_sort(method.lines, {}, &yp::Method::Line::bci);
  return TheRecording()->graph().AddMethod(method);
}

jobject JNICALL Compile(JNIEnv* env, jclass, jobject task, jbyteArray code, jint max_locals,
                        jint max_stack, jstring descriptor, jint flags, jintArray handlers,
                        jint osr_bci, jobjectArray identity) {
  const Bridge& bridge = TheBridge();
  Method method = MethodOf(env, code, max_locals, max_stack, flags, handlers, osr_bci);
  std::string descriptor_text = Text(env, descriptor);
  std::optional<Signature> signature = Signature::Parse(descriptor_text);
  if (!signature) return env->NewStringUTF("malformed descriptor");
  method.signature = std::move(*signature);
  CallGraph* graph = nullptr;
  MethodId recorded{};
  if (identity != nullptr) {
    graph = &TheRecording()->graph();
    recorded = RecordedMethod(env, identity, std::move(descriptor_text), flags);
    method.yieldpoint_id = ToIndex(recorded);
  }
  JniLinkage linkage(env, task, bridge.task_methods, graph, recorded, bridge.targets);
  const Result<CompiledCode> compiled = CompileBase(method, linkage, *bridge.vm, bridge.places);
  if (!compiled) return env->NewStringUTF(std::string(compiled.message()).c_str());
  return Objects(
      env, {Bytes(env, compiled->code), Ints(env, compiled->sites.data(), compiled->sites.size()),
            Ints(env, compiled->traps.data(), compiled->traps.size())});
}

// The host of core/adaptive; null where there is none.
AdaptiveHost* TheAdaptiveHost() {
  Recording* const recording = TheRecording();
  return recording == nullptr || !TheBridge().places.yieldpoints ? nullptr : recording->adaptive();
}

jboolean JNICALL IsAdaptive(JNIEnv*, jclass) {
  return TheAdaptiveHost() != nullptr ? JNI_TRUE : JNI_FALSE;
}

jlong JNICALL AwaitRecompilation(JNIEnv*, jclass) {
  TheRecording()->OnThreadEnd();  // The VM has told of its start.
  const auto next = TheAdaptiveHost()->AwaitRecompilation();
  if (!next) return -1;
  return static_cast<jlong>(ToIndex(next->method)) << 8 | next->level;
}

jint JNICALL RecordedMethodId(JNIEnv* env, jclass, jobjectArray identity, jstring descriptor,
                              jint flags) {
  return static_cast<jint>(ToIndex(RecordedMethod(env, identity, Text(env, descriptor), flags)));
}

SystemClock the_clock;

void JNICALL Compiled(JNIEnv* env, jclass, jint method, jlongArray facts, jstring failure) {
  std::array<jlong, 10> fact{};
  env->GetLongArrayRegion(facts, 0, static_cast<jsize>(fact.size()), fact.data());
  const auto number = [&](size_t i) { return static_cast<int32_t>(fact[i]); };
  AdaptiveHost::Compiled compiled;
  compiled.event = {.method = MethodId{static_cast<uint32_t>(method)},
                    .compile_id = number(0),
                    .level = number(1),
                    .is_osr = fact[2] >= 0,
                    .osr_bci = number(2),
                    .is_asked_by_vm = fact[3] != 0,
                    .start_ns = fact[4],
                    .end_ns = fact[5],
                    .cpu_ns = the_clock.ThreadCpuNs() - fact[6],
                    .bytecode_bytes = number(7),
                    .code_bytes = number(9),
                    .failure = failure == nullptr ? "" : Text(env, failure)};
  compiled.code = reinterpret_cast<const uint8_t*>(fact[8]);
  TheAdaptiveHost()->OnCompiled(std::move(compiled));
}

jlong JNICALL CpuNanos(JNIEnv*, jclass) { return the_clock.ThreadCpuNs(); }

bool Register(JNIEnv* env) {
  const auto method = [](const char* name, const char* descriptor, auto function) {
    return JNINativeMethod{const_cast<char*>(name), const_cast<char*>(descriptor),
                           reinterpret_cast<void*>(function)};
  };
  const JNINativeMethod methods[] = {
      method("start", "([Ljava/lang/String;[J)Ljava/lang/String;", &Start),
      method("stubNames", "()[Ljava/lang/String;", &StubNames),
      method("assembleStub", "(I)[Ljava/lang/Object;", &AssembleStubFor),
      method("trapsTaken", "()[J", &TrapsTaken),
      method("setStubAddress", "(IJ)V", &SetStubAddress),
      method("isRecorded", "()Z", &IsRecorded),
      method("isAdaptive", "()Z", &IsAdaptive),
      method("awaitRecompilation", "()J", &AwaitRecompilation),
      method("recordedMethod", "([Ljava/lang/Object;Ljava/lang/String;I)I", &RecordedMethodId),
      method("compiled", "(I[JLjava/lang/String;)V", &Compiled),
      method("cpuNanos", "()J", &CpuNanos),
      method("compile",
             "(Lyieldpoint/compiler/Task;[BIILjava/lang/String;I[II[Ljava/lang/Object;)"
             "Ljava/lang/Object;",
             &Compile),
  };
  const jclass native = env->FindClass("yieldpoint/compiler/Native");
  return native != nullptr &&
         env->RegisterNatives(native, methods, static_cast<jint>(std::size(methods))) == JNI_OK;
}

}  // namespace
}  // namespace yp::compiler

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  return yp::compiler::Register(env) ? JNI_VERSION_10 : JNI_ERR;
}
