#include "cli/page_content.h"

#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "cli/names.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "format/page/page_data.h"
#include "format/page/source_files.h"
#include "format/profile/comparable.h"

namespace yp {
namespace {

Result<SourceFiles> ReadSources(const std::vector<std::string>& places,
                                const std::vector<Profile>& profiles) {
  const Progress progress("reading sources");
  WantedSources wanted;
  for (const Profile& profile : profiles) {
    for (const auto& [path, worth] : SourcesOf(profile)) wanted[path] += worth;
  }
  return ReadSourceFiles(places, wanted);
}

void TellOf(const SourceFiles& sources) {
  const auto number = [](size_t n) { return WithSeparators(static_cast<double>(n)); };
  const size_t left_out = sources.left_out.size(), found = sources.texts.size() + left_out;
  std::string text =
      fmt::format("sources: {} of {} files found", number(found), number(found + sources.missing));
  if (left_out > 0) {
    text += fmt::format("; {} left out: a page has {} of source text, of the files with most calls",
                        number(left_out), FormatBytes(kMaxSourceBytes));
  }
  if (found == 0) {
    text += ": give --sources the folder or archive with the packages' folders in it";
  }
  Say(text);
}

}  // namespace

std::vector<std::string> PageArguments::Profiles() const {
  return after.empty() ? std::vector{profile} : std::vector{profile, after};
}

void AddPageArguments(Flags command, PageArguments* arguments) {
  AddProfileArgument(command, &arguments->profile);
  command.Option("after", &arguments->after, "Another, to compare it with").Value("AFTER");
  command
      .Option("--sources", &arguments->sources,
              "Show source files with their calls, from a folder or a jar or zip\nfile of sources; "
              "may be given several times")
      .Value("DIR|JAR")
      .OneEachTimeWithoutDots();
}

Result<std::string> PageDataOf(const PageArguments& arguments) {
  std::vector<Profile> profiles;
  for (const std::string& path : arguments.Profiles()) {
    Result<Profile> profile = LoadProfileArgument(path);
    if (!profile) return profile.status();
    profiles.push_back(std::move(*profile));
  }
  if (profiles.size() == 2) {
    const ComparablePair pair(profiles[0], profiles[1]);
    for (const std::string& note : pair.notes()) Say(note);
  }
  std::optional<SourceFiles> sources;
  if (!arguments.sources.empty()) {
    Result<SourceFiles> read = ReadSources(arguments.sources, profiles);
    if (!read) return read.status();
    TellOf(*read);
    sources = std::move(*read);
  }
  const Progress progress("making the page of " + arguments.Profiles().back());
  std::vector<PageProfile> named;
  for (const std::string& path : arguments.Profiles()) {
    named.push_back({&profiles[named.size()], std::filesystem::path(path).filename()});
  }
  PageOptions options;
  options.generator = "yp " YP_VERSION;
  options.sources = sources ? &*sources : nullptr;
  return PageData(named, options);
}

}  // namespace yp
