#ifndef YP_CLI_ATTACH_JVM_OPTIONS_H_
#define YP_CLI_ATTACH_JVM_OPTIONS_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yp {

// Where a JVM finds its options.
struct JvmOptionSources {
  std::vector<std::string> arguments;  // The command's, with its name.
  std::string java_tool_options;       // These three: of the environment.
  std::string jdk_java_options;
  std::string java_options;
  // A file's text, by its path as the JVM would be given it.
  std::function<std::optional<std::string>(const std::string& path)> read_file;
};

// The options in the order in which the JVM takes them, later ones last: with what is in argument
// files (@FILE, the java launcher's since JDK 9) and in those of -XX:Flags and -XX:VMOptionsFile.
// Of a java launcher's arguments only those in front of the main class; of other programs, which
// may start a JVM of their own, all.
std::vector<std::string> ExpandJvmOptions(const JvmOptionSources& sources);

// What the last -XX:+NAME or -XX:-NAME says.
std::optional<bool> FlagOf(const std::vector<std::string>& options, std::string_view name);

// An option with which HotSpot does not start when there is an agent such as ours, as it makes an
// archive of classes; empty when there is none.
std::string OptionThatRefusesAgents(const std::vector<std::string>& options);

}  // namespace yp

#endif  // YP_CLI_ATTACH_JVM_OPTIONS_H_
