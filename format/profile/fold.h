#ifndef YP_FORMAT_PROFILE_FOLD_H_
#define YP_FORMAT_PROFILE_FOLD_H_

#include <span>
#include <string>

#include "base/status.h"
#include "format/profile/profile.h"
#include "format/spool/spool_reader.h"

namespace yp {

struct SpoolToFold {
  spool::SpoolReader* reader = nullptr;  // At its beginning.
  std::string recording;                 // As SpoolSequence::Source's.
  std::string name;                      // In what is told of damage.
};

// One profile of several spools, by the estimator of one: their ticks, and compilations, are those
// of one recording that lasted as long as all of them together, so that intervals come from how
// much ticks differ, in whichever spool. Parts of a recording follow one another, in their order.
Result<Profile> FoldSpools(std::span<const SpoolToFold> spools);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_FOLD_H_
