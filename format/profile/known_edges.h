#ifndef YP_FORMAT_PROFILE_KNOWN_EDGES_H_
#define YP_FORMAT_PROFILE_KNOWN_EDGES_H_

#include <functional>

#include "format/profile/profile.h"

namespace yp {

// Leaves the edges of which `keep` is false out of the profile, windows included.
void KeepEdges(Profile* profile, const std::function<bool(const EdgeStats&)>& keep);

// An edge is what was called, so that none is listed with 0 calls:
// - a sample was a call: an edge has at least as many calls as samples, whatever the estimate says;
// - what was only inferred, and rounds to no call (less than a half), is left out.
void KeepKnownEdges(Profile* profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_KNOWN_EDGES_H_
