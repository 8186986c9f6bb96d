// The same library as an agent of the JVM's, where calls are to be recorded: it hears of the
// program's threads from their starts on. An error of its own never keeps the program from running.
#include "compiler/bridge/agent.h"

#include <jni.h>
#include <jvmti.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/bridge/edge_finding.h"
#include "core/options/config_keys.h"
#include "core/options/option_string.h"
#include "recorder/guarded.h"
#include "recorder/log.h"
#include "recorder/process_facts.h"

namespace yp::compiler {
namespace {

SystemClock the_clock;
// Never destroyed: threads of the program may outlive exit().
Recording* the_recording = nullptr;
jvmtiEnv* the_jvmti = nullptr;

// System.getProperty: JVMTI gives few of them.
std::string Property(JNIEnv* jni, const char* name) {
  std::string text;
  const jclass system = jni->FindClass("java/lang/System");
  const jmethodID get =
      system == nullptr
          ? nullptr
          : jni->GetStaticMethodID(system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;");
  const jstring key = get == nullptr ? nullptr : jni->NewStringUTF(name);
  if (key != nullptr) {
    const auto value = static_cast<jstring>(jni->CallStaticObjectMethod(system, get, key));
    const char* const characters = jni->ExceptionCheck() || value == nullptr
                                       ? nullptr
                                       : jni->GetStringUTFChars(value, nullptr);
    if (characters != nullptr) {
      text = characters;
      jni->ReleaseStringUTFChars(value, characters);
    }
  }
  jni->ExceptionClear();
  return text;
}

spool::Config DescribeJvm(JNIEnv* jni) {
  spool::Config config;
  const auto add = [&](const char* key, std::string value) {
    config.entries.emplace_back(key, std::move(value));
  };
  if (jni->PushLocalFrame(16) == 0) {
    add(config_key::kJvmName, Property(jni, "java.vm.name"));
    add(config_key::kJvmVersion, Property(jni, "java.runtime.version"));
    add(config_key::kJvmVendor, Property(jni, "java.vendor"));
    add(config_key::kCommand, Property(jni, "sun.java.command"));
    jni->PopLocalFrame(nullptr);
  }
  jni->ExceptionClear();
  for (auto& [key, value] : ProcessFacts()) add(key.c_str(), std::move(value));
  return config;
}

std::string NameOf(JNIEnv* jni, jthread thread) {
  jvmtiThreadInfo info{};
  if (the_jvmti->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return "";
  std::string name = info.name == nullptr ? "" : info.name;
  the_jvmti->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
  if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
  return name;
}

void JNICALL OnThreadStart(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Guarded([&] { the_recording->OnThreadStart(jni, NameOf(jni, thread)); });
}

void JNICALL OnThreadEnd(jvmtiEnv*, JNIEnv*, jthread) {
  Guarded([] { the_recording->OnThreadEnd(); });
}

// The main thread's; some JVMs tell of its start as well.
void JNICALL OnVmInit(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Guarded([&] {
    if (const Status started = the_recording->Start(DescribeJvm(jni)); !started) {
      return Log(started.message());
    }
    the_recording->OnThreadStart(jni, NameOf(jni, thread));
  });
}

// How many methods the loaded classes have, the compiler's own and those of method handles apart:
// by this the methods that nobody calls are known.
void AddLoadedMethods(JNIEnv* jni, spool::Config& facts) {
  jint count = 0;
  jclass* classes = nullptr;
  if (the_jvmti->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) return;
  int64_t of_library = 0, of_program = 0;
  for (jint i = 0; i < count; ++i) {
    char* signature = nullptr;
    jint method_count = 0;
    jmethodID* methods = nullptr;
    jobject loader = nullptr;
    if (the_jvmti->GetClassSignature(classes[i], &signature, nullptr) == JVMTI_ERROR_NONE &&
        the_jvmti->GetClassLoader(classes[i], &loader) == JVMTI_ERROR_NONE &&
        the_jvmti->GetClassMethods(classes[i], &method_count, &methods) == JVMTI_ERROR_NONE) {
      const std::string_view name(signature);
      const bool is_own = name.starts_with("Ljdk/vm/ci/") ||
                          name.starts_with("Lyieldpoint/compiler/") ||
                          name.starts_with("Ljava/lang/invoke/LambdaForm$");
      if (!is_own) (loader == nullptr ? of_library : of_program) += method_count;
    }
    the_jvmti->Deallocate(reinterpret_cast<unsigned char*>(signature));
    the_jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
    if (loader != nullptr) jni->DeleteLocalRef(loader);
    jni->DeleteLocalRef(classes[i]);
  }
  the_jvmti->Deallocate(reinterpret_cast<unsigned char*>(classes));
  facts.entries.emplace_back(config_key::kLoadedLibraryMethods, std::to_string(of_library));
  facts.entries.emplace_back(config_key::kLoadedProgramMethods, std::to_string(of_program));
}

void JNICALL OnVmDeath(jvmtiEnv*, JNIEnv* jni) {
  Guarded([&] {
    spool::Config facts = TargetFacts();
    if (!facts.entries.empty()) AddLoadedMethods(jni, facts);
    the_recording->End(facts);
  });
}

// By the VM's thread, before the safepoint ends.
void JNICALL OnCollectionEnd(jvmtiEnv*) { OnCollection(); }

Status Load(JavaVM* vm, const char* text) {
  Result<RecordingOptions> options = ParseOptionString(text == nullptr ? "" : text);
  if (!options) return options.status();
  if (options->mode == RecordingOptions::Mode::kTimer) {
    options->policy.kind = PolicyOptions::Kind::kTimer;
  }
  if (vm->GetEnv(reinterpret_cast<void**>(&the_jvmti), JVMTI_VERSION_11) != JNI_OK) {
    return Status::Error("this JVM has no JVMTI");
  }
  Result<std::unique_ptr<Recording>> recording = Recording::Open(*options, the_clock);
  if (!recording) return recording.status();
  std::vector<jvmtiEvent> events = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                    JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END};
  if (options->mode == RecordingOptions::Mode::kEdges) {
    jvmtiCapabilities capabilities{};
    capabilities.can_generate_garbage_collection_events = 1;
    if (the_jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
      return Status::Error("this JVM does not tell of collections");
    }
    events.push_back(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
  }
  jvmtiEventCallbacks callbacks{};
  callbacks.GarbageCollectionFinish = &OnCollectionEnd;
  callbacks.VMInit = &OnVmInit;
  callbacks.VMDeath = &OnVmDeath;
  callbacks.ThreadStart = &OnThreadStart;
  callbacks.ThreadEnd = &OnThreadEnd;
  the_recording = std::move(recording).value().release();
  bool ok = the_jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) == JVMTI_ERROR_NONE;
  for (const jvmtiEvent event : events) {
    ok =
        ok && the_jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) == JVMTI_ERROR_NONE;
  }
  return ok ? Status::Ok() : Status::Error("this JVM refuses events");
}

}  // namespace

Recording* TheRecording() { return the_recording; }

}  // namespace yp::compiler

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  yp::Guarded([&] {
    const yp::Status loaded = yp::compiler::Load(vm, text);
    if (!loaded) yp::Log("calls are not recorded: " + std::string(loaded.message()));
  });
  return JNI_OK;
}
