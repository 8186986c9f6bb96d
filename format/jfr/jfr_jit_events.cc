#include "format/jfr/jfr_jit_events.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <unordered_map>
#include <utility>

#include "core/graph/class_name.h"

namespace yp::jfr {
namespace {

// Indices of kWanted.
enum WantedType : size_t {
  kCompilation,
  kFailure,
  kInlining,
  kDeoptimization,
  kActiveSetting,
  kDataLoss,
  kJvmInformation,
  kWantedTypes,
};
constexpr std::array<std::string_view, kWantedTypes> kWanted = {
    "jdk.Compilation",   "jdk.CompilationFailure", "jdk.CompilerInlining", "jdk.Deoptimization",
    "jdk.ActiveSetting", "jdk.DataLoss",           "jdk.JVMInformation",
};

std::string TextOf(const Value& value) { return value.Text().value_or(""); }

int32_t Int32Of(const Value& value, int32_t otherwise) {
  return static_cast<int32_t>(value.Integer().value_or(otherwise));
}

// Unsigned in some JDKs and signed in others; never negative.
int64_t CompileIdOf(const Event& event) {
  return static_cast<uint32_t>(event["compileId"].Integer().value_or(0));
}

std::string ThreadOf(const Event& event) {
  const Value thread = event["eventThread"];
  std::string name = TextOf(thread["javaName"]);
  return name.empty() ? TextOf(thread["osName"]) : name;
}

// The loader of a class of the constant pool: empty when the class is not known.
std::string LoaderOf(const Value& type) {
  if (!type["name"].Text()) return "";
  const Value loader = type["classLoader"];
  std::string name = TextOf(loader["name"]);
  if (!name.empty()) return name;
  name = TextOf(loader["type.name"]);
  return name.empty() ? "bootstrap" : ReportedClassName(name);
}

class JitReader {
 public:
  explicit JitReader(JitEventSink& sink) : sink_(sink) {}

  void On(const Event& event) {
    switch (event.wanted_index()) {
      case kCompilation:
        return OnCompilation(event);
      case kFailure:
        return OnFailure(event);
      case kInlining:
        return OnInlining(event);
      case kDeoptimization:
        return OnDeoptimization(event);
      case kActiveSetting:
        return OnSetting(event);
      case kDataLoss:
        recording_.lost_bytes += static_cast<uint64_t>(event["amount"].Integer().value_or(0));
        return;
      case kJvmInformation:
        recording_.jvm_version = TextOf(event["jvmVersion"]);
        return;
      default:
        return;
    }
  }

  JitRecording Finish(FileInfo file) {
    for (JitCompilation& compilation : unexplained_) sink_.On(std::move(compilation));
    recording_.failures_without_compilation = reasons_.size();
    for (size_t i = 0; i <= kDeoptimization; ++i) KeepingOf(i)->is_known = file.is_known[i];
    recording_.file = std::move(file);
    return std::move(recording_);
  }

 private:
  EventKeeping* KeepingOf(size_t wanted_index) {
    switch (wanted_index) {
      case kCompilation:
        return &recording_.compilations;
      case kFailure:
        return &recording_.failures;
      case kInlining:
        return &recording_.inlinings;
      case kDeoptimization:
        return &recording_.deoptimizations;
      default:
        return nullptr;
    }
  }

  // A method of the constant pool; nothing and counted when that does not name it. Names are put
  // together once a chunk: recordings have many inlinings of few methods.
  const JitMethod* MethodOf(const Event& event, std::string_view field) {
    if (event.chunk() != methods_chunk_) methods_.clear();
    methods_chunk_ = event.chunk();
    const Value value = event[field];
    const std::optional<int64_t> key = value.constant_key();
    const auto known = key ? methods_.find(*key) : methods_.end();
    if (known != methods_.end()) return &known->second;
    const Value type = value["type"];
    const std::optional<std::string> class_name = type["name"].Text();
    const std::optional<std::string> name = value["name"].Text();
    if (!key || !class_name || !name) {
      ++recording_.events_without_method;
      return nullptr;
    }
    JitMethod method;
    method.full_name = ReportedClassName(*class_name) + "." + *name + TextOf(value["descriptor"]);
    method.loader = LoaderOf(type);
    return &methods_.emplace(*key, std::move(method)).first->second;
  }

  void OnCompilation(const Event& event) {
    ++recording_.compilations.events;
    const JitMethod* const method = MethodOf(event, "method");
    if (method == nullptr) return;
    JitCompilation compilation;
    compilation.compile_id = CompileIdOf(event);
    compilation.method = *method;
    compilation.is_osr = event["isOsr"].Integer().value_or(0) != 0;
    compilation.level = Int32Of(event["compileLevel"], 0);
    compilation.compiler = TextOf(event["compiler"]);
    compilation.thread = ThreadOf(event);
    compilation.thread_id = event["eventThread"]["osThreadId"].Integer();
    compilation.start_ns = event.start_ns();
    compilation.end_ns = event.end_ns();
    // JFR's own spelling comes first; no JDK so far has the other.
    const std::optional<int64_t> succeeded = event["succeded"].Integer();
    compilation.succeeded = succeeded.value_or(event["succeeded"].Integer().value_or(1)) != 0;
    compilation.code_bytes = event["codeSize"].Integer();
    compilation.inlined_bytes = event["inlinedBytes"].Integer();
    if (compilation.succeeded) return sink_.On(std::move(compilation));
    const auto reason = reasons_.find(compilation.compile_id);
    if (reason == reasons_.end()) {
      unexplained_.push_back(std::move(compilation));
      return;
    }
    compilation.failure = std::move(reason->second);
    reasons_.erase(reason);
    sink_.On(std::move(compilation));
  }

