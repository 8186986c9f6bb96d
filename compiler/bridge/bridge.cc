// What the JVM loads: the native methods of yieldpoint.compiler.Native.
#include <jni.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/backend/optimizing_compiler.h"
#include "compiler/baseline/base_compiler.h"
#include "compiler/baseline/yieldpoint_costs.h"
#include "compiler/bridge/agent.h"
#include "compiler/bridge/edge_finding.h"
#include "compiler/bridge/inlining_setup.h"
#include "compiler/bridge/jni_linkage.h"
#include "compiler/bridge/jvmci_methods.h"
#include "compiler/bridge/method_body.h"
#include "compiler/install/vm_layout.h"
#include "compiler/install/vm_store.h"
#include "compiler/memory/compilation_memory.h"
#include "compiler/runtime/stubs.h"
#include "recorder/log.h"

namespace yp::compiler {
namespace {

// Written by one thread before any compilation begins.
struct Bridge {
  std::optional<VmLayout> vm;
  RuntimePlaces places;
  CodeTargets* targets = nullptr;  // Where edges are found.
  JvmciMethods jvmci;
  TaskMethods task_methods;
  std::unique_ptr<InliningSetup> inlining;  // None: nothing is inlined.
};

// By Trap. Incremented by compiled code only.
std::array<std::atomic<int64_t>, kTraps> trap_counters{};

Bridge& TheBridge() {
  static Bridge* const bridge = new Bridge;  // Never destroyed: compiler threads outlive exit().
  return *bridge;
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
                                                 TheBridge().task_methods.object, nullptr);
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
  const auto from_environment = [&](int32_t word) { return word - words->jni_environment; };
  recording->UseWords({.state = from_environment(words->state),
                       .record = from_environment(words->record),
                       .anchor = {.last_java_sp = from_environment(bridge.vm->last_java_sp),
                                  .last_java_pc = from_environment(bridge.vm->last_java_pc)}});
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

void JNICALL FindJvmciMethods(JNIEnv* env, jclass) { TheBridge().jvmci = JvmciMethods::Find(env); }

jlong JNICALL ClassPointer(JNIEnv* env, jclass, jobject type) {
  return static_cast<jlong>(TheBridge().jvmci.ClassPointer(env, type));
}

jlong JNICALL MethodPointer(JNIEnv* env, jclass, jobject method) {
  return static_cast<jlong>(TheBridge().jvmci.MethodPointer(env, method));
}

jobject JNICALL LookupConstant(JNIEnv* env, jclass, jobject pool, jint index) {
  return TheBridge().jvmci.LookupConstant(env, pool, index);
}

jobject JNICALL TagAt(JNIEnv* env, jclass, jobject pool, jint index) {
  return TheBridge().jvmci.TagAt(env, pool, index);
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

jboolean JNICALL IsRecorded(JNIEnv*, jclass) {
  const RuntimePlaces& places = TheBridge().places;
  return places.yieldpoints || places.targets ? JNI_TRUE : JNI_FALSE;
}

// Nothing where it is not said how.
jstring JNICALL UseInlining(JNIEnv* env, jclass, jstring how) {
  Result<std::unique_ptr<InliningSetup>> setup = InliningSetup::From(Text(env, how));
  if (!setup) return env->NewStringUTF(std::string(setup.message()).c_str());
  TheBridge().inlining = std::move(setup).value();
  return nullptr;
}

jobjectArray JNICALL InlineReasons(JNIEnv* env, jclass) {
  const std::vector<std::string_view>& texts = InlineReasonTexts();
  const jobjectArray array = env->NewObjectArray(static_cast<jsize>(texts.size()),
                                                 env->FindClass("java/lang/String"), nullptr);
  for (size_t i = 0; i < texts.size(); ++i) {
    env->SetObjectArrayElement(array, static_cast<jsize>(i),
                               env->NewStringUTF(std::string(texts[i]).c_str()));
  }
  return array;
}

// As Inlining.java reads them.
std::vector<int32_t> Decisions(const InlineTree& tree) {
  constexpr int32_t kIsInlined = 1, kIsGuarded = 2;
  const auto number = [](const std::optional<MethodNumber>& method) {
    return method ? static_cast<int32_t>(*method) : -1;
  };
  std::vector<int32_t> numbers;
  for (const InlineRecord& record : tree.records) {
    numbers.insert(numbers.end(),
                   {number(record.caller), static_cast<int32_t>(record.bci), number(record.callee),
                    static_cast<int32_t>(record.reason),
                    (record.is_inlined ? kIsInlined : 0) | (record.is_guarded ? kIsGuarded : 0)});
  }
  return numbers;
}

// The inlined calls of a body and of all within it: caller, bytecode index, callee, by the numbers
// of recorded methods. All linkages are of this library's.
void AddInlinedCalls(const Body& body, std::vector<int32_t>* numbers) {
  const auto method = [](const Body& of) {
    return static_cast<int32_t>(
        ToIndex(static_cast<const JniLinkage*>(of.linkage)->recorded_method()));
  };
  for (const auto& [bci, callees] : body.inlined) {
    for (const InlinedCallee& callee : callees) {
      numbers->insert(numbers->end(),
                      {method(body), static_cast<int32_t>(bci), method(*callee.body)});
      AddInlinedCalls(*callee.body, numbers);
    }
  }
}

// Levels, as Native.java has them.
constexpr jint kBase = 0, kOpt2 = 2;

// At OPT2, or where that refuses it, `why_not`, as it is without.
Result<CompiledCode> CompileAt(jint level, const InlineTree& tree, const Bridge& bridge,
                               std::string* why_not) {
  if (level == kOpt2) {
    Result<CompiledCode> optimized = CompileOptimized(tree, *bridge.vm, bridge.places);
    if (optimized) return optimized;
    *why_not = optimized.message();
  }
  return yp::compiler::Compile(tree, *bridge.vm, bridge.places);
}

jobject JNICALL Compile(JNIEnv* env, jclass, jobjectArray body, jint osr_bci, jint level) {
  const CompilationMemory::Scope memory;
  const Bridge& bridge = TheBridge();
  const jobject task = env->GetObjectArrayElement(body, 0);
  CallGraph* const graph = IsRecorded(env, nullptr) ? &TheRecording()->graph() : nullptr;
  Result<MethodBody> read = ReadBody(env, body, graph);
  if (!read) return env->NewStringUTF(std::string(read.message()).c_str());
  if (osr_bci >= 0) read->method.osr_bci = static_cast<uint32_t>(osr_bci);
  bool no_memory = false;
  Answers answers;
  JniLinkage linkage(env, task, bridge.task_methods, *bridge.vm, *read,
                     {graph, read->recorded, bridge.targets}, &answers, &no_memory);
  std::optional<InlineRules> rules;
  if (level != kBase && bridge.inlining != nullptr) {
    rules = *bridge.inlining->rules();
    rules->binds = level == kOpt2;
  }
  const auto throw_no_memory = [&] {
    env->ThrowNew(bridge.task_methods.no_memory, "while the VM was asked about a method");
    return nullptr;
  };
  const Result<InlineTree> tree = PlanInlining(read->method, linkage, rules ? &*rules : nullptr);
  if (no_memory) return throw_no_memory();
  if (!tree) return env->NewStringUTF(std::string(tree.message()).c_str());
  std::string not_optimized;
  const Result<CompiledCode> compiled = CompileAt(level, *tree, bridge, &not_optimized);
  if (no_memory) return throw_no_memory();
  if (!compiled) return env->NewStringUTF(std::string(compiled.message()).c_str());
  const std::vector<int32_t> decisions = Decisions(*tree);
  std::vector<int32_t> inlined;
  if (graph != nullptr) AddInlinedCalls(*tree->root, &inlined);
  return Objects(
      env,
      {Bytes(env, compiled->code), Ints(env, compiled->sites.data(), compiled->sites.size()),
       Ints(env, compiled->traps.data(), compiled->traps.size()),
       Ints(env, decisions.data(), decisions.size()), Ints(env, inlined.data(), inlined.size()),
       not_optimized.empty() ? nullptr : env->NewStringUTF(not_optimized.c_str())});
}

// The host of core/adaptive; null where there is none.
AdaptiveHost* TheAdaptiveHost() {
  Recording* const recording = TheRecording();
  return recording == nullptr || !TheBridge().places.yieldpoints ? nullptr : recording->adaptive();
}

jboolean JNICALL IsAdaptive(JNIEnv*, jclass) {
  return TheAdaptiveHost() != nullptr ? JNI_TRUE : JNI_FALSE;
}

SystemClock the_clock;

// Of inlining by the samples of this run: the caller's thread alone compiles so. Takes a tenth of
// its time at most, but where the samples are the reason to compile.
void RefreshWeights(bool is_reason) {
  constexpr int64_t kPauses = 9;
  static int64_t next_ns = 0;
  InliningSetup* const inlining = TheBridge().inlining.get();
  const int64_t now_ns = the_clock.NowNs();
  if (inlining == nullptr || !inlining->is_online() || (now_ns < next_ns && !is_reason)) return;
  CallGraph& names = TheRecording()->graph();
  inlining->UseWeights(CallWeights::Of(TheAdaptiveHost()->CallsNow(),
                                       [&](MethodId method) { return names.FullNameOf(method); }));
  const int64_t end_ns = the_clock.NowNs();
  next_ns = end_ns + kPauses * (end_ns - now_ns);
}

jlong JNICALL AwaitRecompilation(JNIEnv*, jclass) {
  TheRecording()->OnThreadEnd();  // The VM has told of its start.
  const auto next = TheAdaptiveHost()->AwaitRecompilation();
  if (!next) return -1;
  RefreshWeights(next->for_inlining);
  return static_cast<jlong>(ToIndex(next->method)) << 8 | next->level;
}

jint JNICALL RecordedMethodId(JNIEnv* env, jclass, jobjectArray identity, jstring descriptor,
                              jint flags) {
  return static_cast<jint>(ToIndex(
      RecordedMethod(env, identity, Text(env, descriptor), flags, TheRecording()->graph())));
}

void JNICALL Compiled(JNIEnv* env, jclass, jint method, jlongArray facts, jintArray inlined,
                      jstring failure) {
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
  std::vector<jint> calls;
  if (inlined != nullptr) {
    calls.resize(static_cast<size_t>(env->GetArrayLength(inlined)));
    env->GetIntArrayRegion(inlined, 0, static_cast<jsize>(calls.size()), calls.data());
  }
  for (size_t i = 0; i + 2 < calls.size(); i += 3) {
    compiled.inlined.push_back({MethodId{static_cast<uint32_t>(calls[i])}, calls[i + 1],
                                MethodId{static_cast<uint32_t>(calls[i + 2])}});
  }
  TheAdaptiveHost()->OnCompiled(std::move(compiled));
}

jboolean JNICALL UsesReservedStack(JNIEnv* env, jclass, jobject method) {
  const auto& stack = TheBridge().vm->reserved_stack;
  uint64_t has_flags = stack ? TheBridge().jvmci.MethodPointer(env, method) : 0;
  if (has_flags == 0) return JNI_FALSE;
  const auto load = [](uint64_t base, int32_t offset, auto& value) {
    std::memcpy(&value, reinterpret_cast<const uint8_t*>(base) + offset, sizeof value);
  };
  if (stack->method_const) load(has_flags, *stack->method_const, has_flags);
  int32_t flags = 0;
  load(has_flags, stack->flags, flags);
  return (flags & stack->bit) != 0 ? JNI_TRUE : JNI_FALSE;
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
      method("useInlining", "(Ljava/lang/String;)Ljava/lang/String;", &UseInlining),
      method("inlineReasons", "()[Ljava/lang/String;", &InlineReasons),
      method("compile", "([Ljava/lang/Object;II)Ljava/lang/Object;",
             static_cast<jobject(JNICALL*)(JNIEnv*, jclass, jobjectArray, jint, jint)>(&Compile)),
      method("isAdaptive", "()Z", &IsAdaptive),
      method("awaitRecompilation", "()J", &AwaitRecompilation),
      method("recordedMethod", "([Ljava/lang/Object;Ljava/lang/String;I)I", &RecordedMethodId),
      method("compiled", "(I[J[ILjava/lang/String;)V", &Compiled),
      method("cpuNanos", "()J", &CpuNanos),
      method("usesReservedStack", "(Ljdk/vm/ci/hotspot/HotSpotResolvedJavaMethod;)Z",
             &UsesReservedStack),
      method("findJvmciMethods", "()V", &FindJvmciMethods),
      method("pointer", "(Ljdk/vm/ci/hotspot/HotSpotResolvedObjectType;)J", &ClassPointer),
      method("pointer", "(Ljdk/vm/ci/hotspot/HotSpotResolvedJavaMethod;)J", &MethodPointer),
      method("lookupConstant", "(Ljdk/vm/ci/meta/ConstantPool;I)Ljava/lang/Object;",
             &LookupConstant),
      method("tagAt", "(Ljdk/vm/ci/meta/ConstantPool;I)Ljava/lang/Object;", &TagAt),
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
