#include "format/exporters/exporters.h"

#include <algorithm>
#include <array>
#include <vector>

#include "format/bytes/write_file.h"

namespace yp {
namespace {

// Of a format that is one text.
template <Status (*make)(const Profile&, const ExportOptions&, std::string*)>
Status SendText(const Profile& profile, const ExportOptions& options, const ByteSink& sink) {
  std::string text;
  if (Status made = make(profile, options, &text); !made) return made;
  return sink(text);
}

// KCachegrind's "Called" is a number of calls, and a line of collapsed stacks has nothing else:
// there is no place to say that it is not one.
constexpr std::array<ExportFormat, 7> kFormats = {{
    {.name = "pprof",
     .file = "app.pb.gz",
     .command = "go tool pprof -http=: app.pb.gz",
     .holds_contexts = true,
     .has_readable_names = true,
     .write = &ExportPprof},
    {.name = "callgrind",
     .file = "callgrind.out",
     .command = "kcachegrind callgrind.out",
     .counts_calls_only = true,
     .write = &SendText<&ExportCallgrind>},
    {.name = "collapsed",
     .file = "app.collapsed",
     .command = "flamegraph.pl --countname calls app.collapsed > app.svg",
     .counts_calls_only = true,
     .holds_contexts = true,
     .has_readable_names = true,
     .write = &ExportCollapsed},
    {.name = "speedscope",
     .file = "app.speedscope.json",
     .command = "https://www.speedscope.app",
     .holds_contexts = true,
     .has_readable_names = true,
     .write = &ExportSpeedscope},
    {.name = "dot",
     .file = "app.dot",
     .command = "dot -Tsvg app.dot > app.svg",
     .write = &SendText<&ExportDot>},
    {.name = "lcov",
     .file = "app.info",
     .command = "genhtml app.info -o coverage",
     .write = &SendText<&ExportLcov>},
    {.name = "json",
     .file = "app.json",
     .command = "jq '.[0]' app.json",
     .write = &SendText<&ExportJson>},
}};

}  // namespace

std::span<const ExportFormat> ExportFormats() { return kFormats; }

const ExportFormat* FindExportFormat(std::string_view name) {
  const auto* const found =
      std::find_if(kFormats.begin(), kFormats.end(),
                   [name](const ExportFormat& each) { return each.name == name; });
  return found == kFormats.end() ? nullptr : found;
}

std::string NamesOfExportFormats(bool ExportFormat::*is, std::string_view last_word) {
  std::vector<std::string_view> names;
  for (const ExportFormat& format : kFormats) {
    if (format.*is) names.push_back(format.name);
  }
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + std::string(last_word) + " " : ", ";
    text += names[i];
  }
  return text;
}

Status Export(const Profile& profile, const ExportFormat& format, const ExportOptions& options,
              const ByteSink& sink) {
  if (options.contexts && !format.holds_contexts) {
    return Status::Error("this format has no place for calling contexts: choose " +
                         NamesOfExportFormats(&ExportFormat::holds_contexts, "or"));
  }
  if (options.contexts && profile.contexts.total() <= 0) {
    return Status::Error("the profile has no calling contexts: " + std::string(kContextsAdvice));
  }
  if (profile.finds_edges() && !options.contexts && format.counts_calls_only) {
    return Status::Error(
        "the profile has the edges that mode edges found, each once, and no numbers of calls, "
        "which is what " +
        NamesOfExportFormats(&ExportFormat::counts_calls_only, "and") +
        " show: choose another format");
  }
  return format.write(profile, options, sink);
}

Status Export(const Profile& profile, const ExportFormat& format, const ExportOptions& options,
              std::string* out) {
  out->clear();
  return Export(profile, format, options, [out](std::string_view bytes) {
    *out += bytes;
    return Status::Ok();
  });
}

Status ExportToFile(const Profile& profile, const ExportFormat& format,
                    const ExportOptions& options, const std::string& path) {
  return WriteFile([&](const ByteSink& sink) { return Export(profile, format, options, sink); },
                   path, "the export");
}

}  // namespace yp
