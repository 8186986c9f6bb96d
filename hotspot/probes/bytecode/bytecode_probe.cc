#include "hotspot/probes/bytecode/bytecode_probe.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/zeroed_pages.h"
#include "core/options/config_keys.h"
#include "hotspot/probes/bytecode/bytecode_memory.h"
#include "hotspot/probes/bytecode/loaded_class.h"
#include "hotspot/probes/bytecode/probe_calibration.h"
#include "hotspot/probes/bytecode/probe_class.h"
#include "hotspot/probes/bytecode/security_manager.h"
#include "hotspot/support/loaded_classes.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

// A retransformation stops the program; a batch bounds how long.
constexpr size_t kRetransformBatch = 64;

std::unique_ptr<EdgeDiscovery> MakeDiscovery(const BytecodeProbe::Purpose& purpose) {
  if (purpose.probing != Probing::kEdges) return nullptr;
  return std::make_unique<EdgeDiscovery>(*purpose.tables);
}

}  // namespace

BytecodeProbe::BytecodeProbe(Vm vm, ControlBlock& control, const ClassFilter& filter,
                             Purpose purpose, MethodRegistry& registry, Drops& drops)
    : vm_(std::move(vm)),
      control_(control),
      filter_(filter),
      probing_(purpose.probing),
      discovery_(MakeDiscovery(purpose)),
      instrumenter_(filter_, purpose.probing, purpose.skip_trivial, registry, drops,
                    {discovery(), std::move(purpose.jdk_packages)}),
      linking_loaders_(vm_.jvmti),
      registry_(registry),
      drops_(drops) {}

std::unique_ptr<Probe> BytecodeProbe::Make(const ProbeHost& host, JNIEnv* jni,
                                           const AgentOptions& options) {
  BytecodeMemory& memory = host.bytecode;
  const ClassFilter filter(options);
  Purpose purpose;
  purpose.skip_trivial = options.skip_trivial;
  if (options.mode == AgentOptions::Mode::kExact) {
    purpose.probing = options.CountsContexts() ? Probing::kContexts : Probing::kExact;
  }
  if (options.mode == AgentOptions::Mode::kEdges) {
    purpose.probing = Probing::kEdges;
    ZeroPages(memory.discovery_tables(), sizeof(DiscoveryTables));
    purpose.tables = memory.discovery_tables();
    if (!filter.observes_jdk()) purpose.jdk_packages = host.jvm.JdkPackages(jni);
  }
  // The probe's class asks for their address when it is initialised.
  memory.MakeContextCounts();
  Vm vm{.jvmti = host.jvm.jvmti(),
        .jdk_feature_version = host.jvm.feature_version(),
        .is_attached = host.jvm.is_attached(),
        .may_rewrite_running = options.force || MayRewriteRunningMethods(host.jvm.feature_version(),
                                                                         host.jvm.update()),
        .has_program = host.jvm.has_program(),
        .platform_loader = host.jvm.platform_loader(),
        .on_redefinition = host.on_redefinition,
        .id_of = host.id_of,
        .as_java_thread = [&jvm = host.jvm](const auto& run) { jvm.AsJavaThread(run); }};
  auto probe = std::make_unique<BytecodeProbe>(std::move(vm), memory.control(), filter,
                                               std::move(purpose), host.registry, host.drops);
  memory.Use(*probe);
  return probe;
}

Status BytecodeProbe::TakeCapabilities() {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_retransform_classes = 1;
  capabilities.can_get_bytecodes = 1;
  capabilities.can_get_source_file_name = 1;
  capabilities.can_get_line_numbers = 1;
  return vm_.jvmti->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE
             ? Status::Ok()
             : Status::Error("this JVM does not let agents rewrite classes");
}

