#include "cli/page_arguments.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

#include "cli/names.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "format/page/page_data.h"
#include "ui/page_template.h"

namespace yp {
namespace {

Result<SourceLines> ReadSources(const PageArguments& arguments,
                                const std::vector<const Profile*>& profiles) {
  SourceSites sites;
  for (const Profile* profile : profiles) {
    for (const auto& [path, lines] : CallSitesOf(*profile)) {
      sites[path].insert(lines.begin(), lines.end());
    }
  }
  const Progress progress("reading sources");
  Result<SourceLines> lines = ReadSourceLines(arguments.sources, sites);
  if (!lines) return lines.status();
  Say(fmt::format("source lines of {} files; of {} others nothing was found",
                  WithSeparators(static_cast<double>(lines->files.size())),
                  WithSeparators(static_cast<double>(lines->missing))));
  if (lines->left_out > 0) {
    Say(fmt::format("{} source files are too large, or too many, and were left out",
                    WithSeparators(static_cast<double>(lines->left_out))));
  }
  return lines;
}

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

void AddPageArguments(CLI::App* command, PageArguments* arguments) {
  command->add_option("profile", arguments->profile, "A profile, or a spool that was left over")
      ->type_name("P")
      ->required();
  command->add_option("after", arguments->after, "Another one, to compare the first with")
      ->type_name("AFTER");
  command
      ->add_option("--sources", arguments->sources,
                   "A folder, jar or zip with the program's sources, whose lines\nstand beside the "
                   "calls; may be repeated")
      ->type_name("DIR|JAR");
}

Result<std::string> ReadPageData(const PageArguments& arguments) {
  const Result<Profile> first = LoadProfileArgument(arguments.profile);
  if (!first) return first.status();
  std::vector<const Profile*> profiles = {&*first};
  std::vector<PageProfile> named = {{&*first, FileName(arguments.profile)}};
  std::optional<Result<Profile>> second;
  if (!arguments.after.empty()) {
    second.emplace(LoadProfileArgument(arguments.after));
    if (!*second) return second->status();
    profiles.push_back(&**second);
    named.push_back({&**second, FileName(arguments.after)});
  }
  PageOptions options;
  options.generator = "yp " YP_VERSION;
  std::optional<SourceLines> sources;
  if (!arguments.sources.empty()) {
    Result<SourceLines> read = ReadSources(arguments, profiles);
    if (!read) return read.status();
    sources = std::move(read).value();
    options.sources = &*sources;
  }
  const Progress progress("making the page");
  return PageData(named, options);
}

Result<std::string> ReadPageTemplate() {
  const std::string_view page = PageTemplate();
  if (page.empty()) {
    return Status::Error(
        "this build of yp has no page in it, as npm was missing or failed: install nodejs and npm, "
        "and ./yp report builds it");
  }
  return std::string(page);
}

}  // namespace yp
