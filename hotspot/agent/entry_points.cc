// What the JVM calls by name: the agent's start, the probe's natives, and those of yieldpoint.Tests
// (hotspot/tests). These are the library's
// only visible symbols.

#include <jni.h>
#include <jvmti.h>

#include <string>
#include <utility>

#include "core/options/option_string.h"
#include "hotspot/agent/agent.h"
#include "hotspot/agent/reply.h"
#include "hotspot/arch/arch.h"
#include "hotspot/support/options.h"
#include "recorder/guarded.h"
#include "recorder/log.h"

namespace yp::hotspot {
namespace {

// A walk's start, from the frame of the native method that calls this.
[[gnu::always_inline]] inline CallWalker::Start StartHere(const void* frame_address) {
  const NativeReturn to = ReturnOf(frame_address);
  return CallWalker::Start{to.pc, to.sp, 0};
}

Result<AgentOptions> ParseOptions(const char* text) {
  Result<AgentOptions> options = AgentOptions::Parse(text == nullptr ? "" : text);
  if (options) return options;
  return Status::Error("the agent's options: " + std::string(options.message()) +
                       "; nothing is recorded");
}

RecordingAnswer ObeyOptions(JavaVM* vm, const char* text) {
  const auto failed = [](Status why) {
    return RecordingAnswer{.status = std::move(why), .facts = {}, .rest = {}};
  };
  const Result<AgentOptions> options = ParseOptions(text);
  if (!options) return failed(options.status());
  const Result<Agent*> agent = Agent::Create(vm);
  if (!agent) return failed(agent.status());
  JNIEnv* jni = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_10) != JNI_OK) {
    return failed(Status::Error("this JVM gives no JNI environment; nothing is recorded"));
  }
  return agent.value()->recordings().Obey(jni, *options);
}

BytecodeMemory& Memory() { return Agent::Get()->recordings().bytecode(); }

// Whether the probe class has the agent's layout of the memory that they share; throws if not.
bool HasLayout(JNIEnv* jni, jlong layout, uint64_t expected) {
  if (static_cast<uint64_t>(layout) == expected) return true;
  jni->ThrowNew(jni->FindClass("java/lang/InternalError"), "Yieldpoint's layouts differ");
  return false;
}

void MarkTest(JNIEnv* jni, TestMarks::Kind kind, jstring name) {
  Agent* const agent = Agent::Get();
  Session* const session = agent == nullptr ? nullptr : agent->recordings().latest();
  if (session == nullptr || name == nullptr) return;
  const char* const text = jni->GetStringUTFChars(name, nullptr);
  if (text == nullptr) return;
  yp::Guarded([&] { session->Mark(kind, text); });
  jni->ReleaseStringUTFChars(name, text);
}

}  // namespace
}  // namespace yp::hotspot

using yp::Log;
using yp::MethodId;
using yp::Result;
using yp::Status;
using yp::hotspot::Agent;
using yp::hotspot::AgentOptions;
using yp::hotspot::HasLayout;
using yp::hotspot::MarkTest;
using yp::hotspot::Memory;
using yp::hotspot::Mode;
using yp::hotspot::ObeyOptions;
using yp::hotspot::ParseOptions;
using yp::hotspot::RecordingAnswer;
using yp::hotspot::TestMarks;
using yp::hotspot::WriteReply;

extern "C" {

// Whatever goes wrong, the program runs: an error here would keep the JVM from starting.
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  yp::Guarded([&] {
    const Result<AgentOptions> options = ParseOptions(text);
    if (!options) return Log(options.message());
    const Result<Agent*> agent = Agent::Create(vm);
    if (!agent) return Log(agent.message());
    agent.value()->StartAtVmInit(*options);
  });
  return JNI_OK;
}

// Here an error is the answer to whoever attaches: in the file for it, or else in the log.
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* text, void*) {
  jint code = JNI_ERR;
  yp::Guarded([&] {
    RecordingAnswer answer = ObeyOptions(vm, text);
    if (answer.status.ok()) code = JNI_OK;
    const Status refused = answer.status;
    const std::string reply = yp::ValueInOptionString(text == nullptr ? "" : text, "reply");
    if (!reply.empty() && WriteReply(reply, std::move(answer))) return;
    if (!refused) Log(refused.message());
  });
  return code;
}

JNIEXPORT jlong JNICALL Java_java_lang_YieldpointProbe_controlAddress(JNIEnv* jni, jclass,
                                                                      jlong layout) {
  if (!HasLayout(jni, layout, yp::hotspot::kSharedLayout)) return 0;
  return reinterpret_cast<jlong>(&Memory().control());
}

JNIEXPORT jlong JNICALL Java_java_lang_YieldpointProbe_tableAddress(JNIEnv*, jclass) {
  return reinterpret_cast<jlong>(Agent::Get()->recordings().thread_table());
}

