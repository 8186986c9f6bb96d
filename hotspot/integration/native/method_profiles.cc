// What programs.Profiled asks of the VM: what it has counted in methods, and what their calls call.

#include <jni.h>
#include <time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/call_resolver.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/guarded_blocks.h"
#include "hotspot/vmstructs/guarded_memory.h"
#include "hotspot/vmstructs/method_data_reader.h"
#include "hotspot/vmstructs/method_reader.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {
namespace {

// Of the calling thread.
int64_t CpuMicros() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000 + time.tv_nsec / 1000;
}

class Profiles {
 public:
  // An error where something is not found in the VM.
  static Result<std::unique_ptr<Profiles>> Create(int jdk_feature_version);

  Status ChooseLayout() { return profiles_->ChooseLayout(methods_); }
  // A line of JSON for each compiled method of that class.
  std::string Describe(std::string_view class_name) const;
  // One for all compiled methods: how many of their profiles were read, and how their calls were
  // resolved.
  std::string Summary() const;

 private:
  std::string DescribeMethod(const void* method, const MethodProfile& profile) const;
  std::string Name(const void* method) const;

  std::optional<GuardedMemory> memory_;
  std::unique_ptr<GuardedBlocks> blocks_;
  std::optional<MethodReader> names_;
  std::optional<MethodDataReader> profiles_;
  std::optional<CallResolver> calls_;
  int64_t method_data_ = 0;
  std::vector<const void*> methods_;
};

Result<std::unique_ptr<Profiles>> Profiles::Create(int jdk_feature_version) {
  auto result = std::make_unique<Profiles>();
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) return structs.status();
  const Result<CodeCache> code_cache = CodeCache::Create(*structs);
  if (!code_cache) return code_cache.status();
  Result<GuardedMemory> memory = GuardedMemory::Create();
  if (!memory) return memory.status();
  result->memory_.emplace(*std::move(memory));
  result->blocks_ = std::make_unique<GuardedBlocks>(*result->memory_);
  Result<MethodReader> names = MethodReader::Create(*structs, jdk_feature_version);
  if (!names) return names.status();
  result->names_.emplace(*std::move(names));
  Result<MethodDataReader> profiles = MethodDataReader::Create(*structs, *result->blocks_);
  if (!profiles) return profiles.status();
  result->profiles_.emplace(*std::move(profiles));
  Result<CallResolver> calls = CallResolver::Create(*structs, *result->blocks_);
  if (!calls) return calls.status();
  result->calls_.emplace(*std::move(calls));
  result->method_data_ = structs->Find("Method", "_method_data")->offset;
  std::unordered_set<const void*> seen;
  code_cache->ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    // One that is in the making or made not entrant may name none, or one that is gone.
    if (!compilation.is_in_use || compilation.method == nullptr) return;
    if (seen.insert(compilation.method).second) result->methods_.push_back(compilation.method);
  });
  return result;
}

std::string Profiles::Name(const void* method) const {
  if (method == nullptr) return "null";
  std::string name = "\"";
  name += names_->ClassName(method);
  name += '.';
  name += names_->Name(method);
  return name + '"';
}

std::string Profiles::DescribeMethod(const void* method, const MethodProfile& profile) const {
  std::string line = "{\"method\": " + Name(method) +
                     ", \"invocations\": " + std::to_string(profile.invocations) +
                     ", \"backedges\": " + std::to_string(profile.backedges) + ", \"sites\": [";
  const std::optional<CallResolver::Caller> caller = calls_->Open(method);
  const char* comma = "";
  for (const MethodProfile::CallSite& site : profile.sites) {
    const std::optional<InvokeSite> invoke = caller ? caller->SiteAt(site.bci) : std::nullopt;
    line += comma + ("{\"bci\": " + std::to_string(site.bci)) +
            ", \"calls\": " + std::to_string(site.calls) +
            ", \"bound\": " + Name(invoke ? calls_->BoundCallee(*caller, *invoke) : nullptr) +
            ", \"receivers\": [";
    comma = ", ";
    const char* receiver_comma = "";
    for (const MethodProfile::Receiver& receiver : profile.ReceiversOf(site)) {
      const void* callee = invoke ? calls_->Callee(*caller, *invoke, receiver.klass) : nullptr;
      line += receiver_comma + ("{\"calls\": " + std::to_string(receiver.calls)) +
              ", \"callee\": " + Name(callee) + "}";
      receiver_comma = ", ";
    }
    line += "]}";
  }
  return line + "]}\n";
}

