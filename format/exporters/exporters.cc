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

Status Export(const Profile& profile, ExportFormat format, const ExportOptions& options,
              std::string* out) {
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
      return ExportPprof(profile, options, out);
    case ExportFormat::kCallgrind:
      return ExportCallgrind(profile, options, out);
    case ExportFormat::kCollapsed:
      return ExportCollapsed(profile, options, out);
    case ExportFormat::kSpeedscope:
      return ExportSpeedscope(profile, options, out);
    case ExportFormat::kDot:
      return ExportDot(profile, options, out);
    case ExportFormat::kJson:
      return ExportJson(profile, options, out);
  }
  return Status::Error("there is no such export format");
}

Status ExportToFile(const Profile& profile, ExportFormat format, const ExportOptions& options,
                    const std::string& path) {
  std::string bytes;
  if (Status status = Export(profile, format, options, &bytes); !status) return status;
  return WriteFile(bytes, path, "the export");
}

}  // namespace yp
