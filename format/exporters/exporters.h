#ifndef YP_FORMAT_EXPORTERS_EXPORTERS_H_
#define YP_FORMAT_EXPORTERS_EXPORTERS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "format/bytes/byte_sink.h"
#include "format/profile/profile.h"

// A profile in the formats of other tools. docs/formats.md says what each tool then shows: none of
// them knows call graphs without time, so each gets calls in the place of its cost.
//
// Methods have the names of the JSON contract (Method::FullName) and kRootName, made valid UTF-8.
// In formats of stacks, which people read, they have Method::ReadableName where no other has the
// same. Output depends on the profile and the options alone.
namespace yp {

struct ExportOptions {
  // The most called edges only; 0 for all.
  size_t max_edges = 0;
  // One edge for all call sites between two methods. Intervals then add up their ends: wide, but
  // right however the call sites depend on each other.
  bool method_level = false;
  // What is exported are the profile's calling contexts with their weights, in place of edges;
  // `max_edges` is of contexts then. For formats that hold contexts.
  bool contexts = false;
  // Descriptors in place of readable parameters, in formats that have these: the names that yp
  // prints as JSON.
  bool descriptors = false;
};

// One format. A new one is a function that writes it, and a row of the table in exporters.cc.
struct ExportFormat {
  std::string_view name;  // That `yp export --format` takes.
  // A file's usual name, and the command that opens it.
  std::string_view file, command;
  // It has numbers of calls and nothing else, so that edges that mode edges found, which counts no
  // calls, cannot be told in it.
  bool counts_calls_only = false;
  bool holds_contexts = false;
  // Its names are readable ones, or, where options ask for them, those with descriptors.
  bool has_readable_names = false;
  Status (*write)(const Profile& profile, const ExportOptions& options, const ByteSink& sink);
};

std::span<const ExportFormat> ExportFormats();
// Nothing where none has the name.
const ExportFormat* FindExportFormat(std::string_view name);
// The names of those of which it is true: "pprof, collapsed or speedscope", with the word before
// the last.
std::string NamesOfExportFormats(bool ExportFormat::*is, std::string_view last_word);

// gzip of pprof's protobuf. Each edge is a sample of two frames, callee and caller at the line of
// the call site, with the label "bci": a function's flat value is how often it was called, and the
// difference to its cumulative value how often it called.
Status ExportPprof(const Profile& profile, const ExportOptions& options, const ByteSink& sink);
// For callgrind_annotate and KCachegrind. One event, Calls: a call costs 1, so a function's self
// cost is how often it was called, and the inclusive cost of a call site its count.
Status ExportCallgrind(const Profile& profile, const ExportOptions& options, std::string* out);
// "caller;callee count" for flame graphs. Semicolons of names become commas. Always
// method_level.
Status ExportCollapsed(const Profile& profile, const ExportOptions& options, const ByteSink& sink);
// speedscope's own JSON, a sampled profile of two-frame stacks weighted by calls. Always
// method_level.
Status ExportSpeedscope(const Profile& profile, const ExportOptions& options, const ByteSink& sink);
// Graphviz. Pens are as wide as the share of the most called edge or method.
Status ExportDot(const Profile& profile, const ExportOptions& options, std::string* out);
// The array of `yp edges --json`.
Status ExportJson(const Profile& profile, const ExportOptions& options, std::string* out);

// An LCOV tracefile: which methods of the observed classes were called and which never, and the
// lines of the calls that were made. Lines without a call are not in it. Only of profiles that have
// the methods that were not called.
Status ExportLcov(const Profile& profile, const ExportOptions& options, std::string* out);

// An error, too, for contexts that the format cannot hold or the profile does not have, and for
// edges without calls where the format counts_calls_only. Memory does not grow with what is
// written, where that is stacks.
Status Export(const Profile& profile, const ExportFormat& format, const ExportOptions& options,
              const ByteSink& sink);
Status Export(const Profile& profile, const ExportFormat& format, const ExportOptions& options,
              std::string* out);
// The same into a file, which is removed again when it cannot be written whole.
Status ExportToFile(const Profile& profile, const ExportFormat& format,
                    const ExportOptions& options, const std::string& path);

}  // namespace yp

#endif  // YP_FORMAT_EXPORTERS_EXPORTERS_H_
