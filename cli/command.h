#ifndef YP_CLI_COMMAND_H_
#define YP_CLI_COMMAND_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/flags.h"

namespace yp {

// What a command line asked for.
struct Invocation {
  // What stood behind "--": the user's own command.
  std::vector<std::string> user_command;
  // The template of format/page/page.h, or why there is none.
  Result<std::string_view> page = Status::Error("this yp was built without its page");
  // The chosen command; gives the exit code, or the error to print.
  std::function<Result<int>()> run;
};

// Each adds one command, which sets invocation->run when it is chosen.
void AddRunCommand(CommandLine& program, Invocation* invocation);
void AddAttachCommand(CommandLine& program, Invocation* invocation);
void AddTopCommand(CommandLine& program, Invocation* invocation);
void AddEdgesCommand(CommandLine& program, Invocation* invocation);
void AddInfoCommand(CommandLine& program, Invocation* invocation);
void AddOverlapCommand(CommandLine& program, Invocation* invocation);
void AddDiffCommand(CommandLine& program, Invocation* invocation);
void AddMergeCommand(CommandLine& program, Invocation* invocation);
// yp status, start, stop, dump, budget and mark.
void AddControlCommands(CommandLine& program, Invocation* invocation);
void AddExportCommand(CommandLine& program, Invocation* invocation);
void AddReportCommand(CommandLine& program, Invocation* invocation);
void AddServeCommand(CommandLine& program, Invocation* invocation);
void AddTestsCommand(CommandLine& program, Invocation* invocation);
void AddTreeCommand(CommandLine& program, Invocation* invocation);
void AddAmortizeCommand(CommandLine& program, Invocation* invocation);
void AddSelfcheckCommand(CommandLine& program, Invocation* invocation);
void AddPlanCommand(CommandLine& program, Invocation* invocation);
void AddAdviseCommand(CommandLine& program, Invocation* invocation);
void AddAosCommand(CommandLine& program, Invocation* invocation);

// For the help of a command with a user_command.
void TakesUserCommand(Flags command);
// An error when nothing stands behind "--"; `name` is the command that needs it.
Status CheckUserCommand(const Invocation& invocation, const std::string& name);

// What the program's help says, to be written in other forms (cli/manual).
std::vector<CommandDescription> DescribeCommands();

// Runs the program yp, with the page that was built into it.
int Main(int argc, const char* const* argv, const Result<std::string_view>& page);

}  // namespace yp

#endif  // YP_CLI_COMMAND_H_
