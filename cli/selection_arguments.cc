#include "cli/selection_arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/duration.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/profile_argument.h"
#include "format/profile/selection.h"

namespace yp {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

Result<int64_t> TimeOf(const char* option, const std::string& text) {
  if (text.find_first_not_of("0.smun ") == std::string::npos) return 0;  // "0s", the beginning.
  const Result<int64_t> time = ParseDurationNs(text, kSecondNs);
  if (!time) return Status::Error(fmt::format("{} {}: {}", option, text, time.message()));
  return *time;
}

Result<Selection> SelectionOf(const SelectionArguments& arguments, const Profile& profile) {
  Selection selection;
  if (!arguments.from.empty()) {
    const Result<int64_t> from = TimeOf("--from", arguments.from);
    if (!from) return from.status();
    selection.from_ns = *from;
  }
  if (!arguments.to.empty()) {
    const Result<int64_t> to = TimeOf("--to", arguments.to);
    if (!to) return to.status();
    selection.to_ns = *to;
  }
  if (selection.from_ns >= selection.to_ns) {
    return Status::Error(fmt::format("--from {} --to {}: the end is not after the beginning",
                                     arguments.from, arguments.to));
  }
  if (selection.from_ns >= profile.duration_ns) {
    return Status::Error(fmt::format("--from {}: the run has ended at {}", arguments.from,
                                     FormatDuration(profile.duration_ns)));
  }
  if (!arguments.threads.empty()) {
    selection.has_thread = [threads = arguments.threads](std::string_view name) {
      return std::ranges::any_of(
          threads, [name](const std::string& glob) { return MatchesGlob(glob, name); });
    };
  }
  return selection;
}

}  // namespace

void AddSelectionArguments(Flags command, SelectionArguments* arguments) {
  command.Option("--from", &arguments->from, "Only what was sampled from then on: 12s, 1500ms")
      .Value("TIME");
  command.Option("--to", &arguments->to, "Only what was sampled before").Value("TIME");
  command
      .Option("--thread", &arguments->threads,
              "Only threads of that name; may be given several times")
      .Value("GLOB")
      .OneEachTimeWithoutDots();
}

Result<Profile> LoadSelected(const std::string& path, const SelectionArguments& arguments) {
  Result<Profile> profile = LoadProfileArgument(path);
  if (!profile || arguments.IsAll()) return profile;
  const Result<Selection> selection = SelectionOf(arguments, *profile);
  if (!selection) return selection.status();
  const Result<std::vector<std::string>> notes = Select(*selection, &*profile);
  if (!notes) return Status::Error(path + ": " + std::string(notes.message()));
  for (const std::string& note : *notes) Note(note);
  return profile;
}

}  // namespace yp
