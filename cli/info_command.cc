#include <fmt/core.h>
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/counting_cost.h"
#include "cli/duration.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/summary.h"
#include "cli/table.h"

namespace yp {
namespace {

struct InfoOptions {
  std::string path;
  bool json = false;
};

Status PrintInfo(const Profile& profile) {
  Table table({"what", "value"}, {Table::Column::kLeft, Table::Column::kLeft});
  const auto add = [&table](const std::string& what, const std::string& value) {
    table.AddRow({{what}, {value}});
  };
  const auto add_count = [&add](const std::string& what, double count) {
    add(what, WithSeparators(count));
  };
  for (const auto& [key, value] : profile.config) add(key, value);
  add("duration", FormatDuration(profile.duration_ns));
  add("agent's CPU time", FormatDuration(profile.agent_cpu_ns));
  if (const std::string rule = CountingRule(profile.config); !rule.empty())
    add("cost of counting", rule);
  if (const std::string result = CountingResult(profile); !result.empty()) {
    add("cost of this run", result);
  }
  add("ended in order", profile.complete ? "yes" : "no");
  if (!profile.finds_edges()) {
    add(profile.has_stack_ends() ? "ends of stacks" : "calls", FormatCalls(profile.total_calls()));
  }
  add_count(profile.finds_edges() ? "edges found" : "edges",
            static_cast<double>(profile.edges.size()));
  add_count("methods", static_cast<double>(profile.methods.size()));
  add_count("samples", static_cast<double>(profile.total_samples()));
  add_count("windows", static_cast<double>(profile.windows.size()));
  if (profile.has_stacks()) add_count("stacks", profile.contexts.total());
  if (profile.contexts.total() > 0) {
    add_count("contexts", static_cast<double>(profile.contexts.size() - 1));
  }
  for (const auto& [reason, count] : profile.drops) {
    add_count("dropped: " + reason, static_cast<double>(count));
  }
  for (const spool::ThreadDefinition& thread : profile.threads) {
    add(fmt::format("thread {}", ToIndex(thread.id)), thread.name);
  }
  return PrintOut(table.Render(0));
}

Result<int> Info(const InfoOptions& options) {
  const Result<Profile> profile = LoadProfileArgument(options.path);
  if (!profile) return profile.status();
  if (!options.json) {
    if (Status s = PrintInfo(*profile); !s) return s;
    return 0;
  }
  Json json = SummaryToJson(*profile, options.path, 0);
  json.Remove("hottest");
  json.Remove("warnings");  // They were told when it was read.
  Json& names = json["thread_names"] = Json::Array();
  for (const spool::ThreadDefinition& thread : profile->threads) names.Append(thread.name);
  if (Status s = PrintJson(json); !s) return s;
  return 0;
}

}  // namespace

void AddInfoCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("info", "Show how a profile was recorded and what was lost");
  command.Footer("\nExample:\n  yp info app.yp\n");
  const auto options = std::make_shared<InfoOptions>();
  AddProfileArgument(command, &options->path);
  command.Switch("--json", &options->json, "A JSON object");
  command.WhenChosen([=] { invocation->run = [=] { return Info(*options); }; });
}

}  // namespace yp
