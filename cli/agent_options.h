#ifndef YP_CLI_AGENT_OPTIONS_H_
#define YP_CLI_AGENT_OPTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/profiling_options.h"
#include "core/options/option_string.h"

namespace yp {

// The agent's option string. spool_pattern: as RecordingOptions::spool.
std::string FormatAgentOptions(const ProfilingOptions& options, std::string_view spool_pattern);

// What the agent is to be told of them, but for the spool.
RecordingOptions ForAgent(const ProfilingOptions& options);

// The options of a JVM that is to be started with the agent of that library.
std::vector<std::string> JvmOptions(const ProfilingOptions& options, const std::string& library,
                                    std::string_view spool_pattern);

// The option string that ends recording in a JVM that was attached to.
std::string AgentStopOptions();

// libyieldpoint.so beside this program: in the build tree ../hotspot, installed ../lib or
// ../lib/yieldpoint.
Result<std::string> FindAgentLibrary(const std::string& program_path = "/proc/self/exe");

// The compiler for yp aos, beside this program: in the build tree ../compiler, installed as above.
struct CompilerFiles {
  std::string library;
  std::string jar;
};
Result<CompilerFiles> FindCompilerFiles();

// libyplaunch.so likewise, in the build tree in launch. Empty when there is none: then the JVMs'
// versions are behind a line of theirs.
std::string FindLaunchLibrary();

}  // namespace yp

#endif  // YP_CLI_AGENT_OPTIONS_H_
