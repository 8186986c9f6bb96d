#include "hotspot/recording/recordings.h"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <utility>

#include "core/options/config_keys.h"
#include "hotspot/probes/entry/refusals.h"
#include "hotspot/recording/compiler_recording.h"
#include "hotspot/recording/describe.h"
#include "hotspot/vmstructs/vm_flags.h"
#include "recorder/guarded.h"
#include "recorder/log.h"
#include "recorder/part_files.h"
#include "recorder/triggers/call_counters.h"

namespace yp::hotspot {
namespace {

// How long one waits for another thread that is ending a recording: longer than it takes to take
// the probes out of any program's classes.
constexpr std::chrono::seconds kEndPatience{30};
// Calls from one sample to the next, by countdown: an armed call costs 0.3 ns at a compiled entry
// and 3 ns in a rewritten class, a sample some 300 ns.
constexpr uint32_t kIntervalAtEntries = 1009, kIntervalInClasses = 251;
// At entries that are still patched when a recording has ended, before a thread asks again.
constexpr int64_t kCallsBetweenRecordings = 1000;

// Has the processor count the session's calls, if it has windows and the machine allows it. What
// is to be said of that: the event, or "none" and why; nothing where it is not asked for.
std::string CountCalls(Session& session) {
  const AgentOptions& options = session.options();
  const PerfEvent event = options.CallEvent();
  if (!options.HasWindows() || event.name.empty()) return "";
  auto counters = std::make_unique<CallCounters>(event);
  if (const Status there = counters->Check(); !there) {
    const std::string why(there.message());
    if (options.call_counter_is_wanted) {
      Log("calls are not counted by the processor: " + why + "; goes on without");
    }
    return config_key::kNoneBecause + why;
  }
  session.CountCallsWith(std::move(counters));
  return event.name;
}

}  // namespace

Recordings::Recordings(Jvm& jvm, const VmStructs& structs, std::optional<CodeCache> code_cache,
                       std::unique_ptr<ThreadRegistry> threads)
    : jvm_(jvm),
      threads_(std::move(threads)),
      code_cache_(std::move(code_cache)),
      walker_(jvm.jvmti(), registry_, code_cache_, drops_),
      recorded_threads_(jvm.jvmti(), clock_, *threads_),
      bytecode_(),
      probes_(HostOfProbes(structs), MakeEntryWalker(structs)),
      host_of_modes_(HostOfModes()),
      stacks_(jvm, this->code_cache(), clock_, registry_, drops_, walker_),
      vm_counts_(this->code_cache(), jvm.feature_version(), clock_) {}

Status Recordings::MakeEntryWalker(const VmStructs& structs) {
  if (!code_cache_) return Status::Error("the VM's code cache cannot be read");
  auto made = EntryWalker::Create(structs, *code_cache_, jvm_.feature_version(), registry_);
  if (!made) return made.status();
  entry_walker_ = std::move(made).value();
  return Status::Ok();
}

ProbeHost Recordings::HostOfProbes(const VmStructs& structs) {
  return {.jvm = jvm_,
          .code_cache = code_cache(),
          .collector_patches_code = ReadVmFlag(structs, "UseZGC").value_or(true) ||
                                    ReadVmFlag(structs, "UseShenandoahGC").value_or(false),
          .clock = clock_,
          .threads = *threads_,
          .registry = registry_,
          .drops = drops_,
          .entry_handler = *this,
          .bytecode = bytecode_,
          .on_redefinition = [this] { walker_.OnRedefinition(); },
          .id_of =
              [this](JNIEnv* env, jmethodID method) {
                const auto walked = walker_.methods().Resolve(env, method);
                return walked == nullptr ? kNoMethod : walked->id;
              }};
}

RecordingHost Recordings::HostOfModes() {
  return {.jvmti = jvm_.jvmti(),
          .clock = clock_,
          .threads = recorded_threads_,
          .registry = registry_,
          .drops = drops_,
          .walker = walker_,
          .entry_walker = entry_walker_.get()};
}

Status Recordings::WaitForPrevious() {
  if (vm_has_ended_) return Status::Error(Jvm::kNotAtThisMoment);
  Session* const previous = latest();
  if (previous == nullptr) return Status::Ok();
  if (!previous->is_active()) previous->WaitUntilEnded(kEndPatience);
  if (!previous->has_ended()) {
    return Status::Error("a recording is under way in this JVM (process " +
                         std::to_string(getpid()) + "); stop it first");
  }
  previous->StopDrainThread();
  return Status::Ok();
}

Status Recordings::Start(JNIEnv* jni, const AgentOptions& asked) {
  const std::lock_guard lock(mutex_);
  if (Status may_begin = WaitForPrevious(); !may_begin) return may_begin;
  if (asked.spool.empty() && !last_options_) {
    return Status::Error(
        "nothing was recorded in this JVM before, which could go on: say where to "
        "record to, with --spool");
  }
  AgentOptions options = asked.spool.empty() ? *last_options_ : asked;
  options.reply.clear();
  options.spool = AbsolutePattern(options.spool);
  std::optional<PartFiles> parts;
  if (options.loop_ns) parts.emplace(options.spool, getpid());
  const std::time_t now = std::time(nullptr);
  const std::string path =
      parts ? parts->NewPath(now) : ExpandPattern(options.spool, getpid(), now);
  Result<std::unique_ptr<spool::SpoolWriter>> writer = spool::SpoolWriter::Open(
      path, parts ? spool::SpoolWriter::Mode::kCreateNew : spool::SpoolWriter::Mode::kTruncate);
  if (!writer) return writer.status();
  if (Status found = jvm_.FindPlatformLoader(jni); !found) return found;

  if (options.tests) {
    if (Status added = jvm_.AddToClassPath("yieldpoint-junit.jar"); !added) {
      Log(std::string(added.message()) + "; which test runs is not known");
    }
  }

  const auto id = static_cast<uint32_t>(sessions_.size() + 1);
  const bool is_vm_start = !jvm_.is_attached() && id == 1;
  drops_.Reset();
  registry_.Retell();
  // Every thread begins anew, with a state of the size that this recording's mode takes.
  threads_->HideAll();
  recorded_threads_.Begin(is_vm_start);

  const Result<ProbeRegistry::Choice> choice = probes_.Choose(jni, options);
  if (!choice) return choice.status();
  const auto& [probe, at_entries] = *choice;
  AgentOptions chosen = options;
  if (!options.interval_is_given) {
    chosen.policy.mean_interval = at_entries ? kIntervalAtEntries : kIntervalInClasses;
  }
  if (at_entries) {
    const ClassFilter filter(options);
    PackageSet packages;
    if (!filter.observes_jdk()) packages = PackagesOfLoader(jni, jvm_.platform_loader());
    entry_walker_->Begin(filter, std::move(packages),
                         {options.Infers(), options.SamplesContexts()});
  }
  sessions_.push_back(std::make_unique<Session>(id, chosen, clock_, *probe, at_entries, *threads_,
                                                registry_, drops_, std::move(writer).value()));
  Session& session = *sessions_.back();
  session.WriteTo(path, std::move(parts));
  last_options_ = options;
  if (at_entries && options.Infers()) vm_counts_.ReadIn(session, *entry_walker_, is_vm_start);
  Result<spool::Config> facts = Prepare(jni, session, path);
  Status started = facts ? StartSession(jni, session, std::move(facts).value()) : facts.status();
  return started ? started : GiveUp(jni, session, std::move(started));
}

Result<spool::Config> Recordings::Prepare(JNIEnv* jni, Session& session, const std::string& spool) {
  const AgentOptions& options = session.options();
  stacks_.ForgetLabels();
  if (options.stacks != AgentOptions::Stacks::kNone || options.SamplesContexts()) {
    Result<std::unique_ptr<StackRecording>> stacks = stacks_.New(jni, session, options);
    if (!stacks) return stacks.status();
    session.TakeStacksWith(std::move(stacks).value());
  }
  if (options.CountsContexts()) {
    session.CountContextsWith(
        std::make_unique<CountedContexts>(*bytecode_.context_counts(), registry_));
  }
  spool::Config facts;
  const auto compilers = RecordCompilers(jni, session, clock_, code_cache(), spool);
  const std::string call_counter = CountCalls(session);
  if (session.at_entries() && !CheckCompiles(*code_cache_)) {
    facts.entries.emplace_back(config_key::kCompiles, "no");
  }
  if (!call_counter.empty()) facts.entries.emplace_back(config_key::kCallCounter, call_counter);
  facts.entries.insert(facts.entries.end(), compilers.begin(), compilers.end());
  if (stacks_.labels()) facts.entries.emplace_back(config_key::kJitCode, "yes");
  return facts;
}

Status Recordings::StartSession(JNIEnv* jni, Session& session, spool::Config facts) {
  session.Observe(NewMode(host_of_modes_, session));
  latest_.store(&session, std::memory_order_release);  // Partner: latest's acquire.
  if (!session.at_entries()) {
    // With the session there: its first calls come while it is being put in.
    if (Status installed = session.probe().Install(jni); !installed) {
      return Status::Error(std::string(installed.message()) + "; nothing is recorded");
    }
  }
  const char* walk = session.at_entries() ? "frames" : walker_.remembers() ? "memoised" : "jvmti";
  spool::Config config = DescribeSession(jvm_.jvmti(), jni, session, walk);
  config.entries.insert(config.entries.end(), facts.entries.begin(), facts.entries.end());
  return session.Start(config, [this, &session] { EndOnDrainThread(session); });
}

Status Recordings::GiveUp(JNIEnv* jni, Session& session, Status why) {
  if (session.BeginEnd()) {
    session.Disarm();
    session.StopDrainThread();
    session.probe().Remove(jni);
    session.StopFlightRecording(jni);
    vm_counts_.GiveUp();
    session.EndDone();
  }
  return why;
}

void Recordings::End(Session& session, JNIEnv* jni) {
  session.Disarm();
  session.probe().Remove(jni);
  session.Finish();
  if (jni != nullptr) session.StopFlightRecording(jni);
  stacks_.End();
  session.EndDone();
}

void Recordings::EndOnThisThread(Session& session, JNIEnv* jni) {
  session.Disarm();  // The drain's last round may take long.
  session.StopDrainThread();
  End(session, jni);
}

void Recordings::EndOnDrainThread(Session& session) {
  if (!session.BeginEnd()) return;
  jvm_.AsJavaThread([&](JNIEnv* jni) { End(session, jni); });
}

Status Recordings::Stop(JNIEnv* jni) {
  const std::lock_guard lock(mutex_);
  Session* const session = latest();
  if (session == nullptr || session->has_ended()) {
    if (vm_has_ended_) return Status::Ok();  // And with it the recording.
    return Status::Error("no recording is under way in process " + std::to_string(getpid()));
  }
  if (session->BeginEnd()) {
    EndOnThisThread(*session, jni);
  } else {
    session->WaitUntilEnded(kEndPatience);
  }
  return Status::Ok();
}

void Recordings::OnVmDeath() {
  const std::lock_guard lock(mutex_);
  vm_has_ended_ = true;
  Session* const session = latest();
  if (session == nullptr) return;
  if (session->BeginEnd()) {
    EndOnThisThread(*session, nullptr);
  } else {
    session->WaitUntilEnded(kEndPatience);
  }
}

bool Recordings::OnEntry(const EntryCall& call) {
  Session* const session = latest();
  if (session == nullptr || !session->is_active()) {
    // Until the entries are as before: below zero each call would come here.
    EntryCountdown().store(kCallsBetweenRecordings, std::memory_order_relaxed);
    return true;
  }
  bool is_wanted = true;
  Guarded([&] { is_wanted = session->mode()->OnEntry(call); });
  return is_wanted;
}

void Recordings::OnCountedEntry(const EntryCall& call) {
  Session* const session = latest();
  if (session == nullptr || !session->is_active()) return;
  Guarded([&] { session->mode()->OnCountedEntry(call); });
}

}  // namespace yp::hotspot
