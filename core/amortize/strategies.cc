#include "core/amortize/strategies.h"

#include <algorithm>
#include <cassert>

namespace yp {
namespace {

// What level 1 takes to compile, as a part of what level 3 does: a third less code (2026-11, fop
// and ecj with -XX:TieredStopAtLevel=1 and 3, JDK 17).
constexpr double kLevel1Cost = 0.6;

// What others' code has inlined, executed at a level instead.
ObservedRecompilation FromInlined(int32_t level, double samples) {
  return {
      .from = level, .to = kC2, .compile_ns = 0, .before = {}, .after = {samples, std::nullopt}};
}

// Interpreted, a method calls the code of those that it had inlined: only its own bytecodes take
// longer.
ObservedRecompilation FromInterpreter(const MethodRun& run, const ExecutedVersion& version) {
  ObservedRecompilation interpreted = run.From(kInterpreted, version);
  const double all = run.SamplesInC2Code();
  if (version.level == kC2 && all > 0) {
    interpreted.after.samples *= std::max(0.0, 1 - run.inlined_in_own / all);
  }
  return interpreted;
}

void Never(const MethodRun& run, SavedTime* saved) {
  saved->Spare(run.compile_ns);
  for (const ExecutedVersion& version : run.versions) {
    if (version.level != kInterpreted) saved->Compare(FromInterpreter(run, version));
  }
  if (run.ended_in_others > 0) saved->Compare(FromInlined(kInterpreted, run.ended_in_others));
}

// At level 1 it inlines like C1, so that what it calls within its code is taken to be at level 1 as
// well.
void AtLevel1(const MethodRun& run, SavedTime* saved) {
  if (run.c2_ns > 0) saved->Spare(run.c2_ns - kLevel1Cost * run.profiled_ns);
  for (const ExecutedVersion& version : run.versions) {
    if (version.is_c2_or_later && version.level != kInterpreted) {
      saved->Compare(run.From(kLevel1, version));
    }
  }
  if (run.below_in_others > 0) saved->Compare(FromInlined(kLevel1, run.below_in_others));
}

// What C1 has inlined into other methods' code is not known, and stays.
void WithoutC1(const MethodRun& run, SavedTime* saved) {
  saved->Spare(run.c1_ns);
  for (const ExecutedVersion& version : run.versions) {
    const bool is_of_c1 = version.level != kInterpreted && version.level != kC2;
    if (is_of_c1) saved->Compare(run.From(kInterpreted, version));
  }
}

void AtOnce(const MethodRun& run, SavedTime* saved) {
  const ExecutedVersion& last = run.versions[*run.last];
  saved->Spare(run.compile_ns - last.compile_ns);
  for (const ExecutedVersion& version : run.versions) {
    if (version.level != last.level) saved->Compare(run.From(last.level, version));
  }
}

constexpr Strategy kStrategies[] = {
    {"never", "never", "had it never been compiled", Never},
    {"level-1", "tier 1", "had C2 been kept from it: C1 tier 1, without a profile, in its place",
     AtLevel1},
    {"no-c1", "no C1", "had C1 been kept from it: interpreted until C2's code is there", WithoutC1},
    {"at-once", "at once", "had its last version been there from the first call on, and no other",
     AtOnce},
};

}  // namespace

Execution MethodRun::AtLevel(int32_t level) const {
  const auto found = std::ranges::find(versions, level, &ExecutedVersion::level);
  return found == versions.end() ? Execution{} : found->execution;
}

ObservedRecompilation MethodRun::From(int32_t level, const ExecutedVersion& version) const {
  return {.from = level,
          .to = version.level,
          .compile_ns = 0,
          .before = AtLevel(level),
          .after = version.execution};
}

double MethodRun::SamplesInC2Code() const {
  double samples = 0;
  for (const ExecutedVersion& version : versions) {
    if (version.level == kC2) samples += version.execution.samples;
  }
  return samples;
}

std::string Strategy::Key() const {
  std::string key = name;
  std::ranges::replace(key, '-', '_');
  return key;
}

std::span<const Strategy> Strategies() { return kStrategies; }

size_t StrategyIndex(const std::string& name) {
  const auto* const found = std::ranges::find_if(
      kStrategies, [&](const Strategy& strategy) { return strategy.name == name; });
  assert(found != std::end(kStrategies));
  return static_cast<size_t>(found - std::begin(kStrategies));
}

}  // namespace yp
