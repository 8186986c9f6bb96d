#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/output_path.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "cli/selection_arguments.h"
#include "format/exporters/exporters.h"

namespace yp {
namespace {

// What can be done with each format.
std::string Footer() {
  std::string text =
      "\nEvery format shows calls where its tool expects time. With --contexts it shows time, or "
      "calls by\ncontext (yp run --context tree). Self is then the calls of a method, total adds "
      "all calls below it.\n\nExamples:\n";
  for (const ExportFormat& format : ExportFormats()) {
    const std::string export_it =
        fmt::format("yp export app.yp -f {} -o {}", format.name, format.file);
    text += fmt::format("  {:<58} {}\n", export_it, format.command);
  }
  return text +
         "  yp export app.yp -f speedscope --contexts -o app.json      where time is spent\n" +
         "  yp export app.yp -f dot -n 50 -o - | dot -Tsvg > app.svg   the 50 edges with most "
         "calls\n";
}

struct ExportCommandOptions {
  std::string path;
  SelectionArguments selected;
  std::string format;
  std::string output;
  ExportOptions edges;
};

std::vector<Choice<const ExportFormat*>> Formats() {
  std::vector<Choice<const ExportFormat*>> formats;
  for (const ExportFormat& format : ExportFormats()) formats.push_back({format.name, &format});
  return formats;
}

Result<int> ExportProfile(const ExportCommandOptions& options) {
  const Result<const ExportFormat*> chosen = Choose("--format", options.format, Formats());
  if (!chosen) return chosen.status();
  const ExportFormat& format = **chosen;
  if (options.output != "-") {
    const Result<std::string> checked = CheckOutputPath(options.output);
    if (!checked) return checked.status();
  }
  const Result<Profile> profile = LoadSelected(options.path, options.selected);
  if (!profile) return profile.status();
  const Progress progress(fmt::format("exporting {}", options.path));
  if (options.output != "-") {
    if (Status s = ExportToFile(*profile, format, options.edges, options.output); !s) return s;
    return 0;
  }
  if (Status s = Export(*profile, format, options.edges, PrintOut); !s) return s;
  return 0;
}

}  // namespace

void AddExportCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("export", "Write a profile for other tools");
  command.Footer(Footer());
  const auto options = std::make_shared<ExportCommandOptions>();
  AddProfileArgument(command, &options->path);
  command.Option("-f,--format", &options->format, "For which tool")
      .Value(WordsOf(Formats()))
      .Required();
  command.Option("-o,--output", &options->output, "The file to write; - is stdout")
      .Value("FILE")
      .Required();
  command
      .Option("-n,--rows", &options->edges.max_edges,
              "Only that many edges, or contexts, the hottest")
      .Value("N")
      .AboveZero();
  const Flag methods =
      command.Switch("--methods", &options->edges.method_level, "Do not tell call sites apart");
  command.Switch("--descriptors", &options->edges.descriptors,
                 fmt::format("Names with descriptors, as in JSON: get(Ljava/lang/Object;)... for "
                             "get(Object)\n({}; the others have them in any case, dot never)",
                             NamesOfExportFormats(&ExportFormat::has_readable_names, "and")));
  command
      .Switch("--contexts", &options->edges.contexts,
              fmt::format("Calling contexts in place of call edges: where time was spent, or calls "
                          "were made\n({}; recorded with --mechanism immediate, or --context tree)",
                          NamesOfExportFormats(&ExportFormat::holds_contexts, "and")))
      .Excludes(methods);
  AddSelectionArguments(command, &options->selected);
  command.WhenChosen([=] { invocation->run = [=] { return ExportProfile(*options); }; });
}

}  // namespace yp
