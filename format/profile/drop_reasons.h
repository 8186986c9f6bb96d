#ifndef YP_FORMAT_PROFILE_DROP_REASONS_H_
#define YP_FORMAT_PROFILE_DROP_REASONS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/profile/profile.h"

namespace yp {

enum class DropKind {
  kLost,          // It should be in the profile.
  kNothingToSee,  // A signal that found no Java code at work.
  kCorrected,     // An answer was found all the same.
};
// "lost", "nothing to see", "corrected".
std::string_view ToString(DropKind kind);

// What a profile has not, for one reason (format/spool/drop.h).
struct Dropped {
  std::string reason;  // As the profile has it.
  uint64_t count = 0;
  std::string words;  // What it is, for people.
  DropKind kind = DropKind::kLost;
  bool is_sample = false;  // Of calls, whose edge could not be told.
};

// All that occurred, the most frequent first. A reason that is not known is a loss, and its words
// are its name.
std::vector<Dropped> DropsOf(const Profile& profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_DROP_REASONS_H_
