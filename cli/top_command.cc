#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/table.h"
#include "core/graph/calls_by_method.h"
#include "format/exporters/json_number.h"

namespace yp {
namespace {

constexpr const char* kFooter = R"(
calls: how often the method was called. callers, callees: how many different methods call it, and
how many it calls.

Examples:
  yp top app.yp -n 50
  yp top app.yp --json | jq '.[0].method'
)";

struct Options {
  std::string path;
  size_t limit = 0;
  bool json = false;
};

Status PrintMethodsAsJson(const Profile& profile, const std::vector<MethodCalls>& methods) {
  Json array = Json::array();
  for (const MethodCalls& m : methods) {
    array.push_back({{"method", profile.NameOf(m.method)},
                     {"calls", JsonNumber(m.calls_in)},
                     {"callers", m.callers},
                     {"callees", m.callees},
                     {"calls_out", JsonNumber(m.calls_out)}});
  }
  return PrintJson(array);
}

Status PrintMethods(const Profile& profile, const std::vector<MethodCalls>& methods) {
  using Column = Table::Column;
  const double total = profile.total_calls();
  Table table({"calls", "share", "callers", "callees", "method"},
              {Column::kRight, Column::kRight, Column::kRight, Column::kRight, Column::kFitted});
  for (const MethodCalls& m : methods) {
    table.AddRow({{WithSeparators(m.calls_in)},
                  {FormatShare(m.calls_in, total)},
                  {std::to_string(m.callers)},
                  {std::to_string(m.callees)},
                  NameForms(profile.methods, m.method)});
  }
  return PrintOut(table.Render(TerminalWidth(STDOUT_FILENO)));
}

Result<int> Top(const Options& options) {
  const Result<Profile> profile = LoadProfileArgument(options.path);
  if (!profile) return profile.status();
  std::vector<MethodCalls> methods = CallsByMethod(profile->Graph());
  const size_t limit = options.limit != 0 ? options.limit : options.json ? 0 : kDefaultRows;
  if (limit != 0 && methods.size() > limit) methods.resize(limit);
  const Status printed =
      options.json ? PrintMethodsAsJson(*profile, methods) : PrintMethods(*profile, methods);
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddTopCommand(CLI::App& app, Invocation* invocation) {
  CLI::App* const command = app.add_subcommand("top", "Show the methods with the most calls");
  command->footer(kFooter);
  const auto options = std::make_shared<Options>();
  AddProfileArgument(command, &options->path);
  AddRowsOption(command, &options->limit);
  command->add_flag("--json", options->json, "A JSON array; all methods unless -n is given");
  command->callback([=] { invocation->run = [=] { return Top(*options); }; });
}

}  // namespace yp
