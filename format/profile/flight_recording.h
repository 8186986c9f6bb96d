#ifndef YP_FORMAT_PROFILE_FLIGHT_RECORDING_H_
#define YP_FORMAT_PROFILE_FLIGHT_RECORDING_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/jfr/jfr_jit_events.h"
#include "format/profile/profile.h"

namespace yp {

// With what the lines begin that say that nothing is known of compilations, or of the compilers.
inline constexpr std::string_view kLackOfCompilations = "compilations: ";
inline constexpr std::string_view kLackOfAll = "what the compilers did";

// Whether a log without compilations means that there were none.
bool TellsCompilations(const JitLog& log, std::span<const std::string> lacks);

// What a recording of the VM's flight recorder does not tell of its compilers, a line each.
std::vector<std::string> LacksOf(const jfr::JitRecording& recording);

// The flight recording that belongs to a spool.
std::string FlightRecordingOf(const std::string& spool);

// Adds what the VM's flight recorder has recorded beside a spool: of a VM that did not end in
// order, what it left in its repository. What cannot be had is told by the profile's `jit.lacks`.
// Nothing when none was asked for.
void AddFlightRecording(const std::string& spool, Profile* profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_FLIGHT_RECORDING_H_
