#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "format/exporters/export_stacks.h"
#include "format/exporters/exporters.h"
#include "format/exporters/json_number.h"

namespace yp {

Status ExportSpeedscope(const Profile& profile, const ExportOptions& options, std::string* out) {
  using Json = nlohmann::ordered_json;
  ExportOptions merged = options;
  merged.method_level = true;
  const ExportedStacks exported = SelectStacks(profile, merged);
  Json frames = Json::array();
  for (const ExportedMethod& method : exported.methods) {
    Json frame = {{"name", method.name}};
    if (!method.file.empty()) frame["file"] = method.file;
    if (method.first_line > 0) frame["line"] = method.first_line;
    frames.push_back(std::move(frame));
  }
  Json samples = Json::array();
  Json weights = Json::array();
  int64_t total = 0;
  for (const ExportedStack& stack : exported.stacks) {
    Json indices = Json::array();
    for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
      indices.push_back(frame->method);
    }
    samples.push_back(std::move(indices));
    weights.push_back(stack.WholeWeight());
    total += stack.WholeWeight();
  }
  const std::string name = ToValidUtf8(profile.ConfigOr("command", "java"));
  const std::string weights_name = std::string(exported.is_estimated ? "estimated " : "") +
                                   exported.type + " (" + exported.meaning + ")";
  const Json root = {
      {"$schema", "https://www.speedscope.app/file-format-schema.json"},
      {"exporter", "yieldpoint"},
      {"name", name},
      {"activeProfileIndex", 0},
      {"shared", {{"frames", std::move(frames)}}},
      {"profiles", Json::array({{{"type", "sampled"},
                                 {"name", weights_name},
                                 {"unit", "none"},
                                 {"startValue", 0},
                                 {"endValue", total},
                                 {"samples", std::move(samples)},
                                 {"weights", std::move(weights)}}})},
  };
  *out = root.dump(1) + "\n";
  return Status::Ok();
}

}  // namespace yp