Status BytecodeProbe::Install(JNIEnv* jni) {
  // Mode edges rewrites classes while they run.
  if (!vm_.may_rewrite_running && (vm_.has_program || discovery_ != nullptr)) {
    return Status::Error(
        "a JDK " + std::to_string(vm_.jdk_feature_version) +
        " as old as this one may crash when classes are rewritten whose methods are running: take "
        "an update (of JDK 11, 11.0.4 or later), or --probe patch; --force does it");
  }
  if (Status taken = TakeCapabilities(); !taken) return taken;
  control_.tick.store(0, std::memory_order_relaxed);
  if (vm_.is_attached) {
    if (Status found = ProbeClass::LetNativesBeFound(jni); !found) return found;
  }
  if (Status defined = ProbeClass::Define(jni, vm_.jdk_feature_version); !defined) return defined;
  if (Status defined = ProbeCalibration::Define(jni, vm_.jdk_feature_version); !defined) {
    return defined;
  }
  if (Status primed = Prime(jni); !primed) return primed;
  AskSecurityManager(vm_.jvmti, jni, [&](jobject loader) {
    return linking_loaders_.Links(jni, loader, ProbeClass::Get());
  });
  if (Status enabled = EnableEvents(); !enabled) return enabled;
  if (discovery_ != nullptr) discovery_->Begin();
  rewrites_.store(true, std::memory_order_release);
  RetransformObserved(jni);
  if (discovery_ != nullptr) {
    TakeInPreparedClasses(jni);
    OpenCallsOfOldFrames(jni);
  }
  return Status::Ok();
}

Status BytecodeProbe::Prime(JNIEnv* jni) {
  if (probing_ != Probing::kSampling) return PrimeToCount(jni);
  if (Status primed = ProbeCalibration::PrimeCheck(jni); !primed) return primed;
  const Result<int64_t> ps = ProbeCalibration::ArmedCallPs(jni);
  if (!ps) return ps.status();
  observed_call_ps_ = *ps;
  const Result<int64_t> slow_path_ps = ProbeCalibration::SlowPathPs(jni);
  if (!slow_path_ps) return slow_path_ps.status();
  slow_path_ps_ = *slow_path_ps;
  return Status::Ok();
}

Status BytecodeProbe::PrimeToCount(JNIEnv* jni) {
  const Status primed = probing_ == Probing::kExact   ? ProbeCalibration::PrimeExact(jni)
                        : probing_ == Probing::kEdges ? ProbeCalibration::PrimeEdges(jni)
                                                      : ProbeCalibration::PrimeContexts(jni);
  if (!primed) return primed;
  const auto cost = probing_ == Probing::kExact   ? ProbeCalibration::ExactCallCost(jni)
                    : probing_ == Probing::kEdges ? ProbeCalibration::EdgeCallCost(jni)
                                                  : ProbeCalibration::ContextCallCost(jni);
  if (!cost) return cost.status();
  if (*cost) cost_of_counting_ = {(*cost)->added_ps, (*cost)->plain_ps};
  return Status::Ok();
}

Status BytecodeProbe::EnableEvents() {
  const auto enable = [&](jvmtiEvent event) {
    return vm_.jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) == JVMTI_ERROR_NONE;
  };
  if (!enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) ||
      (discovery_ != nullptr && !enable(JVMTI_EVENT_CLASS_PREPARE))) {
    return Status::Error("the JVM refuses the events of classes");
  }
  return Status::Ok();
}

void BytecodeProbe::Remove(JNIEnv* jni) {
  if (!rewrites_.exchange(false, std::memory_order_acq_rel)) return;
  vm_.jvmti->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE, nullptr);
  if (jni != nullptr && vm_.may_rewrite_running) RetransformObserved(jni);
  if (discovery_ != nullptr) discovery_->End();
}

void BytecodeProbe::Arm(uint32_t tick, Countdown countdown) {
  // A thread that has another one in its state begins anew.
  const uint32_t asks_for = countdown == Countdown::kBegins ? tick : kOnlyTick;
  control_.tick.store(asks_for, std::memory_order_relaxed);
  control_.armed.store(1, std::memory_order_release);  // Not before the tick's other words.
}

