#include "format/exporters/exporters.h"

#include <algorithm>

#include "format/bytes/write_file.h"

namespace yp {
const std::vector<std::string_view>& ExportFormatNames() {
  static const std::vector<std::string_view> kNames = {"pprof",      "callgrind", "collapsed",
                                                       "speedscope", "dot",       "json"};
  return kNames;
}

std::optional<ExportFormat> ParseExportFormat(std::string_view name) {
  const std::vector<std::string_view>& names = ExportFormatNames();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<ExportFormat>(it - names.begin());
}

// Without a place to say that a number is not one of calls: KCachegrind's "Called" is, and a line
// of collapsed stacks has nothing but it.
bool CountsCallsOnly(ExportFormat format) {
  return format == ExportFormat::kCallgrind || format == ExportFormat::kCollapsed;
}

bool HoldsContexts(ExportFormat format) {
  return format == ExportFormat::kPprof || format == ExportFormat::kCollapsed ||
         format == ExportFormat::kSpeedscope;
}

namespace {

using ExportText = Status(const Profile&, const ExportOptions&, std::string*);

Status SendText(ExportText* make, const Profile& profile, const ExportOptions& options,
                const ByteSink& sink) {
  std::string text;
  if (Status made = make(profile, options, &text); !made) return made;
  return sink(text);
}

}  // namespace

Status Export(const Profile& profile, ExportFormat format, const ExportOptions& options,
              const ByteSink& sink) {
  if (options.contexts && !HoldsContexts(format)) {
    return Status::Error(
        "this format has no place for calling contexts: choose pprof, collapsed or "
        "speedscope");
  }
  if (options.contexts && profile.contexts.total() <= 0) {
    return Status::Error("the profile has no calling contexts: " + std::string(kContextsAdvice));
  }
  if (profile.finds_edges() && !options.contexts && CountsCallsOnly(format)) {
    return Status::Error(
        "the profile has the edges that mode edges found, each once, and no numbers of calls, "
        "which "
        "is what this format shows: choose pprof, speedscope, dot or json");
  }
  switch (format) {
    case ExportFormat::kPprof:
      return ExportPprof(profile, options, sink);
    case ExportFormat::kCallgrind:
      return SendText(&ExportCallgrind, profile, options, sink);
    case ExportFormat::kCollapsed:
      return ExportCollapsed(profile, options, sink);
    case ExportFormat::kSpeedscope:
      return ExportSpeedscope(profile, options, sink);
    case ExportFormat::kDot:
      return SendText(&ExportDot, profile, options, sink);
    case ExportFormat::kJson:
      return SendText(&ExportJson, profile, options, sink);
  }
  return Status::Error("there is no such export format");
}

Status Export(const Profile& profile, ExportFormat format, const ExportOptions& options,
              std::string* out) {
  out->clear();
  return Export(profile, format, options, [out](std::string_view bytes) {
    *out += bytes;
    return Status::Ok();
  });
}

Status ExportToFile(const Profile& profile, ExportFormat format, const ExportOptions& options,
                    const std::string& path) {
  return WriteFile([&](const ByteSink& sink) { return Export(profile, format, options, sink); },
                   path, "the export");
}

}  // namespace yp
