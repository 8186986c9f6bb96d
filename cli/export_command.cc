#include <fmt/core.h>

#include <memory>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/output_path.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "format/exporters/exporters.h"

namespace yp {
namespace {

constexpr const char* kFooter = R"(
Every format shows calls where its tool expects time. With --contexts it shows time, or calls by
context (yp run --context tree). Self is then the calls of a method, total adds all calls below it.

Examples:
  yp export app.yp --format pprof -o app.pb.gz         go tool pprof -http=: app.pb.gz
  yp export app.yp --format callgrind -o callgrind.out kcachegrind callgrind.out
  yp export app.yp --format collapsed -o - | flamegraph.pl --countname calls > app.svg
  yp export app.yp --format speedscope -o app.json     https://www.speedscope.app
  yp export app.yp --contexts -f speedscope -o app.json    where time is spent
  yp export app.yp --format dot -n 50 -o - | dot -Tsvg > app.svg
)";

struct Options {
  std::string path;
  std::string format;
  std::string output;
  ExportOptions edges;
};

std::string FormatWords() {
  std::string words;
  for (const std::string_view name : ExportFormatNames()) {
    words += (words.empty() ? "" : "|") + std::string(name);
  }
  return words;
}

Result<int> ExportProfile(const Options& options) {
  std::vector<Choice<ExportFormat>> formats;
  for (const std::string_view name : ExportFormatNames()) {
    formats.push_back({name, *ParseExportFormat(name)});
  }
  const Result<ExportFormat> format = Choose("--format", options.format, formats);
  if (!format) return format.status();
  if (options.output != "-") {
    const Result<std::string> checked = CheckOutputPath(options.output);
    if (!checked) return checked.status();
  }
  const Result<Profile> profile = LoadProfileArgument(options.path);
  if (!profile) return profile.status();
  const Progress progress(fmt::format("exporting {}", options.path));
  if (options.output != "-") {
    if (Status s = ExportToFile(*profile, *format, options.edges, options.output); !s) return s;
    return 0;
  }
  if (Status s = Export(*profile, *format, options.edges, PrintOut); !s) return s;
  return 0;
}

}  // namespace

void AddExportCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("export", "Write a profile for other tools");
  command.Footer(kFooter);
  const auto options = std::make_shared<Options>();
  AddProfileArgument(command, &options->path);
  command.Option("-f,--format", &options->format, "For which tool").Value(FormatWords()).Required();
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
                 "Names with descriptors, as in JSON: get(Ljava/lang/Object;)... for get(Object)\n"
                 "(pprof, collapsed, speedscope; the others have them in any case, dot never)");
  command
      .Switch(
          "--contexts", &options->edges.contexts,
          "Calling contexts in place of call edges: where time was spent, or calls were made\n"
          "(pprof, collapsed, speedscope; recorded with --mechanism immediate, or --context tree)")
      .Excludes(methods);
  command.WhenChosen([=] { invocation->run = [=] { return ExportProfile(*options); }; });
}

}  // namespace yp
