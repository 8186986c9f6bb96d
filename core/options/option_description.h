#ifndef YP_CORE_OPTIONS_OPTION_DESCRIPTION_H_
#define YP_CORE_OPTIONS_OPTION_DESCRIPTION_H_

#include <string>
#include <utility>
#include <vector>

#include "core/options/option_table.h"

namespace yp {

// What a profile's configuration says of the options it was recorded with: keys and values.
std::vector<std::pair<std::string, std::string>> DescribeOptions(const RecordingOptions& options,
                                                                 const RecordingFacts& facts);

}  // namespace yp

#endif  // YP_CORE_OPTIONS_OPTION_DESCRIPTION_H_
