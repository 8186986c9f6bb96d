#include "hotspot/probes/barrier/barrier_probe.h"

#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "hotspot/arch/arch.h"
#include "hotspot/probes/barrier/barrier_checks.h"
#include "hotspot/probes/barrier/vm_events.h"
#include "hotspot/probes/entry/entry_probes.h"
#include "hotspot/probes/entry/refusals.h"
#include "recorder/log.h"

namespace yp::hotspot {
namespace {

constexpr int kTriesToCompile = 100;

// Calls a small method some hundred times; any would do.
void RunSomething(JNIEnv* jni) {
  jclass math = jni->FindClass("java/lang/Math");
  jmethodID method = math == nullptr ? nullptr : jni->GetStaticMethodID(math, "floorDiv", "(II)I");
  for (jint i = 0; method != nullptr && i < 500; ++i) jni->CallStaticIntMethod(math, method, i, 3);
  jni->ExceptionClear();
  if (math != nullptr) jni->DeleteLocalRef(math);
}

BarrierSurvey SurveyOf(const CodeCache& code_cache, uintptr_t stub) {
  BarrierSurvey survey(stub);
  code_cache.ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    if (!compilation.is_in_use || compilation.is_osr) return;
    survey.Add(compilation.verified_entry,
               {reinterpret_cast<const uint8_t*>(compilation.verified_entry),
                compilation.code_end - compilation.verified_entry});
  });
  return survey;
}

}  // namespace

BarrierProbe::BarrierProbe(const CodeCache& code_cache, Options options)
    : code_cache_(code_cache), options_(std::move(options)) {}

std::unique_ptr<Probe> MakeBarrierProbe(const ProbeHost& host, JNIEnv*, const AgentOptions&) {
  return std::make_unique<BarrierProbe>(
      *host.code_cache, BarrierProbe::Options{.jdk = host.jvm.feature_version(),
                                              .collector_patches_code = host.collector_patches_code,
                                              .handler = &host.entry_handler,
                                              .begin_counting = [&threads = host.threads] {
                                                threads.SetCallsLeft(0);
                                              }});
}

Status BarrierProbe::Install(JNIEnv* jni) {
  has_given_up_ = false;
  BarrierHook().samples.store(0, std::memory_order_relaxed);
  BarrierHook().undecodable.store(0, std::memory_order_relaxed);
  Status status = Check(jni);
  if (status) status = Hook();
  if (status) {
    is_installed_ = true;
  } else {
    Remove(jni);
  }
  return status;
}

Status BarrierProbe::Check(JNIEnv* jni) {
  if (Status status = CheckJdk(options_.jdk, force_); !status) return status;
  // The hook's way to serialise is a return of another kind.
  if (Status stack = CheckNoShadowStack(ReadProcFile("/proc/self/status")); !stack) return stack;
  const Result<VmEvents*> vm = VmEvents::Get(jni);
  if (!vm) return vm.status();
  vm_ = *vm;
  stub_ = vm_->FindStub(StubName(options_.jdk));
  if (stub_.empty()) {
    return Status::Error(
        "this JVM's compiled code has no entry barriers (JDK 17 has them only with -XX:+UseZGC and "
        "-XX:+UseShenandoahGC)");
  }
  const auto stub = reinterpret_cast<uintptr_t>(stub_.data());
  if (Status status = CheckStub(stub, stub_); !status) return status;
  const AddressRange head{stub, stub + sizeof(stub_word_)};
  if (Status code = CheckCodeMemory(ReadProcFile("/proc/self/maps"), head); !code) return code;
  BarrierSurvey survey = SurveyOf(code_cache_, stub);
  // A VM that has just started may have compiled nothing.
  for (int i = 0; survey.is_empty() && i < kTriesToCompile; ++i) {
    RunSomething(jni);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    survey = SurveyOf(code_cache_, stub);
  }
  const Result<uint8_t> displacement = survey.Displacement();
  if (!displacement) return displacement.status();
  displacement_ = *displacement;
  if (Status status = vm_->FollowThreads(jni); !status) return status;
  if (!vm_->threads().TopBytesAreZero(displacement_)) {
    return Status::Error("this JVM's entry barriers use all of their threads' words");
  }
  return Status::Ok();
}

Status BarrierProbe::Hook() {
  const auto stub = reinterpret_cast<uintptr_t>(stub_.data());
  const Result<HookEntry> entry = HookEntryFor(stub);
  if (!entry) return entry.status();
  const uint64_t word = ReadEntry(stub);
  const std::optional<uint64_t> hooked = StubWithJump(stub, word, entry->hook);
  if (!hooked) return Status::Error("the hook lies too far from the JVM's code");
  SetBarrierHook(displacement_, entry->original, options_.collector_patches_code,
                 *options_.handler);
  std::array<uint8_t, sizeof(word)> bytes;
  std::memcpy(bytes.data(), &word, sizeof(word));
  if (!CheckStub(stub, bytes) || !ExchangeEntry(stub, word, *hooked)) {
    return Status::Error("another agent has changed the JVM's entry barrier stub");
  }
  stub_word_ = word;
  hooked_word_ = *hooked;
  vm_->threads().SetDisplacement(displacement_);
  return Status::Ok();
}

void BarrierProbe::Arm(uint32_t, Countdown countdown) {
  if (!is_installed_ || MakesNotEntrant()) return;
  if (countdown == Countdown::kBegins && options_.begin_counting) options_.begin_counting();
  is_open_ = true;
  vm_->threads().Arm();
}

void BarrierProbe::Disarm() {
  is_open_ = false;
  if (is_installed_) vm_->threads().Disarm();
}

// A tick may last, and a collector disarm threads in it.
void BarrierProbe::Maintain() {
  if (!is_installed_ || MakesNotEntrant() || !is_open_) return;
  vm_->threads().Arm();
  if (!is_open_) vm_->threads().Disarm();
}

void BarrierProbe::Remove(JNIEnv*) {
  is_installed_ = false;
  if (vm_ == nullptr) return;
  vm_->threads().ForgetDisplacement();
  if (hooked_word_ != 0) {
    ExchangeEntry(reinterpret_cast<uintptr_t>(stub_.data()), hooked_word_, stub_word_);
    hooked_word_ = 0;
  }
  vm_->StopFollowing();
}

bool BarrierProbe::MakesNotEntrant() {
  if (has_given_up_) return true;
  const uint64_t undecodable = BarrierHook().undecodable.load(std::memory_order_relaxed);
  const uint64_t samples = BarrierHook().samples.load(std::memory_order_relaxed);
  if (!IsTooMuch(undecodable, samples)) return false;
  if (has_given_up_.exchange(true)) return true;
  vm_->threads().ForgetDisplacement();
  Log("the barrier probe does not know " + std::to_string(undecodable) +
      " of the entries that it was to sample, against " + std::to_string(samples) +
      " that it does, and takes no more samples");
  return true;
}

}  // namespace yp::hotspot
