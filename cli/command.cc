#include "cli/command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>

#include "cli/notes.h"
#include "cli/own_signals.h"
#include "cli/progress.h"

namespace yp {
namespace {

constexpr int kErrorExit = 2;

constexpr const char* kDescription =
    R"(Yieldpoint tells who calls whom, and how often, in a running Java program.

  yp run -o app.yp -- java -jar app.jar     record; prints the hottest edges
  yp edges app.yp                           who calls whom, where and how often
  yp top app.yp                             the most called methods
  yp report app.yp                          a page to explore in a browser
  yp selfcheck -- java -jar app.jar         how accurate, and at what cost, on this program
)";

constexpr const char* kFooter = R"(
yp COMMAND --help tells more, with examples. Errors are one line on stderr and exit code 2.
In the repository, ./yp test runs all tests and ./yp eval NAME an evaluation on real programs.)";

std::string OnOneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string HelpHint(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return fmt::format("see: yp {}--help", chosen.empty() ? "" : chosen.front()->get_name() + " ");
}

int Fail(const std::string& text) {
  Say(text);
  return kErrorExit;
}

// What is wrong with arguments that no option and no positional takes.
std::string DescribeExtras(const CLI::App& app, const Invocation& invocation) {
  const std::vector<std::string> extras = app.remaining(true);
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& argument) {
    return argument.size() > 1 && argument.front() == '-';
  });
  if (app.get_subcommands().empty()) return "unknown command " + extras.front();
  if (option != extras.end()) return "unknown option " + *option;
  const bool lacks_separator = invocation.user_command.empty() &&
                               (app.got_subcommand("run") || app.got_subcommand("selfcheck"));
  return fmt::format("unexpected argument {}{}", extras.front(),
                     lacks_separator ? " (the command to run stands behind --)" : "");
}

int ParseAndRun(CLI::App& app, const std::vector<std::string>& arguments,
                const Invocation& invocation) {
  try {
    // CLI11 takes the last argument first.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ExtrasError&) {
    return Fail(fmt::format("{}; {}", DescribeExtras(app, invocation), HelpHint(app)));
  } catch (const CLI::ParseError& error) {
    return Fail(fmt::format("{}; {}", OnOneLine(error.what()), HelpHint(app)));
  }
  if (!invocation.run) return Fail(fmt::format("no command given; {}", HelpHint(app)));
  const Result<int> result = invocation.run();
  return result ? *result : Fail(std::string(result.message()));
}

class UserCommandFormatter final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, name);
    usage.erase(usage.find_last_not_of(" \n") + 1);
    return usage + " -- COMMAND...\n";
  }
};

}  // namespace

void TakesUserCommand(CLI::App* command) {
  command->formatter(std::make_shared<UserCommandFormatter>());
}

Status CheckUserCommand(const Invocation& invocation, const std::string& name) {
  if (!invocation.user_command.empty() && !invocation.user_command.front().empty()) {
    return Status::Ok();
  }
  return Status::Error(
      fmt::format("{0} needs a command behind --, such as: yp {0} -- java -jar app.jar", name));
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

  CLI::App app(kDescription, "yp");
  app.set_version_flag("--version", "yp " YP_VERSION);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  AddRunCommand(app, &invocation);
  AddAttachCommand(app, &invocation);
  AddTopCommand(app, &invocation);
  AddEdgesCommand(app, &invocation);
  AddTreeCommand(app, &invocation);
  AddAmortizeCommand(app, &invocation);
  AddInfoCommand(app, &invocation);
  AddOverlapCommand(app, &invocation);
  AddDiffCommand(app, &invocation);
  AddReportCommand(app, &invocation);
  AddServeCommand(app, &invocation);
  AddExportCommand(app, &invocation);
  AddSelfcheckCommand(app, &invocation);
  if (arguments.empty()) arguments.push_back("--help");
  try {
    return ParseAndRun(app, arguments, invocation);
  } catch (const std::exception& error) {
    return Fail(fmt::format("stopped by an error that was not expected: {}", error.what()));
  }
}

}  // namespace yp
