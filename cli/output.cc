#include "cli/output.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "format/exporters/json_number.h"

namespace yp {

Status PrintOut(std::string_view text) {
  const size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return Status::Ok();
  return Status::Error(
      fmt::format("cannot write to stdout: {}; was it closed, or is the disk full?",
                  std::generic_category().message(errno)));
}

Status PrintJson(const Json& json, int indent) {
  return PrintOut(json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json EdgeToJson(const Profile& profile, const EdgeStats& edge, double total_calls) {
  return {{"caller", profile.NameOf(edge.edge.caller)},
          {"bci", edge.edge.bci},
          {"line", profile.LineOf(edge.edge)},
          {"callee", profile.NameOf(edge.edge.callee)},
          {"calls", JsonNumber(edge.calls)},
          {"low", JsonNumber(edge.low)},
          {"high", JsonNumber(edge.high)},
          {"flags", EdgeFlagNames(edge.flags)},
          {"share", total_calls > 0 ? edge.calls / total_calls : 0},
          {"samples", edge.samples},
          {"uncorrected", JsonNumber(edge.uncorrected)}};
}

}  // namespace yp
