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
