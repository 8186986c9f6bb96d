#include "hotspot/probes/probe_registry.h"

#include <iterator>
#include <string>
#include <utility>

#include "hotspot/probes/bytecode/bytecode_probe.h"
#include "hotspot/probes/entry/entry_probes.h"
#include "hotspot/probes/entry/refusals.h"
#include "hotspot/probes/no_probe.h"
#include "recorder/log.h"

namespace yp::hotspot {
namespace {

enum class Where { kAtEntries, kInClasses, kNowhere };
enum class Sees { kAllCallsThere, kSomeCalls };
enum class Lives { kForTheProcess, kForOneRecording };

}  // namespace

struct ProbeRegistry::Row {
  AgentOptions::Probe kind;
  const char* what;  // As it is told where it cannot be used.
  Where where;
  Sees sees;  // Whether mode exact can do with it.
  Lives lives;
  std::unique_ptr<Probe> (*make)(const ProbeHost& host, JNIEnv* jni, const AgentOptions& options);
};

// Where the choice is left, the first that can be used is taken.
const ProbeRegistry::Row ProbeRegistry::kProbes[] = {
    {AgentOptions::Probe::kPatch, "patched entries", Where::kAtEntries, Sees::kAllCallsThere,
     Lives::kForTheProcess, &MakePatchProbe},
    {AgentOptions::Probe::kBarrier, "the entry barrier", Where::kAtEntries, Sees::kSomeCalls,
     Lives::kForTheProcess, &MakeBarrierProbe},
    {AgentOptions::Probe::kBytecode, "rewritten classes", Where::kInClasses, Sees::kAllCallsThere,
     Lives::kForOneRecording, &BytecodeProbe::Make},
    {AgentOptions::Probe::kNone, "no probe", Where::kNowhere, Sees::kSomeCalls,
     Lives::kForTheProcess, &NoProbe::Make},
};

Probe& ProbeRegistry::Get(size_t row, JNIEnv* jni, const AgentOptions& options) {
  static_assert(std::size(kProbes) <= kMaxProbes);
  if (of_process_[row] != nullptr) return *of_process_[row];
  made_.push_back(kProbes[row].make(host_, jni, options));
  Probe& made = *made_.back();
  if (kProbes[row].lives == Lives::kForTheProcess) of_process_[row] = &made;
  return made;
}

// What compilers do is recorded without calls as well, and of classes as they are.
Status ProbeRegistry::CheckCompilesFor(const AgentOptions& options) const {
  if (host_.code_cache == nullptr || options.jit) return Status::Ok();
  return CheckCompiles(*host_.code_cache);
}

Result<ProbeRegistry::Choice> ProbeRegistry::Choose(JNIEnv* jni, const AgentOptions& options) {
  const bool any = options.probe == AgentOptions::Probe::kAuto;
  const Status compiles = CheckCompilesFor(options);
  std::string told;  // What holds for several probes is told once.
  for (size_t i = 0; i < std::size(kProbes); ++i) {
    const Row& row = kProbes[i];
    const bool may_be =
        row.where != Where::kNowhere &&
        (row.sees == Sees::kAllCallsThere || options.mode != AgentOptions::Mode::kExact);
    if (any ? !may_be : row.kind != options.probe) continue;
    if (row.where != Where::kAtEntries) return Choice{&Get(i, jni, options), false};
    if (any && !compiles) continue;  // Rewritten classes see what is interpreted.
    Status installed = !entries_refused_ ? entries_refused_ : compiles;
    if (installed.ok()) {
      Probe& probe = Get(i, jni, options);
      probe.Configure(options);
      installed = probe.Install(jni);
      if (installed.ok()) return Choice{&probe, true};
    }
    const std::string why =
        std::string(row.what) + " cannot be used: " + std::string(installed.message());
    if (!any) return Status::Error(why + "; nothing is recorded");
    if (std::exchange(told, installed.message()) != installed.message()) Log(why);
  }
  return Status::Error("there is no such probe; nothing is recorded");
}

}  // namespace yp::hotspot
