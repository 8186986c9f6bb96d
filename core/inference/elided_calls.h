#ifndef YP_CORE_INFERENCE_ELIDED_CALLS_H_
#define YP_CORE_INFERENCE_ELIDED_CALLS_H_

#include "core/inference/infer.h"

namespace yp {

// The root's inline tree with the calls that were inlined without a trace: C2
// keeps no debug information of a callee that needs none, such as the empty constructor of a super
// class. A callee that the profile counted at a site without a call instruction, and that is no
// child there, is taken for one, unless the site has a child that the profile did not count, by any
// name: then the compiler knew the receiver's class. The same holds for what an added callee calls,
// up to a depth of three.
// Needs all of the root's outgoing sites, or calls are taken for elided.
//
// On six programs it gained 0.7 to 5 points of overlap where all calls had been sampled alike, and
// lost 3.3 of one with timer windows.
InlineTree WithElidedCalls(const Root& root, const MethodProfiles& profiles);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_ELIDED_CALLS_H_
