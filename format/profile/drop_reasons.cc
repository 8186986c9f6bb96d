#include "format/profile/drop_reasons.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "format/spool/drop.h"

namespace yp {
namespace {

struct Reason {
  spool::Drop drop;
  std::string_view words;
  DropKind kind = DropKind::kLost;
  bool is_sample = false;
};

constexpr DropKind kLost = DropKind::kLost;
constexpr DropKind kNothingToSee = DropKind::kNothingToSee;

constexpr std::array<Reason, spool::kDrops> kReasons{{
    {spool::Drop::kRingFull, "samples lost as the agent's thread was too slow", kLost, true},
    {spool::Drop::kWalkFailed, "samples or calls of which the JVM did not give the stack", kLost,
     true},
    {spool::Drop::kNoThreadState, "calls of threads for whose state there was no memory"},
    {spool::Drop::kWalkMismatch,
     "the remembered call and the JVM's own answer differed; the JVM's was taken",
     DropKind::kCorrected},
    {spool::Drop::kCalleeUnknown, "samples of calls into code whose method is not known", kLost,
     true},
    {spool::Drop::kCallerUnknown, "samples of calls from frames that are not known", kLost, true},
    {spool::Drop::kNoDebugInfo, "samples of calls from code of which the compiler recorded nothing",
     kLost, true},
    {spool::Drop::kNotJavaThread, "signals that found a thread of the JVM's own: no Java stack",
     kNothingToSee},
    {spool::Drop::kInCompiler, "signals that found a compiler at work: no Java stack",
     kNothingToSee},
    {spool::Drop::kNoJavaFrame, "signals outside of Java code", kNothingToSee},
    {spool::Drop::kCollecting, "signals while the garbage collector was at work", kNothingToSee},
    {spool::Drop::kJavaNotWalkable, "stacks that could not be walked from where Java code was"},
    {spool::Drop::kVmNotWalkable,
     "stacks that could not be walked from within the JVM or native code"},
    {spool::Drop::kStateNotWalkable, "stacks of threads that were changing their state"},
    {spool::Drop::kStackTooDeep, "stacks with more frames than there is room for"},
    {spool::Drop::kStackBufferFull, "stacks lost as the agent's thread was too slow"},
    {spool::Drop::kMethodGone, "stacks with a method that had been unloaded"},
    {spool::Drop::kContextsFull, "calling contexts beyond what memory is taken for"},
    {spool::Drop::kClassUnreadable, "class files that were not understood, left as they are"},
    {spool::Drop::kClassNotRewritten, "classes that the JVM would not change"},
    {spool::Drop::kClassCannotLink, "classes whose loader does not let them call the probe"},
}};
static_assert(spool::HasRowForEach(kReasons, &Reason::words));

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
    const auto known =
        std::ranges::find(kReasons, reason, [](const Reason& each) { return ToString(each.drop); });
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
