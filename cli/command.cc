#include "cli/command.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>

#include "cli/notes.h"
#include "cli/own_signals.h"
#include "cli/progress.h"

namespace yp {
namespace {

constexpr int kErrorExit = 2;

constexpr const char* kVersion = "yp " YP_VERSION;

constexpr const char* kDescription =
    R"(Yieldpoint tells who calls whom, and how often, in a running Java program.

  yp run -o app.yp -- java -jar app.jar     record; prints the hottest edges
  yp edges app.yp                           who calls whom, where and how often
  yp top app.yp                             the most called methods
  yp report app.yp                          a page to explore in a browser
  yp selfcheck -- java -jar app.jar         how accurate, and at what cost, on this program
  yp advise -- java -jar app.jar            which JVM options make it faster, proven by runs
)";

constexpr const char* kYpFooter = R"(
yp COMMAND --help tells more, with examples. Errors are one line on stderr and exit code 2.
In the repository, ./yp test runs all tests and ./yp eval NAME an evaluation on real programs.)";

std::string OnOneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string HelpHint(const std::string& command) {
  return fmt::format("see: yp {}--help", command.empty() ? "" : command + " ");
}

int Fail(const std::string& text) {
  Say(text);
  return kErrorExit;
}

// Whether it runs a command of the user's, which stands behind "--".
bool RunsUserCommand(const CommandLine& program, const std::string& command) {
  return std::ranges::any_of(program.Describe(), [&](const CommandDescription& known) {
    return known.name == command && known.takes_user_command;
  });
}

// What is wrong with arguments that no option and no positional takes.
std::string DescribeExtras(const std::vector<std::string>& extras, const CommandLine& program,
                           const Invocation& invocation) {
  const std::string command = program.ChosenCommand();
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& argument) {
    return argument.size() > 1 && argument.front() == '-';
  });
  if (command.empty()) return "unknown command " + extras.front();
  if (option != extras.end()) return "unknown option " + *option;
  const bool lacks_separator = invocation.user_command.empty() && RunsUserCommand(program, command);
  return fmt::format("unexpected argument {}{}", extras.front(),
                     lacks_separator ? " (the command to run stands behind --)" : "");
}

int ParseAndRun(CommandLine& program, const std::vector<std::string>& arguments,
                const Invocation& invocation) {
  using Reason = CommandLine::Stop::Reason;
  const std::optional<CommandLine::Stop> stop = program.Parse(arguments);
  const std::string command = program.ChosenCommand();
  if (stop && stop->reason == Reason::kShown) return 0;
  if (stop) {
    return Fail(fmt::format("{}; {}",
                            stop->reason == Reason::kLeftOver
                                ? DescribeExtras(stop->left_over, program, invocation)
                                : OnOneLine(stop->message),
                            HelpHint(command)));
  }
  if (!invocation.run) return Fail(fmt::format("no command given; {}", HelpHint(command)));
  // Of diff, the recordings of the second side stand there.
  if (!invocation.user_command.empty() && command != "diff" && !RunsUserCommand(program, command)) {
    return Fail(fmt::format("unexpected {} behind --: yp {} takes nothing there; {}",
                            invocation.user_command.front(), command, HelpHint(command)));
  }
  const Result<int> result = invocation.run();
  return result ? *result : Fail(std::string(result.message()));
}

}  // namespace

Status CheckUserCommand(const Invocation& invocation, const std::string& name) {
  if (!invocation.user_command.empty() && !invocation.user_command.front().empty()) {
    return Status::Ok();
  }
  return Status::Error(
      fmt::format("{0} needs a command behind --, such as: yp {0} -- java -jar app.jar", name));
}

// The commands; the one that is chosen sets what `invocation` runs.
static void AddCommands(CommandLine& program, Invocation& invocation) {
  program.flags().Footer(kYpFooter);
  AddRunCommand(program, &invocation);
  AddAttachCommand(program, &invocation);
  AddControlCommands(program, &invocation);
  AddTopCommand(program, &invocation);
  AddEdgesCommand(program, &invocation);
  AddTreeCommand(program, &invocation);
  AddTestsCommand(program, &invocation);
  AddAmortizeCommand(program, &invocation);
  AddInfoCommand(program, &invocation);
  AddOverlapCommand(program, &invocation);
  AddDiffCommand(program, &invocation);
  AddMergeCommand(program, &invocation);
  AddReportCommand(program, &invocation);
  AddServeCommand(program, &invocation);
  AddExportCommand(program, &invocation);
  AddSelfcheckCommand(program, &invocation);
  AddPlanCommand(program, &invocation);
  AddAdviseCommand(program, &invocation);
  AddAosCommand(program, &invocation);
}

std::vector<CommandDescription> DescribeCommands() {
  CommandLine program("yp", kDescription, kVersion);
  Invocation invocation;
  AddCommands(program, invocation);
  return program.Describe();
}

int Main(int argc, const char* const* argv, const Result<std::string_view>& page) {
  // A file-size limit is then an error of write(2), as a full disk is.
  IgnoreSignal(SIGXFSZ);
  // Everything behind the first "--" is the user's own.
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  Invocation invocation;
  TakeNotes();
  invocation.page = page;
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  if (separator != arguments.end()) {
    invocation.user_command.assign(separator + 1, arguments.end());
    arguments.erase(separator, arguments.end());
  }

  CommandLine program("yp", kDescription, kVersion);
  AddCommands(program, invocation);
  if (arguments.empty()) arguments.push_back("--help");
  try {
    return ParseAndRun(program, arguments, invocation);
  } catch (const std::exception& error) {
    return Fail(fmt::format("stopped by an error that was not expected: {}", error.what()));
  }
}

}  // namespace yp
