#ifndef YP_CORE_OPTIONS_OPTION_STRING_H_
#define YP_CORE_OPTIONS_OPTION_STRING_H_

#include <string>
#include <string_view>

#include "base/status.h"
#include "core/options/recording_options.h"

// "key=value,key=value": what yp asks the agent for, behind the library's path in -agentpath, or as
// the options of an attach. Lists have their key several times.
namespace yp {

// The value of a pattern ("spool") keeps its placeholders, %p and %t.

// A value of the string: every byte that means something to the agent, to the JVM's command line or
// to its JAVA_TOOL_OPTIONS parser becomes %XX.
std::string EncodeAgentValue(std::string_view value);

std::string WriteOptionString(const RecordingOptions& options);
// The value of the key in a string that need not be understood otherwise; empty: none.
std::string ValueInOptionString(std::string_view text, std::string_view key);
// An error names the key and what it takes.
Result<RecordingOptions> ParseOptionString(std::string_view text);

}  // namespace yp

#endif  // YP_CORE_OPTIONS_OPTION_STRING_H_
