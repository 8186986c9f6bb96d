
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "core/options/config_keys.h"
#include "format/bytes/gzip.h"
#include "format/exporters/export_stacks.h"
#include "format/exporters/exporters.h"
#include "format/exporters/profile.pb.h"

namespace yp {
namespace {

// pprof's words for a frame's own value and for that with all below it.
std::string MeaningInPprof(const ExportedStacks& exported) {
  std::string text = exported.meaning;
  text.replace(text.find("self"), 4, "flat");
  text.replace(text.find("total"), 5, "cum");
  return text;
}

class PprofBuilder {
 public:
  PprofBuilder(const Profile& profile, const ExportedStacks& exported)
      : profile_(profile), exported_(exported) {}

  // A message's bytes behind another's add to that: samples are written one by one.
  Status Write(const ByteSink& sink) {
    ChunkedText bytes(sink);
    Index("");
    auto* const type = out_.add_sample_type();
    type->set_type(Index(exported_.type));
    type->set_unit(Index("count"));
    out_.set_default_sample_type(Index(exported_.type));
    AddIdentity();
    for (const ExportedMethod& method : exported_.methods) AddFunction(method);
    std::string part;
    for (const ExportedStack& stack : exported_.stacks) {
      pprof::Profile sample;
      AddSample(stack, sample.add_sample());
      sample.SerializeToString(&part);
      bytes << part;
    }
    out_.SerializeToString(&part);
    bytes << part;
    return bytes.Finish();
  }

 private:
  int64_t Index(const std::string& text) {
    const auto [it, is_new] = strings_.try_emplace(text, out_.string_table_size());
    if (is_new) out_.add_string_table(text);
    return it->second;
  }

  void AddIdentity() {
    // Without a mapping that claims symbols, pprof looks for a binary to symbolise with.
    auto* const mapping = out_.add_mapping();
    mapping->set_id(1);
    mapping->set_filename(Index(ToValidUtf8(profile_.ConfigOr(config_key::kCommand, "java"))));
    mapping->set_has_functions(true);
    mapping->set_has_filenames(true);
    mapping->set_has_line_numbers(true);
    out_.add_comment(Index(exported_.origin));
    out_.add_comment(Index(MeaningInPprof(exported_)));
    const std::string_view start = profile_.ConfigOr(config_key::kStartTimeNs, "0");
    int64_t start_ns = 0;
    std::from_chars(start.data(), start.data() + start.size(), start_ns);
    out_.set_time_nanos(start_ns);
    out_.set_duration_nanos(profile_.duration_ns);
  }

  void AddFunction(const ExportedMethod& method) {
    auto* const function = out_.add_function();
    function->set_id(static_cast<uint64_t>(out_.function_size()));
    function->set_name(Index(method.name));
    // No system_name: pprof takes a name that equals it for a linker's, and one with a "[" for C++,
    // whose parameters it leaves out. Methods with arrays would lose theirs, and be added up.
    function->set_filename(Index(method.file));
    function->set_start_line(method.first_line);
  }

  uint64_t LocationOf(size_t method, int64_t line) {
    const auto next = static_cast<uint64_t>(out_.location_size()) + 1;
    const auto [it, is_new] = locations_.try_emplace({method, line}, next);
    if (is_new) {
      auto* const location = out_.add_location();
      location->set_id(next);
      location->set_mapping_id(1);
      auto* const frame = location->add_line();
      frame->set_function_id(method + 1);
      frame->set_line(line);
    }
    return it->second;
  }

  void AddSample(const ExportedStack& stack, pprof::Sample* sample) {
    exported_.FramesOf(stack, &frames_);
    for (const ExportedFrame& frame : frames_) {
      sample->add_location_id(LocationOf(frame.method, frame.line));
    }
    sample->add_value(stack.WholeWeight());
    if (!stack.inlined.empty()) {
      auto* const label = sample->add_label();
      label->set_key(Index("inlined"));
      label->set_str(Index(std::string(stack.inlined)));
    }
    if (stack.bci == kNoBci) return;
    auto* const label = sample->add_label();
    label->set_key(Index("bci"));
    label->set_num(stack.bci);
  }

  const Profile& profile_;
  const ExportedStacks& exported_;
  pprof::Profile out_;
  std::unordered_map<std::string, int64_t> strings_;
  std::map<std::pair<size_t, int64_t>, uint64_t> locations_;
  std::vector<ExportedFrame> frames_;
};

}  // namespace

Status ExportPprof(const Profile& profile, const ExportOptions& options, const ByteSink& sink) {
  const ExportedStacks exported = SelectStacks(profile, options);
  GzipStream gzip(sink);
  const Status written = PprofBuilder(profile, exported).Write([&gzip](std::string_view bytes) {
    return gzip.Write(bytes);
  });
  return written ? gzip.Finish() : written;
}

}  // namespace yp