std::string Profiles::Describe(std::string_view class_name) const {
  blocks_->Forget();
  std::string lines;
  for (const void* method : methods_) {
    if (names_->ClassName(method) != class_name) continue;
    const std::optional<MethodProfile> profile = profiles_->Read(method);
    if (profile) lines += DescribeMethod(method, *profile);
  }
  return lines;
}

std::string Profiles::Summary() const {
  int64_t with_data = 0, read = 0, sites = 0, unlike_code = 0, bound = 0, not_bound = 0;
  int64_t receivers = 0, not_selected = 0;
  for (const void* method : methods_) {
    with_data += memory_->Get<const void*>(method, method_data_).value_or(nullptr) != nullptr;
  }
  blocks_->Forget();
  int64_t begin = CpuMicros();
  const std::vector<std::optional<MethodProfile>> profiles = profiles_->ReadAll(methods_);
  const auto read_micros = CpuMicros() - begin;
  begin = CpuMicros();
  for (size_t i = 0; i < profiles.size(); ++i) {
    if (!profiles[i]) continue;
    ++read;
    const std::optional<CallResolver::Caller> caller = calls_->Open(methods_[i]);
    const auto sites_of_code = caller ? FindInvokeSites(caller->code) : std::nullopt;
    unlike_code += !sites_of_code || sites_of_code->size() != profiles[i]->sites.size();
    for (const MethodProfile::CallSite& site : profiles[i]->sites) {
      const std::optional<InvokeSite> invoke = caller ? caller->SiteAt(site.bci) : std::nullopt;
      unlike_code += !invoke;
      if (!invoke || site.calls == 0 || invoke->kind == InvokeSite::Kind::kDynamic ||
          invoke->kind == InvokeSite::Kind::kHandle) {
        continue;
      }
      ++sites;
      if (!site.is_virtual) {
        ++(calls_->BoundCallee(*caller, *invoke) != nullptr ? bound : not_bound);
      }
      for (const MethodProfile::Receiver& receiver : profiles[i]->ReceiversOf(site)) {
        ++receivers;
        not_selected += calls_->Callee(*caller, *invoke, receiver.klass) == nullptr;
      }
    }
  }
  const auto resolve_micros = CpuMicros() - begin;
  std::string line = "{";
  for (const auto& [name, value] : std::vector<std::pair<std::string, int64_t>>{
           {"methods", static_cast<int64_t>(methods_.size())},
           {"with_data", with_data},
           {"read", read},
           {"sites", sites},
           {"unlike_code", unlike_code},
           {"bound", bound},
           {"not_bound", not_bound},
           {"receivers", receivers},
           {"not_selected", not_selected},
           {"read_micros", read_micros},
           {"resolve_micros", resolve_micros}}) {
    line += (line.size() > 1 ? ", \"" : "\"") + name + "\": " + std::to_string(value);
  }
  return line + "}\n";
}

}  // namespace
}  // namespace yp::hotspot

// The profiles of that class's methods, or all profiles summed up; else one line that says why not.
extern "C" JNIEXPORT jstring JNICALL Java_programs_Profiled_read(JNIEnv* jni, jclass,
                                                                 jstring class_name,
                                                                 jint jdk_feature_version) {
  using yp::hotspot::Profiles;
  using yp::hotspot::VmStructs;
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK) return nullptr;
  VmStructs::UseLibraryOf(reinterpret_cast<const void*>(vm->functions->GetEnv));
  const yp::Result<std::unique_ptr<Profiles>> profiles = Profiles::Create(jdk_feature_version);
  if (!profiles) return jni->NewStringUTF(std::string(profiles.message()).c_str());
  const yp::Status chosen = (*profiles)->ChooseLayout();
  if (!chosen) return jni->NewStringUTF(std::string(chosen.message()).c_str());
  if (class_name == nullptr) return jni->NewStringUTF((*profiles)->Summary().c_str());
  const char* name = jni->GetStringUTFChars(class_name, nullptr);
  if (name == nullptr) return nullptr;
  const std::string lines = (*profiles)->Describe(name);
  jni->ReleaseStringUTFChars(class_name, name);
  return jni->NewStringUTF(lines.c_str());
}