  // HotSpot tells it before the compilation, from the same thread.
  void OnFailure(const Event& event) {
    ++recording_.failures.events;
    const int64_t compile_id = CompileIdOf(event);
    std::string reason = TextOf(event["failureMessage"]);
    const auto it = std::ranges::find(unexplained_, compile_id, &JitCompilation::compile_id);
    if (it == unexplained_.end()) {
      reasons_.insert_or_assign(compile_id, std::move(reason));
      return;
    }
    it->failure = std::move(reason);
    sink_.On(std::move(*it));
    unexplained_.erase(it);
  }

  void OnInlining(const Event& event) {
    ++recording_.inlinings.events;
    const JitMethod* const caller = MethodOf(event, "caller");
    if (caller == nullptr) return;
    const Value callee = event["callee"];
    const std::optional<std::string> class_name = callee["type"].Text();
    const std::optional<std::string> name = callee["name"].Text();
    if (!class_name || !name) {
      ++recording_.events_without_method;
      return;
    }
    JitInlining inlining;
    inlining.compile_id = CompileIdOf(event);
    inlining.caller = *caller;
    inlining.bci = Int32Of(event["bci"], kNoBci);
    inlining.callee.full_name =
        ReportedClassName(*class_name) + "." + *name + TextOf(callee["descriptor"]);
    inlining.succeeded = event["succeeded"].Integer().value_or(0) != 0;
    inlining.reason = TextOf(event["message"]);
    sink_.On(std::move(inlining));
  }

  void OnDeoptimization(const Event& event) {
    ++recording_.deoptimizations.events;
    const JitMethod* const method = MethodOf(event, "method");
    if (method == nullptr) return;
    JitDeoptimization deoptimization;
    deoptimization.time_ns = event.start_ns();
    deoptimization.compile_id = CompileIdOf(event);
    deoptimization.method = *method;
    deoptimization.bci = Int32Of(event["bci"], kNoBci);
    deoptimization.line = std::max(0, Int32Of(event["lineNumber"], 0));
    deoptimization.reason = TextOf(event["reason"]);
    deoptimization.action = TextOf(event["action"]);
    deoptimization.thread = ThreadOf(event);
    sink_.On(std::move(deoptimization));
  }

  void OnSetting(const Event& event) {
    const std::string_view type = event.TypeName(event["id"].Integer().value_or(-1));
    const auto index = static_cast<size_t>(std::ranges::find(kWanted, type) - kWanted.begin());
    EventKeeping* const keeping = KeepingOf(index);
    if (keeping == nullptr) return;
    const std::string name = TextOf(event["name"]), value = TextOf(event["value"]);
    if (name == "enabled") {
      keeping->is_enabled = keeping->is_enabled.value_or(false) || value == "true";
    } else if (name == "threshold") {
      const std::optional<int64_t> ns = ParseThresholdNs(value);
      if (ns) keeping->threshold_ns = std::max(*ns, keeping->threshold_ns.value_or(0));
    }
  }

  JitEventSink& sink_;
  JitRecording recording_;
  int64_t methods_chunk_ = -1;
  std::unordered_map<int64_t, JitMethod> methods_;    // By the constant's key.
  std::unordered_map<int64_t, std::string> reasons_;  // By compilation, of those not met yet.
  std::vector<JitCompilation> unexplained_;           // Failed, nobody has said why.
};

template <typename Read>
Result<JitRecording> ReadWith(JitEventSink& sink, Read read) {
  JitReader reader(sink);
  Result<FileInfo> file = read([&reader](const Event& event) { reader.On(event); });
  if (!file) return file.status();
  return reader.Finish(*std::move(file));
}

}  // namespace

Result<JitRecording> ReadJitEvents(const std::string& path, JitEventSink& sink) {
  return ReadWith(sink, [&](const std::function<void(const Event&)>& handler) {
    return ReadFile(path, kWanted, handler);
  });
}

Result<JitRecording> ReadJitEvents(std::span<const uint8_t> bytes, const std::string& name,
                                   JitEventSink& sink) {
  return ReadWith(sink, [&](const std::function<void(const Event&)>& handler) {
    return ReadBytes(bytes, name, kWanted, handler);
  });
}

std::optional<int64_t> ParseThresholdNs(std::string_view text) {
  constexpr std::pair<std::string_view, int64_t> kUnits[] = {
      {"ns", 1},
      {"us", 1'000},
      {"ms", 1'000'000},
      {"s", 1'000'000'000},
      {"m", 60'000'000'000},
      {"h", 3'600'000'000'000},
      {"d", 86'400'000'000'000},
  };
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(rest, static_cast<size_t>(end - rest));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  int64_t ns = 0;
  for (const auto& [name, unit_ns] : kUnits) {
    if (unit == name && !__builtin_mul_overflow(number, unit_ns, &ns)) return ns;
  }
  return std::nullopt;
}

}  // namespace yp::jfr