JNIEXPORT jlong JNICALL Java_java_lang_YieldpointProbe_discoveryAddress(JNIEnv* jni, jclass,
                                                                        jlong layout) {
  if (!HasLayout(jni, layout, yp::hotspot::kDiscoveryLayout)) return 0;
  return reinterpret_cast<jlong>(Memory().discovery_tables());
}

JNIEXPORT jlong JNICALL Java_java_lang_YieldpointProbe_contextAddress(JNIEnv* jni, jclass,
                                                                      jlong layout) {
  if (!HasLayout(jni, layout, yp::hotspot::ContextCounts::kLayout)) return 0;
  return reinterpret_cast<jlong>(Memory().context_counts()->address());
}

JNIEXPORT jint JNICALL Java_java_lang_YieldpointProbe_newContext(JNIEnv* jni, jclass, jint method,
                                                                 jlong thread_id) {
  int32_t context = yp::hotspot::ContextCounts::kLost;
  yp::Guarded([&] {
    if (Mode* mode = Agent::Get()->mode()) {
      context = mode->OnNewContext(jni, MethodId{static_cast<uint32_t>(method)}, thread_id);
    }
  });
  return context;
}

JNIEXPORT void JNICALL Java_java_lang_YieldpointProbe_reached(JNIEnv* jni, jclass, jint site,
                                                              jlong thread_id) {
  yp::Guarded([&] {
    if (Mode* mode = Agent::Get()->mode()) mode->OnSite(jni, site, thread_id);
  });
}

JNIEXPORT void JNICALL Java_java_lang_YieldpointProbe_discovered(JNIEnv* jni, jclass, jint method,
                                                                 jint site, jlong thread_id) {
  const auto start = yp::hotspot::StartHere(__builtin_frame_address(0));
  yp::Guarded([&] {
    if (Mode* mode = Agent::Get()->mode()) {
      mode->OnDiscovery(jni, MethodId{static_cast<uint32_t>(method)}, site, thread_id, start);
    }
  });
}

JNIEXPORT void JNICALL Java_java_lang_YieldpointProbe_received(JNIEnv* jni, jclass,
                                                               jobject receiver, jint site,
                                                               jlong thread_id) {
  if (receiver == nullptr) return;  // Priming.
  yp::Guarded([&] {
    if (Mode* mode = Agent::Get()->mode()) mode->OnReceiver(jni, receiver, site, thread_id);
  });
}

JNIEXPORT void JNICALL Java_java_lang_YieldpointProbe_reflect(JNIEnv* jni, jclass, jobject member) {
  if (member == nullptr) return;  // Priming.
  yp::Guarded([&] {
    if (Mode* mode = Agent::Get()->mode()) mode->OnReflection(jni, member);
  });
}

JNIEXPORT void JNICALL Java_java_lang_YieldpointProbe_sample(JNIEnv* jni, jclass, jint method,
                                                             jlong thread_id) {
  const auto start = yp::hotspot::StartHere(__builtin_frame_address(0));
  yp::Guarded([&] {
    if (Mode* mode = Agent::Get()->mode()) {
      mode->OnArmedCall(jni, MethodId{static_cast<uint32_t>(method)}, thread_id, start);
    }
  });
}

JNIEXPORT void JNICALL Java_java_lang_YieldpointProbe_count(JNIEnv* jni, jclass, jint method,
                                                            jint site, jlong thread_id) {
  const auto start = yp::hotspot::StartHere(__builtin_frame_address(0));
  yp::Guarded([&] {
    if (Mode* mode = Agent::Get()->mode()) {
      mode->OnExactCall(jni, MethodId{static_cast<uint32_t>(method)}, site, thread_id, start);
    }
  });
}

// The VM looks for natives in the libraries of its agents as well: these are found by any class of
// that name, whatever its loader.
JNIEXPORT void JNICALL Java_yieldpoint_Tests_begin(JNIEnv* jni, jclass, jstring name) {
  MarkTest(jni, TestMarks::Kind::kBegin, name);
}

JNIEXPORT void JNICALL Java_yieldpoint_Tests_end(JNIEnv* jni, jclass, jstring name) {
  MarkTest(jni, TestMarks::Kind::kEnd, name);
}

JNIEXPORT void JNICALL Java_yieldpoint_Tests_prepare(JNIEnv* jni, jclass, jstring name) {
  MarkTest(jni, TestMarks::Kind::kPrepare, name);
}

JNIEXPORT void JNICALL Java_yieldpoint_Tests_rest(JNIEnv* jni, jclass, jstring name) {
  MarkTest(jni, TestMarks::Kind::kRest, name);
}

}  // extern "C"
