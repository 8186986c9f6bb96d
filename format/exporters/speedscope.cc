#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "format/exporters/export_graph.h"
#include "format/exporters/exporters.h"
#include "format/exporters/json_number.h"

namespace yp {

Status ExportSpeedscope(const Profile& profile, const ExportOptions& options, std::string* out) {
  using Json = nlohmann::ordered_json;
  const ExportedGraph graph =
      SelectEdges(profile, {.max_edges = options.max_edges, .method_level = true});
  Json frames = Json::array();
  for (const ExportedMethod& method : graph.methods) {
    Json frame = {{"name", method.name}};
    if (!method.file.empty()) frame["file"] = method.file;
    if (method.first_line > 0) frame["line"] = method.first_line;
    frames.push_back(std::move(frame));
  }
  Json samples = Json::array();
  Json weights = Json::array();
  double total = 0;
  for (const ExportedEdge& edge : graph.edges) {
    samples.push_back(Json::array({edge.caller, edge.callee}));
    weights.push_back(JsonNumber(edge.stats.calls));
    total += edge.stats.calls;
  }
  const std::string name = ToValidUtf8(profile.ConfigOr("command", "java"));
  const Json root = {
      {"$schema", "https://www.speedscope.app/file-format-schema.json"},
      {"exporter", "yieldpoint"},
      {"name", name},
      {"activeProfileIndex", 0},
      {"shared", {{"frames", std::move(frames)}}},
      {"profiles", Json::array({{{"type", "sampled"},
                                 {"name", profile.exact() ? "calls" : "calls (estimated)"},
                                 {"unit", "none"},
                                 {"startValue", 0},
                                 {"endValue", JsonNumber(total)},
                                 {"samples", std::move(samples)},
                                 {"weights", std::move(weights)}}})},
  };
  *out = root.dump(1) + "\n";
  return Status::Ok();
}

}  // namespace yp
