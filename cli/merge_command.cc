#include "format/profile/merge.h"

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "format/profile/warnings.h"

namespace yp {
namespace {

constexpr const char* kMergeFooter = R"(
Spools of one program become one profile: the parts of a recording that goes on from file to file,
recordings of several JVMs, or both. They must have been recorded with the same options. The ticks of
all are those of one estimate, so that its intervals are as much narrower as there are more of them.
Times follow one another: the profile of two JVMs that ran an hour each is one of two hours. Parts
that are missing add nothing, and are not taken for parts without calls.

Examples:
  yp merge app-*.yp-spool -o day.yp                  all parts that were collected
  yp merge web1.yp-spool web2.yp-spool -o web.yp     two JVMs
)";

struct MergeOptions {
  std::vector<std::string> spools;
  std::string output;
  bool json = false;
};

Result<int> Merge(const MergeOptions& options) {
  const Result<std::string> path = CheckOutputPath(options.output);
  if (!path) return path.status();
  Result<MergedProfile> merged = [&] {
    const Progress progress(fmt::format("reading {} spools", options.spools.size()));
    return MergeSpools(options.spools);
  }();
  if (!merged) return merged.status();
  const Profile& profile = merged->profile;
  for (const std::string& note : merged->notes) Note("warning: " + note);
  for (const std::string& warning : Warnings(profile)) Note("warning: " + warning);
  {
    const Progress progress(fmt::format("writing {}", *path));
    if (Status saved = SaveProfile(profile, *path); !saved) return saved;
  }
  if (options.json) {
    const Status printed = PrintJson({{"profile", options.output},
                                      {"spools", options.spools.size()},
                                      {"recordings", merged->recordings},
                                      {"calls", profile.total_calls()},
                                      {"samples", profile.total_samples()},
                                      {"duration_ns", profile.duration_ns}});
    return printed ? Result<int>(0) : printed;
  }
  const auto count = [](size_t number, const char* one, const char* many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
  };
  const Status printed = PrintOut(
      fmt::format("wrote {}: {} of {}, {} calls in {}\n", options.output,
                  count(options.spools.size(), "spool", "spools"),
                  count(merged->recordings, "recording", "recordings"),
                  FormatCalls(profile.total_calls()), FormatDuration(profile.duration_ns)));
  return printed ? Result<int>(0) : printed;
}

}  // namespace

void AddMergeCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("merge", "One profile of several spools of a program");
  command.Footer(kMergeFooter);
  const auto options = std::make_shared<MergeOptions>();
  command.Option("spools", &options->spools, "Spools (*.yp-spool)").Value("SPOOL").Required();
  command.Option("-o,--output", &options->output, "The profile to write").Value("FILE").Required();
  command.Switch("--json", &options->json, "A JSON object");
  command.WhenChosen([=] { invocation->run = [=] { return Merge(*options); }; });
}

}  // namespace yp