void BytecodeProbe::Maintain() {
  if (discovery_ == nullptr) return;
  discovery_->Settle();
  const std::vector<std::string> classes = discovery_->TakeClassesToRewrite();
  if (classes.empty()) return;
  vm_.as_java_thread([&](JNIEnv* jni) {
    if (jni == nullptr) return;
    Retransform(jni, [&](const std::string& name, bool) {
      return std::binary_search(classes.begin(), classes.end(),
                                ReportedClassName('L' + name + ';'));
    });
    discovery_->OnRewritten();
  });
}

std::vector<std::pair<std::string, std::string>> BytecodeProbe::Facts() const {
  const Instrumenter::Methods methods = instrumenter_.CountMethods();
  std::vector<std::pair<std::string, std::string>> facts = {
      {config_key::kProbeMethods, std::to_string(methods.all)},
      {config_key::kProbeMethodsLeft, std::to_string(methods.left)}};
  if (instrumenter_.ListsAllMethods()) {
    facts.emplace_back(config_key::kProbeMethodsListed, "all");
  }
  if (discovery_ == nullptr) return facts;
  const EdgeDiscovery::Counts counts = discovery_->Count();
  facts.insert(facts.end(),
               {{"edges.call_sites", std::to_string(counts.sites)},
                {"edges.call_sites_not_run", std::to_string(counts.sites_not_run)},
                {"edges.call_sites_announcing", std::to_string(counts.announcing_sites)},
                {"edges.open_methods", std::to_string(counts.open_methods)},
                {config_key::kProbeUnexecutedListed, "all"},
                {"edges.receiver_calls", std::to_string(counts.receiver_sites)}});
  return facts;
}

void BytecodeProbe::OnClassPrepared(JNIEnv* jni, jclass type) {
  if (discovery_ == nullptr || !rewrites_.load(std::memory_order_acquire)) return;
  const std::string name = InternalNameOf(vm_.jvmti, type);
  if (name.empty()) return;
  if (!discovery_->IsDefined(name)) {
    // The program's, and no class file was shown: hidden. Lambdas' proxies walks look through.
    jobject loader = nullptr;
    const bool is_hidden = vm_.jvmti->GetClassLoader(type, &loader) == JVMTI_ERROR_NONE &&
                           !IsJdkLoader(jni, loader) && !IsHiddenGlue('L' + name + ';');
    if (loader != nullptr) jni->DeleteLocalRef(loader);
    const std::optional<ClassShape> shape =
        is_hidden ? ShapeOf(vm_.jvmti, jni, type) : std::nullopt;
    if (!shape) return;
    discovery_->Define(*shape, {}, {});
  }
  DefineAncestors(jni, type);
  discovery_->Prepare(name);
}

void BytecodeProbe::DefineAncestors(JNIEnv* jni, jclass type) {
  for (const jclass supertype : SupertypesOf(vm_.jvmti, jni, type)) {
    const std::string name = InternalNameOf(vm_.jvmti, supertype);
    if (!discovery_->IsDefined(name)) {
      DefineAncestors(jni, supertype);
      if (const std::optional<ClassShape> shape = ShapeOf(vm_.jvmti, jni, supertype)) {
        discovery_->Define(*shape, {}, {});
        discovery_->Prepare(name);
      }
    }
    jni->DeleteLocalRef(supertype);
  }
}

void BytecodeProbe::TakeInPreparedClasses(JNIEnv* jni) {
  const LoadedClasses loaded(vm_.jvmti, jni);
  for (const jclass type : loaded.all()) {
    jint status = 0;
    if (vm_.jvmti->GetClassStatus(type, &status) == JVMTI_ERROR_NONE &&
        (status & JVMTI_CLASS_STATUS_PREPARED) != 0) {
      OnClassPrepared(jni, type);
    }
  }
}

