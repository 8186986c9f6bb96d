#ifndef YP_CLI_PROFILING_OPTIONS_H_
#define YP_CLI_PROFILING_OPTIONS_H_

#include "core/options/recording_options.h"

namespace yp {

using ProfilingOptions = RecordingOptions;

}  // namespace yp

#endif  // YP_CLI_PROFILING_OPTIONS_H_
