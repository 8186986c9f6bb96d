#include "cli/java_command.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

#include "cli/agent_options.h"
#include "cli/attach/jvm_options.h"

namespace yp {
namespace {

namespace fs = std::filesystem;

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Empty when there is none.
fs::path FindProgram(const std::string& program, const std::string& path) {
  if (program.find('/') != std::string::npos) return program;
  std::istringstream directories(path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    const fs::path candidate = fs::path(directory.empty() ? "." : directory) / program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

// For JAVA_TOOL_OPTIONS, whose words are separated by white space and may be quoted, also in part
// (Arguments::parse_options_buffer in HotSpot).
std::string QuoteForToolOptions(const std::string& word) {
  std::string quoted;
  for (const char c : word) {
    if (c == '\'') {
      quoted += "\"'\"";
    } else if (c == '"' || c == ' ' || c == '\t' || c == '\n') {
      quoted += std::string("'") + c + "'";
    } else {
      quoted += c;
    }
  }
  return quoted;
}

}  // namespace

bool IsJavaLauncher(const std::string& program, const std::string& path) {
  if (fs::path(program).filename() == "java") return true;
  std::error_code error;
  const fs::path target = fs::canonical(FindProgram(program, path), error);
  return !error && target.filename() == "java" && target.parent_path().filename() == "bin";
}

std::string FindOnPath(const std::string& program) {
  return FindProgram(program, Environment("PATH")).native();
}

std::vector<std::string> AllJvmOptions(const std::vector<std::string>& command) {
  JvmOptionSources sources;
  if (IsJavaLauncher(command.front(), Environment("PATH"))) {
    sources.arguments = command;
    sources.arguments.front() = "java";
  }
  sources.jdk_java_options = Environment("JDK_JAVA_OPTIONS");
  sources.java_tool_options = Environment("JAVA_TOOL_OPTIONS");
  sources.java_options = Environment("_JAVA_OPTIONS");
  sources.read_file = [](const std::string& path) -> std::optional<std::string> {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  return ExpandJvmOptions(sources);
}

std::string OptionAgainstAgents(const std::vector<std::string>& command) {
  return OptionThatRefusesAgents(AllJvmOptions(command));
}

CommandWithAgent AddJvmOptions(const std::vector<std::string>& command,
                               const std::vector<std::string>& options) {
  CommandWithAgent result{command, {}};
  if (IsJavaLauncher(command.front(), Environment("PATH"))) {
    result.argv.insert(result.argv.begin() + 1, options.begin(), options.end());
    return result;
  }
  std::string words = Environment("JAVA_TOOL_OPTIONS");
  for (const std::string& option : options) {
    words += (words.empty() ? "" : " ") + QuoteForToolOptions(option);
  }
  result.environment["JAVA_TOOL_OPTIONS"] = words;
  // launch/launch.cc. A list whose places are parted by colons and spaces.
  const std::string launch = FindLaunchLibrary();
  if (!launch.empty() && launch.find_first_of(": \t\n") == std::string::npos) {
    const bool has_own = std::getenv("JAVA_TOOL_OPTIONS") != nullptr;
    const std::string preload = Environment("LD_PRELOAD");
    result.environment["LD_PRELOAD"] = preload + (preload.empty() ? "" : ":") + launch;
    result.environment["YIELDPOINT_OWN_BYTES"] =
        has_own ? std::to_string(Environment("JAVA_TOOL_OPTIONS").size()) : "-";
  }
  return result;
}

}  // namespace yp