void BytecodeProbe::OpenCallsOfOldFrames(JNIEnv* jni) {
  constexpr jint kMaxFrames = 1024;
  jint count = 0;
  JvmtiOwned<jvmtiStackInfo> stacks(vm_.jvmti);
  if (vm_.jvmti->GetAllStackTraces(kMaxFrames, stacks.out(), &count) != JVMTI_ERROR_NONE) return;
  std::unordered_set<MethodId> callers;
  for (jint i = 0; i < count; ++i) {
    const jvmtiStackInfo& stack = stacks.get()[i];
    for (jint k = 0; k < stack.frame_count; ++k) {
      const jmethodID method = stack.frame_buffer[k].method;
      jboolean is_obsolete = JNI_FALSE;
      const bool is_old =
          vm_.jvmti->IsMethodObsolete(method, &is_obsolete) == JVMTI_ERROR_NONE && is_obsolete;
      if (is_old) callers.insert(vm_.id_of(jni, method));
    }
    jni->DeleteLocalRef(stack.thread);
  }
  for (const int32_t site : registry_.SitesOf(callers)) discovery_->OpenSite(site);
}

bool BytecodeProbe::IsJdkLoader(JNIEnv* jni, jobject loader) const {
  return loader == nullptr || jni->IsSameObject(loader, vm_.platform_loader) == JNI_TRUE;
}

void BytecodeProbe::RewriteLoadedClass(JNIEnv* jni, jclass redefined, jobject loader,
                                       const char* name, std::span<const unsigned char> bytes,
                                       jint* new_size, unsigned char** new_bytes) {
  if (redefined != nullptr) vm_.on_redefinition();
  if (!rewrites_.load(std::memory_order_acquire)) return;
  const bool of_jdk = IsJdkLoader(jni, loader);
  if (name != nullptr && instrumenter_.Ignores(name, of_jdk)) return;
  const bool links = of_jdk || linking_loaders_.Links(jni, loader, ProbeClass::Get());
  const std::optional<std::vector<uint8_t>> rewritten = instrumenter_.Rewrite(bytes, of_jdk, links);
  if (!rewritten) return;
  unsigned char* copy = nullptr;
  if (vm_.jvmti->Allocate(static_cast<jlong>(rewritten->size()), &copy) != JVMTI_ERROR_NONE) return;
  std::memcpy(copy, rewritten->data(), rewritten->size());
  *new_size = static_cast<jint>(rewritten->size());
  *new_bytes = copy;
}

void BytecodeProbe::RetransformObserved(JNIEnv* jni) {
  Retransform(jni, [this](const std::string& name, bool of_jdk) {
    return !instrumenter_.Ignores(name, of_jdk);
  });
}

void BytecodeProbe::Retransform(JNIEnv* jni, const IsWanted& is_wanted) {
  const LoadedClasses loaded(vm_.jvmti, jni);
  std::vector<jclass> wanted;
  for (const jclass type : loaded.all()) {
    jboolean modifiable = JNI_FALSE;
    jobject loader = nullptr;
    if (vm_.jvmti->IsModifiableClass(type, &modifiable) == JVMTI_ERROR_NONE && modifiable &&
        vm_.jvmti->GetClassLoader(type, &loader) == JVMTI_ERROR_NONE) {
      const std::string name = InternalNameOf(vm_.jvmti, type);
      if (!name.empty() && is_wanted(name, IsJdkLoader(jni, loader))) {
        // Its loader's code should not run while the VM is about to redefine the class.
        if (rewrites_.load(std::memory_order_relaxed)) {
          linking_loaders_.Links(jni, loader, ProbeClass::Get());
        }
        wanted.push_back(type);
      }
    }
    if (loader != nullptr) jni->DeleteLocalRef(loader);
  }
  for (size_t begin = 0; begin < wanted.size(); begin += kRetransformBatch) {
    const size_t n = std::min(kRetransformBatch, wanted.size() - begin);
    const bool all =
        vm_.jvmti->RetransformClasses(static_cast<jint>(n), &wanted[begin]) == JVMTI_ERROR_NONE;
    // One class spoils its batch: find it.
    for (size_t i = begin; !all && i < begin + n; ++i) {
      if (vm_.jvmti->RetransformClasses(1, &wanted[i]) != JVMTI_ERROR_NONE) {
        drops_.Add(Drop::kClassNotRewritten);
      }
    }
    // The hook has told before the new versions were there: a walk may have met old ones since.
    vm_.on_redefinition();
  }
}

}  // namespace yp::hotspot
