#include "compiler/bridge/edge_finding.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "core/options/config_keys.h"
#include "recorder/guarded.h"

namespace yp::compiler {
namespace {

class Listener final : public EdgeListener {
 public:
  explicit Listener(Recording& recording) : recording_(recording) {}
  // The compiler runs JDK methods, too, which call its own.
  MethodId IdOf(const yp::Method& method) override {
    const bool is_own = method.class_name.starts_with("jdk.vm.ci.") ||
                        method.class_name.starts_with("yieldpoint.compiler.");
    return is_own ? kNoMethod : recording_.graph().AddMethod(method);
  }
  void OnNewEdge(uint32_t site, MethodId callee) override {
    if (callee != kNoMethod) recording_.OnEdge(site, callee);
  }

 private:
  Recording& recording_;
};

// Never destroyed: compiled code outlives exit().
std::atomic<CodeTargets*> the_targets{nullptr};

}  // namespace

Result<CodeTargets*> FindEdges(const VmLayout& vm, Recording& recording, uint64_t object) {
  const auto loaders = FindLoaderList(reinterpret_cast<const void*>(vm.monitor_enter));
  if (!loaders) return loaders.status();
  if (object == 0) return Status::Error("this JVM does not say where java.lang.Object is");
  auto* const listener = new Listener(recording);
  Result<std::unique_ptr<CodeTargets>> targets =
      CodeTargets::Make(vm, *loaders, object, recording.options().inlined_targets, *listener);
  if (!targets) return targets.status();
  // Partner: OnCollection's acquire.
  the_targets.store(std::move(targets).value().release(), std::memory_order_release);
  return the_targets.load(std::memory_order_relaxed);
}

spool::Config TargetFacts() {
  spool::Config facts;
  CodeTargets* const targets = the_targets.load(std::memory_order_acquire);
  if (targets == nullptr) return facts;
  const CodeTargets::Counts counts = targets->counts();
  for (const auto& [key, count] : {std::pair(config_key::kTargetsCalls, counts.calls),
                                   {config_key::kTargetsWithoutIndex, counts.without_index},
                                   {config_key::kTargetsArrays, counts.arrays},
                                   {config_key::kTargetsThunks, counts.thunks},
                                   {config_key::kTargetsClasses, counts.classes}}) {
    facts.entries.emplace_back(key, std::to_string(count));
  }
  return facts;
}

void OnCollection() {
  CodeTargets* const targets = the_targets.load(std::memory_order_acquire);
  if (targets != nullptr) Guarded([&] { targets->OnCollection(); });
}

}  // namespace yp::compiler
