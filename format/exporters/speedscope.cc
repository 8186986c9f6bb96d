#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "core/options/config_keys.h"
#include "format/exporters/export_stacks.h"
#include "format/exporters/exporters.h"
#include "format/json/json.h"

namespace yp {
namespace {

constexpr const char* kSamples = "samples of stacks";

// An array of arrays of frames, outermost first, as the rest is indented.
void WriteSamples(const ExportedStacks& exported, ChunkedText& text) {
  std::vector<ExportedFrame> frames;
  text << "[";
  for (const ExportedStack& stack : exported.stacks) {
    text << (&stack == exported.stacks.data() ? "\n    [" : ",\n    [");
    exported.FramesOf(stack, &frames);
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      text << (frame == frames.rbegin() ? "\n     " : ",\n     ") << std::to_string(frame->method);
    }
    text << "\n    ]";
  }
  text << (exported.stacks.empty() ? "]" : "\n   ]");
}

}  // namespace

Status ExportSpeedscope(const Profile& profile, const ExportOptions& options,
                        const ByteSink& sink) {
  ExportOptions merged = options;
  merged.method_level = true;
  const ExportedStacks exported = SelectStacks(profile, merged);
  Json frames = Json::Array();
  for (const ExportedMethod& method : exported.methods) {
    Json frame = {{"name", method.name}};
    if (!method.file.empty()) frame["file"] = method.file;
    if (method.first_line > 0) frame["line"] = method.first_line;
    frames.Append(std::move(frame));
  }
  Json weights = Json::Array();
  int64_t total = 0;
  for (const ExportedStack& stack : exported.stacks) {
    weights.Append(stack.WholeWeight());
    total += stack.WholeWeight();
  }
  const std::string name = ToValidUtf8(profile.ConfigOr(config_key::kCommand, "java"));
  const std::string weights_name = std::string(exported.is_estimated ? "estimated " : "") +
                                   exported.type + " (" + exported.meaning + ")";
  Json profiles = Json::Array();
  profiles.Append({{"type", "sampled"},
                   {"name", weights_name},
                   {"unit", "none"},
                   {"startValue", 0},
                   {"endValue", total},
                   {"samples", kSamples},
                   {"weights", std::move(weights)}});
  const Json root = {
      {"$schema", "https://www.speedscope.app/file-format-schema.json"},
      {"exporter", "yieldpoint"},
      {"name", name},
      {"activeProfileIndex", 0},
      {"shared", {{"frames", std::move(frames)}}},
      {"profiles", std::move(profiles)},
  };
  const std::string all = root.Dump(1) + "\n";
  // In the place of these words, which are the last ones in quotes but "weights".
  const std::string place = "\"" + std::string(kSamples) + "\"";
  const size_t at = all.rfind(place);
  ChunkedText text(sink);
  text << std::string_view(all).substr(0, at);
  WriteSamples(exported, text);
  text << std::string_view(all).substr(at + place.size());
  return text.Finish();
}

}  // namespace yp
