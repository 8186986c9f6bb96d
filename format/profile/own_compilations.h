#ifndef YP_FORMAT_PROFILE_OWN_COMPILATIONS_H_
#define YP_FORMAT_PROFILE_OWN_COMPILATIONS_H_

#include <optional>
#include <string>

#include "core/amortize/jit_log.h"
#include "format/profile/jit_profile.h"
#include "format/spool/records.h"

// What the project's own compiler and its controller did, as a profile has it. Records are foreign
// bytes, which may hold any number.
namespace yp {

// Nothing where there is no such level.
std::optional<JitCompilation> CompilationOf(const spool::OwnCompilation& record,
                                            std::string full_name);

BasicControllerDecision<JitMethodId> DecisionOf(const spool::ControllerDecision& record,
                                                JitMethodId method);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_OWN_COMPILATIONS_H_
