#ifndef YP_CORE_AMORTIZE_UNDECIDED_H_
#define YP_CORE_AMORTIZE_UNDECIDED_H_

#include <array>
#include <string_view>

namespace yp {

// Why a recompilation is undecided, and with that what would decide it.
enum class Undecided {
  kNo,             // It is decided.
  kNotRecorded,    // How methods were executed.
  kCallsNotKnown,  // How often the new version was called.
  kInLoops,        // Few calls, which took their time in code for loops.
  kCallsDiffer,    // Calls became longer or shorter in a version's life.
  kHardlySeen,     // Few stacks ended in one of the versions.
  kNearZero        // Both were seen, and the gain's interval has 0 in it.
};

// For programs and for people. Empty for kNo.
struct UndecidedText {
  std::string_view key;     // "calls-not-known"
  std::string_view why;     // "how often the new version was called is not known"
  std::string_view remedy;  // What to record to decide it: "record more samples: ..."
};
UndecidedText TextOf(Undecided undecided);

// All but kNo, in the order in which they are listed.
inline constexpr std::array kWaysToBeUndecided = {
    Undecided::kNotRecorded, Undecided::kCallsNotKnown, Undecided::kHardlySeen,
    Undecided::kNearZero,    Undecided::kCallsDiffer,   Undecided::kInLoops};

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_UNDECIDED_H_
