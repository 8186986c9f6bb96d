#include "cli/output.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "cli/notes.h"
#include "format/profile/whole_calls.h"

namespace yp {

Status PrintOut(std::string_view text) {
  const size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return Status::Ok();
  return Status::Error(
      fmt::format("cannot write to stdout: {}; was it closed, or is the disk full?",
                  std::generic_category().message(errno)));
}

Status PrintJson(Json json, int indent) {
  if (json.IsObject()) {
    Json& warnings = json["warnings"];
    if (warnings.IsNull()) warnings = Json::Array();
    for (std::string& note : TakeNotes()) warnings.Append(std::move(note));
  }
  return PrintOut(json.Dump(indent) + "\n");
}

Json EdgeToJson(const Profile& profile, const EdgeStats& edge, double total_calls) {
  const bool has_calls = !profile.finds_edges();
  const auto calls = [&](double number) {
    return has_calls ? Json(JsonNumber(number)) : Json(nullptr);
  };
  const bool has_interval = has_calls && HasInterval(edge);
  return {
      {"caller", profile.NameOf(edge.edge.caller)},
      {"bci", edge.edge.bci},
      {"line", profile.LineOf(edge.edge)},
      {"callee", profile.NameOf(edge.edge.callee)},
      {"calls", calls(WholeCalls(edge.calls))},
      {"low", calls(WholeLow(edge.low))},
      {"high", has_interval ? JsonNumber(WholeHigh(edge.high)) : Json(nullptr)},
      {"flags", FlagNamesOf(edge)},
      {"share", has_calls ? Json(total_calls > 0 ? edge.calls / total_calls : 0) : Json(nullptr)},
      {"share_low", has_interval ? Json(edge.share_low) : Json(nullptr)},
      {"share_high", has_interval ? Json(edge.share_high) : Json(nullptr)},
      {"samples", edge.samples},
      {"uncorrected", calls(WholeCalls(edge.uncorrected))}};
}

}  // namespace yp
