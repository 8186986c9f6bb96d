#include "hotspot/recording/compiler_recording.h"

#include <ctime>

#include "core/options/config_keys.h"
#include "hotspot/jit/earlier_code.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "recorder/log.h"

namespace yp::hotspot {
namespace {

// Empty where that cannot be read.
std::vector<spool::EarlierCode> CodeBeforeNow(const CodeCache* code_cache) {
  if (code_cache == nullptr) return {};
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) return {};
  Result<std::vector<spool::EarlierCode>> listed = ListCode(*structs, *code_cache);
  if (!listed) {
    Log("what was compiled before is not recorded: " + std::string(listed.message()));
    return {};
  }
  return std::move(listed).value();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> RecordCompilers(JNIEnv* jni, Session& session,
                                                                 Clock& clock,
                                                                 const CodeCache* code_cache,
                                                                 const std::string& spool) {
  if (!session.options().jit) return {};
  CompilerThreads threads(clock.NowNs() - session.start_ns());
  Result<std::unique_ptr<FlightRecording>> started = FlightRecording::Start(jni, spool + ".jfr");
  if (!started) {
    const std::string why(started.message());
    Log("what the compilers do is not recorded: " + why + "; goes on without");
    return {{config_key::kJit, config_key::kNoneBecause + why}};
  }
  const std::string repository = started.value()->repository();
  session.RecordCompilersWith(std::move(started).value(), std::move(threads),
                              CodeBeforeNow(code_cache));
  const int64_t started_ns = clock.NowNs() - session.start_ns();
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const int64_t epoch_ns = int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec - started_ns;
  return {{config_key::kJit, "jfr"},
          {config_key::kJitRepository, repository},
          {config_key::kJitEpochNs, std::to_string(epoch_ns)},
          {config_key::kJitStartedNs, std::to_string(started_ns)}};
}

}  // namespace yp::hotspot
