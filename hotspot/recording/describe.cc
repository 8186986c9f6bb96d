#include "hotspot/recording/describe.h"

#include <utility>

#include "core/options/config_keys.h"
#include "core/options/option_description.h"
#include "hotspot/support/jvm.h"
#include "recorder/process_facts.h"

namespace yp::hotspot {
namespace {

// System.getProperty, for what only the Java side knows.
std::string JavaProperty(JNIEnv* jni, const char* name) {
  std::string result;
  if (jni->PushLocalFrame(8) != 0) {
    jni->ExceptionClear();
    return result;
  }
  const jclass system = jni->FindClass("java/lang/System");
  const jmethodID get = system == nullptr ? nullptr
                                          : jni->GetStaticMethodID(system, "getProperty",
                                                                   "(Ljava/lang/String;)Ljava/lang/"
                                                                   "String;");
  const jstring key = get == nullptr ? nullptr : jni->NewStringUTF(name);
  if (key != nullptr) {
    const auto value = static_cast<jstring>(jni->CallStaticObjectMethod(system, get, key));
    if (!jni->ExceptionCheck() && value != nullptr) {
      if (const char* text = jni->GetStringUTFChars(value, nullptr)) {
        result = text;
        jni->ReleaseStringUTFChars(value, text);
      }
    }
  }
  jni->ExceptionClear();
  jni->PopLocalFrame(nullptr);
  return result;
}

}  // namespace

spool::Config DescribeSession(jvmtiEnv* jvmti, JNIEnv* jni, const Session& session,
                              const char* walk) {
  const AgentOptions& options = session.options();
  spool::Config config;
  const auto add = [&](const char* key, std::string value) {
    config.entries.emplace_back(key, std::move(value));
  };
  AgentOptions told = options;
  told.trivial = !options.skip_trivial || session.at_entries();
  const RecordingFacts facts{.at_entries = session.at_entries(),
                             .has_budget = session.has_budget()};
  config.entries = DescribeOptions(told, facts);
  add(config_key::kProbe, session.probe().name());
  add(config_key::kWalk, walk);
  if (options.SamplesCalls() && options.probe != AgentOptions::Probe::kNone) {
    add(config_key::kArmedCallPs, std::to_string(session.probe().observed_call_ps()));
    add(config_key::kSlowPathPs, std::to_string(session.probe().slow_path_ps()));
    add(config_key::kContinuous, session.is_continuous() ? "yes" : "no");
  }
  if (options.HasWindows()) add(config_key::kMechanism, "polling");
  if (const Probe::CallCost cost = session.probe().cost_of_counting(); cost.plain_ps > 0) {
    add(config_key::kCountingCallPs, std::to_string(cost.counted_ps));
    add(config_key::kCountingPlainCallPs, std::to_string(cost.plain_ps));
  }
  if (options.CountsContexts()) add(config_key::kContexts, "calls");
  if (options.SamplesContexts()) add(config_key::kContexts, "sampled_calls");
  add(config_key::kJvmName, SystemProperty(jvmti, "java.vm.name"));
  add(config_key::kJvmVersion, JavaProperty(jni, "java.runtime.version"));
  add(config_key::kJvmVendor, JavaProperty(jni, "java.vendor"));
  add(config_key::kCommand, JavaProperty(jni, "sun.java.command"));
  for (auto& [key, value] : ProcessFacts()) add(key.c_str(), std::move(value));
  return config;
}

}  // namespace yp::hotspot
