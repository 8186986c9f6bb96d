#include "format/profile/drop_reasons.h"

#include <algorithm>
#include <array>

namespace yp {
namespace {

struct Reason {
  std::string_view reason, words;
  DropKind kind = DropKind::kLost;
  bool is_sample = false;
};

constexpr DropKind kLost = DropKind::kLost;
constexpr DropKind kNothingToSee = DropKind::kNothingToSee;

constexpr std::array<Reason, 22> kReasons{{
    {"ring_full", "samples lost as the agent's thread was too slow", kLost, true},
    {"window_cut", "windows in which the recording ended, with their samples"},
    {"walk_failed", "samples or calls of which the JVM did not give the stack", kLost, true},
    {"no_thread_state", "calls of threads for whose state there was no memory"},
    {"walk_mismatch", "the remembered call and the JVM's own answer differed; the JVM's was taken",
     DropKind::kCorrected},
    {"callee_unknown", "samples of calls into code whose method is not known", kLost, true},
    {"caller_unknown", "samples of calls from frames that are not known", kLost, true},
    {"no_debug_info", "samples of calls from code of which the compiler recorded nothing", kLost,
     true},
    {"not_java_thread", "signals that found a thread of the JVM's own: no Java stack",
     kNothingToSee},
    {"in_compiler", "signals that found a compiler at work: no Java stack", kNothingToSee},
    {"no_java_frame", "signals outside of Java code", kNothingToSee},
    {"collecting", "signals while the garbage collector was at work", kNothingToSee},
    {"java_not_walkable", "stacks that could not be walked from where Java code was"},
    {"vm_not_walkable", "stacks that could not be walked from within the JVM or native code"},
    {"state_not_walkable", "stacks of threads that were changing their state"},
    {"stack_too_deep", "stacks with more frames than there is room for"},
    {"stack_buffer_full", "stacks lost as the agent's thread was too slow"},
    {"method_gone", "stacks with a method that had been unloaded"},
    {"contexts_full", "calling contexts beyond what memory is taken for"},
    {"class_unreadable", "class files that were not understood, left as they are"},
    {"class_not_rewritten", "classes that the JVM would not change"},
    {"class_cannot_link", "classes whose loader does not let them call the probe"},
}};

constexpr std::string_view kMethodLeft = "method left: ";

std::string WordsFor(std::string_view reason) {
  if (reason.starts_with(kMethodLeft)) {
    return "methods that could not be observed: " + std::string(reason.substr(kMethodLeft.size()));
  }
  std::string words(reason);
  std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace

std::string_view ToString(DropKind kind) {
  switch (kind) {
    case DropKind::kLost:
      return "lost";
    case DropKind::kNothingToSee:
      return "nothing to see";
    case DropKind::kCorrected:
      break;
  }
  return "corrected";
}

std::vector<Dropped> DropsOf(const Profile& profile) {
  std::vector<Dropped> drops;
  for (const auto& [reason, count] : profile.drops) {
    if (count == 0) continue;
    const auto known = std::ranges::find(kReasons, reason, &Reason::reason);
    if (known == kReasons.end()) {
      drops.push_back({.reason = reason, .count = count, .words = WordsFor(reason)});
    } else {
      drops.push_back({reason, count, std::string(known->words), known->kind, known->is_sample});
    }
  }
  std::ranges::stable_sort(drops, std::ranges::greater(), &Dropped::count);
  return drops;
}

}  // namespace yp
