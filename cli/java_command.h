#ifndef YP_CLI_JAVA_COMMAND_H_
#define YP_CLI_JAVA_COMMAND_H_

#include <map>
#include <string>
#include <vector>

namespace yp {

// A command and what it finds changed in its environment.
struct CommandWithAgent {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;
};

// Whether a program is the JDK's java launcher: it is called java, or leads to bin/java through
// symbolic links. A name without a slash is looked up in `path`, a list like $PATH.
bool IsJavaLauncher(const std::string& program, const std::string& path);

// Where a program that is called so is: $PATH is looked through for a name without a slash. Empty
// when it is nowhere.
std::string FindOnPath(const std::string& program);

// All options that the JVM of a command takes, from where ever it takes them, later ones last.
std::vector<std::string> AllJvmOptions(const std::vector<std::string>& command);

// An option of the JVM's with which it does not start with an agent, be it in the command, in a
// file that it names or in the environment; empty when none is known of. A command that starts its
// JVMs itself may give them more.
std::string OptionAgainstAgents(const std::vector<std::string>& command);

// Options of the JVM, added to a command: behind the java launcher's name, or, for a command that
// starts its JVMs itself, in JAVA_TOOL_OPTIONS, behind what is there already.
CommandWithAgent AddJvmOptions(const std::vector<std::string>& command,
                               const std::vector<std::string>& options);

}  // namespace yp

#endif  // YP_CLI_JAVA_COMMAND_H_
