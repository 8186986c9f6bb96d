#ifndef YP_FORMAT_PROFILE_FLIGHT_RECORDING_H_
#define YP_FORMAT_PROFILE_FLIGHT_RECORDING_H_

#include <string>
#include <vector>

#include "format/jfr/jfr_jit_events.h"
#include "format/profile/profile.h"

namespace yp {

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
