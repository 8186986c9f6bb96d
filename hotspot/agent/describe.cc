#include "hotspot/agent/describe.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

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

std::string Joined(const std::vector<std::string>& globs) {
  std::string joined;
  for (const std::string& glob : globs) joined += (joined.empty() ? "" : " ") + glob;
  return joined;
}

}  // namespace

std::string Property(jvmtiEnv* jvmti, const char* name) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE || value == nullptr) return "";
  std::string copy = value;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(value));
  return copy;
}

spool::Config DescribeSession(jvmtiEnv* jvmti, JNIEnv* jni, const Session& session,
                              const char* walk) {
  const AgentOptions& options = session.options();
  spool::Config config;
  const auto add = [&](const char* key, std::string value) {
    config.entries.emplace_back(key, std::move(value));
  };
  const bool sampled = !CountsCalls(options.mode);
  add("mode", ToString(options.mode));
  add("probe", session.probe().name());
  add("walk", walk);
  if (options.mode == AgentOptions::Mode::kPatching) {
    add("samples", std::to_string(options.policy.samples));
  } else if (sampled && options.probe != AgentOptions::Probe::kNone) {
    const bool countdown = options.policy.kind == PolicyOptions::Kind::kCountdown;
    const bool timer = options.policy.kind == PolicyOptions::Kind::kTimer;
    add("armed_call_ps", std::to_string(session.probe().observed_call_ps()));
    add("slow_path_ps", std::to_string(session.probe().slow_path_ps()));
    add("policy", countdown ? "countdown" : timer ? "timer" : "cbs");
    add("continuous", session.is_continuous() ? "yes" : "no");
    if (session.at_entries()) add("infer", Infers(options) ? "yes" : "no");
    if (countdown) {
      add("interval", std::to_string(options.policy.mean_interval));
    } else {
      const bool by_timer = options.trigger == AgentOptions::Trigger::kIntervalTimer;
      add("trigger", by_timer ? "setitimer" : "nanosleep");
      add("mechanism", "polling");
      if (!session.has_budget()) add("tick_ns", std::to_string(options.tick_ns));
      add("stride", std::to_string(timer ? 1 : options.policy.stride));
      add("samples", std::to_string(timer ? 1 : options.policy.samples));
      add("delay", std::to_string(timer ? 0 : options.policy.delay));
      add("correct", std::string(ToString(options.correction)));
    }
  }
  if (const Probe::CallCost cost = session.probe().cost_of_counting(); cost.plain_ps > 0) {
    add("counting.call_ps", std::to_string(cost.counted_ps));
    add("counting.plain_call_ps", std::to_string(cost.plain_ps));
  }
  if (CountsContexts(options)) add("contexts", "calls");
  if (SamplesContexts(options)) {
    add("contexts", "sampled_calls");
    add("stack_every", std::to_string(options.stack_every));
  }
  if (session.has_budget()) {
    add("budget_ppm", std::to_string(std::lround(options.budget * 1e6)));
  }
  add("scope", ToString(options.scope));
  add("include", Joined(options.include));
  add("exclude", Joined(options.exclude));
  const bool leaves_trivial = options.skip_trivial && !session.at_entries();
  add("trivial", leaves_trivial ? "exclude" : "include");
  add("jvm.name", Property(jvmti, "java.vm.name"));
  add("jvm.version", JavaProperty(jni, "java.runtime.version"));
  add("jvm.vendor", JavaProperty(jni, "java.vendor"));
  add("jvm.pid", std::to_string(getpid()));
  add("command", JavaProperty(jni, "sun.java.command"));
  utsname machine{};
  uname(&machine);
  add("machine", std::string(machine.nodename) + " " + machine.machine + " " + machine.sysname +
                     " " + machine.release + ", " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) +
                     " processors");
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  add("start_time_ns",
      std::to_string(static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec));
  return config;
}

}  // namespace yp::hotspot
