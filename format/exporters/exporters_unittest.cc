#include "format/exporters/exporters.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/sanitizer.h"
#include "base/utf8.h"
#include "format/bytes/gzip.h"
#include "format/exporters/export_graph.h"
#include "format/exporters/profile.pb.h"
#include "format/profile/profile_test_util.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::string TextOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Compares with a committed file; YP_BLESS=1 writes it.
void ExpectGolden(const std::string& name, const std::string& actual) {
  const std::string path = "testdata/" + name;
  if (std::getenv("YP_BLESS") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  EXPECT_EQ(actual, TextOf(path)) << "YP_BLESS=1 writes " << path << " anew";
}

const ExportFormat& Format(std::string_view name) { return *FindExportFormat(name); }

std::string Exported(std::string_view format, const Profile& profile = OddProfile(),
                     const ExportOptions& options = {}) {
  std::string out;
  const Status status = Export(profile, Format(format), options, &out);
  EXPECT_TRUE(status) << status.message();
  return out;
}

std::string PprofText(const Profile& profile, const ExportOptions& options) {
  pprof::Profile message;
  EXPECT_TRUE(
      message.ParseFromString(Gunzip(Exported("pprof", profile, options), 1 << 20).value()));
  std::string text;
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  EXPECT_TRUE(printer.PrintToString(message, &text));
  return text;
}

TEST(ExportersTest, PprofIsAsBlessed) {
  ExpectGolden("odd.pprof.txt", PprofText(OddProfile(), {}));
}

TEST(ExportersTest, CallgrindIsAsBlessed) { ExpectGolden("odd.callgrind", Exported("callgrind")); }

TEST(ExportersTest, CollapsedIsAsBlessed) { ExpectGolden("odd.collapsed", Exported("collapsed")); }

TEST(ExportersTest, SpeedscopeIsAsBlessed) {
  ExpectGolden("odd.speedscope.json", Exported("speedscope"));
}

TEST(ExportersTest, DotIsAsBlessed) { ExpectGolden("odd.dot", Exported("dot")); }

// A profile that has the methods of its classes that were not called.
Profile ListingProfile() {
  Profile profile;
  const auto method = [&profile](const char* name, uint16_t line,
                                 uint32_t flags = Method::kObserved) {
    Method made = MethodOfFullName(name);
    made.source_file = "App.java";
    made.flags = flags;
    made.lines = {{0, line}, {10, static_cast<uint16_t>(line + 2)}};
    return profile.methods.Intern(made);
  };
  const MethodId main = method("org.example.App.main()V", 10);
  const MethodId get = method("org.example.App.get(II)I", 20);
  method("org.example.App$Inner.never()V", 30);
  method("java.lang.Object.<init>()V", 40, 0);
  for (const auto& [edge, calls] :
       {std::pair(Edge{kNoMethod, kNoBci, main}, 1.0), std::pair(Edge{main, 10, get}, 7.0)}) {
    EdgeStats stats;
    stats.edge = edge;
    stats.calls = calls;
    stats.flags = kEdgeExact;
    profile.edges.push_back(stats);
  }
  profile.config = {{"mode", "exact"}, {"probe.methods_listed", "all"}};
  return profile;
}

TEST(ExportersTest, LcovHasWhatWasNeverCalled) {
  EXPECT_EQ(Exported("lcov", ListingProfile()),
            "TN:\n"
            "SF:org/example/App.java\n"
            "FN:10,org.example.App.main()\n"
            "FN:20,org.example.App.get(int; int)\n"
            "FN:30,org.example.App$Inner.never()\n"
            "FNDA:1,org.example.App.main()\n"
            "FNDA:7,org.example.App.get(int; int)\n"
            "FNDA:0,org.example.App$Inner.never()\n"
            "FNF:3\n"
            "FNH:2\n"
            "DA:10,1\n"
            "DA:12,7\n"
            "DA:20,7\n"
            "DA:30,0\n"
            "LF:4\n"
            "LH:3\n"
            "end_of_record\n");
  Profile sampled = ListingProfile();
  sampled.config.erase("probe.methods_listed");
  std::string out;
  EXPECT_THAT(std::string(Export(sampled, Format("lcov"), {}, &out).message()),
              HasSubstr("record it with yp run --mode edges"));
}

TEST(ExportersTest, LcovHasLinesOfCallsThatWereNotExecuted) {
  Profile profile = ListingProfile();
  const auto hits_of = [&](MethodId caller, int32_t bci, const std::string& line) {
    profile.unexecuted_calls = {{caller, bci, "org.example.App.other()V"}};
    const std::string text = Exported("lcov", profile);
    const size_t begin = text.find("DA:" + line + ",");
    return begin == std::string::npos ? "none" : text.substr(begin, text.find('\n', begin) - begin);
  };
  const MethodId main = profile.edges[1].edge.caller, get = profile.edges[1].edge.callee;
  EXPECT_EQ(hits_of(get, 10, "22"), "DA:22,0");
  EXPECT_EQ(hits_of(main, 10, "12"), "DA:12,7") << "another call on that line was";
}

TEST(ExportersTest, LcovHasWhatEachTestReachedAndTheRestBeforeIt) {
  Profile profile = ListingProfile();
  profile.config["mode"] = "edges";
  profile.tests = {{"shop.Test.a()", 1, 2, {{EdgeId{1}, true}}}, {"none", 3, 4, {}}};
  EXPECT_EQ(Exported("lcov", profile),
            "TN:\n"
            "SF:org/example/App.java\n"
            "FN:10,org.example.App.main()\n"
            "FN:20,org.example.App.get(int; int)\n"
            "FN:30,org.example.App$Inner.never()\n"
            "FNDA:1,org.example.App.main()\n"
            "FNDA:0,org.example.App.get(int; int)\n"
            "FNDA:0,org.example.App$Inner.never()\n"
            "FNF:3\n"
            "FNH:1\n"
            "DA:10,1\n"
            "DA:12,0\n"
            "DA:20,0\n"
            "DA:30,0\n"
            "LF:4\n"
            "LH:1\n"
            "end_of_record\n"
            "TN:shop_Test_a__\n"
            "SF:org/example/App.java\n"
            "FN:20,org.example.App.get(int; int)\n"
            "FNDA:7,org.example.App.get(int; int)\n"
            "FNF:1\n"
            "FNH:1\n"
            "DA:12,7\n"
            "DA:20,7\n"
            "LF:2\n"
            "LH:2\n"
            "end_of_record\n");
}

TEST(ExportersTest, JsonIsAsBlessed) { ExpectGolden("odd.json", Exported("json")); }

TEST(ExportersTest, ContextsAreAsBlessed) {
  const ExportOptions contexts{.contexts = true};
  ExpectGolden("odd.contexts.collapsed", Exported("collapsed", OddProfile(), contexts));
  ExpectGolden("odd.contexts.speedscope.json", Exported("speedscope", OddProfile(), contexts));
  ExpectGolden("odd.contexts.pprof.txt", PprofText(OddProfile(), contexts));
}

TEST(ExportersTest, ContextsAreWholeStacksFromTheOutermostFrameOn) {
  EXPECT_EQ(Exported("collapsed", OddProfile(), {.contexts = true}),
            "com.example.App.main(String[]);com.example.Größe$Inner.<init>(int) 7\n"
            "com.example.App.main(String[]) 2\n");
  EXPECT_THAT(Exported("collapsed", OddProfile(), {.max_edges = 1, .contexts = true}),
              AllOf(HasSubstr("<init>"), Not(HasSubstr("main(String[]) 2"))));
}

TEST(ExportersTest, NamesHaveDescriptorsWhereThatIsAskedFor) {
  EXPECT_EQ(Exported("collapsed", OddProfile(), {.contexts = true, .descriptors = true}),
            "com.example.App.main([Ljava/lang/String,)V;com.example.Größe$Inner.<init>(I)V 7\n"
            "com.example.App.main([Ljava/lang/String,)V 2\n");
}

TEST(ExportersTest, MethodsThatReadTheSameKeepTheirDescriptors) {
  Profile profile;
  for (const char* name :
       {"a.A.get()Ljava/lang/Object;", "a.A.get()Ljava/lang/String;", "a.A.put(I)V"}) {
    const MethodId callee = profile.methods.Intern(MethodOfFullName(name));
    profile.edges.push_back({.edge = {kNoMethod, kNoBci, callee}, .calls = 1});
  }
  EXPECT_EQ(Exported("collapsed", profile),
            "(root);a.A.get()Ljava/lang/Object, 1\n"
            "(root);a.A.get()Ljava/lang/String, 1\n"
            "(root);a.A.put(int) 1\n");
}

TEST(ExportersTest, NoNameIsTooLongForGraphviz) {
  Profile profile;
  Method method = MethodOfFullName("C.<init>(");
  for (int i = 0; i < 700; ++i) method.descriptor += "Lcom/example/\"Größe\"/Row;";
  method.descriptor += ")V";
  const MethodId callee = profile.methods.Intern(method);
  profile.edges.push_back({.edge = {kNoMethod, kNoBci, callee}, .calls = 1});
  const std::string dot = Exported("dot", profile);
  size_t longest = 0;
  for (size_t at = 0; at < dot.size();) {
    const size_t end = std::min(dot.find('\n', at), dot.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  EXPECT_LT(longest, 16'000u);
  EXPECT_THAT(dot, HasSubstr("…\""));
  EXPECT_EQ(ToValidUtf8(dot), dot) << "cut between characters";
}

TEST(ExportersTest, ContextsAreWrittenInPartsHoweverDeep) {
  // 2,000 contexts, each 1,000 frames deep and more; with a sanitizer 200 of the deepest.
  constexpr int kDeepest = 3000, kFirst = kIsSanitized ? 2800 : 1000;
  Profile profile;
  const MethodId method = profile.methods.Intern(MethodOfFullName("C.recurses()V"));
  ContextId at = kRootContext;
  for (int depth = 0; depth < kDeepest; ++depth) {
    at = profile.contexts.Child(at, depth, method);
    if (depth >= kFirst) profile.contexts.Add(at, 1);
  }
  for (const std::string_view format : {"pprof", "collapsed", "speedscope"}) {
    size_t largest = 0, total = 0;
    const Status status =
        Export(profile, Format(format), {.contexts = true}, [&](std::string_view bytes) {
          largest = std::max(largest, bytes.size());
          total += bytes.size();
          return Status::Ok();
        });
    EXPECT_TRUE(status) << status.message();
    EXPECT_LT(largest, size_t{1} << 20);
    EXPECT_GT(total, 0u);
  }
  EXPECT_FALSE(Export(profile, Format("collapsed"), {.contexts = true},
                      [](std::string_view) { return Status::Error("full"); }));
}

TEST(ExportersTest, ContextsNeedAProfileAndAFormatThatHaveThem) {
  const auto error_of = [](const Profile& profile, std::string_view format) {
    std::string out;
    return std::string(Export(profile, Format(format), {.contexts = true}, &out).message());
  };
  EXPECT_THAT(error_of(OddProfile(), "callgrind"), HasSubstr("choose pprof"));
  EXPECT_THAT(error_of(Profile(), "pprof"), HasSubstr("--mechanism immediate"));
}

TEST(ExportersTest, JsonHasTheFieldsOfItsContract) {
  const auto array = nlohmann::json::parse(Exported("json"));
  ASSERT_EQ(array.size(), OddProfile().edges.size());
  const nlohmann::json& first = array[0];
  EXPECT_EQ(first["caller"], "com.example.App.main([Ljava/lang/String;)V");
  EXPECT_EQ(first["bci"], 5);
  EXPECT_EQ(first["line"], 11);
  EXPECT_EQ(first["callee"], "com.example.Größe$Inner.<init>(I)V");
  EXPECT_EQ(first["calls"], 601);
  EXPECT_EQ(first["low"], 450);
  EXPECT_EQ(first["high"], 751);
  EXPECT_EQ(first["flags"], nlohmann::json({"sampled"}));
  EXPECT_EQ(array.back()["caller"], "(root)");
  EXPECT_EQ(array.back()["bci"], -1);
}

TEST(ExportersTest, CallsAreWholeInEveryFormat) {
  Profile profile = OddProfile();
  profile.edges[5].calls = 0.6;
  profile.edges[5].low = 0.2;
  const auto array = nlohmann::json::parse(Exported("json", profile));
  for (const nlohmann::json& edge : array) {
    for (const char* key : {"calls", "low", "uncorrected"}) {
      EXPECT_TRUE(edge[key].is_number_integer()) << key << " of " << edge;
    }
    EXPECT_GE(edge["calls"], 1);
    EXPECT_LE(edge["low"], edge["calls"]);
    if (edge == array.back()) {
      EXPECT_TRUE(edge["high"].is_null()) << "too few ticks for an interval";
    } else {
      EXPECT_TRUE(edge["high"].is_number_integer());
      EXPECT_GE(edge["high"], edge["calls"]);
    }
  }
  EXPECT_EQ(array.back()["flags"], nlohmann::json({"sampled", "no-interval", "below-one"}));
  EXPECT_THAT(Exported("collapsed", profile), HasSubstr("nanoTime() 1\n"));
  const auto speedscope = nlohmann::json::parse(Exported("speedscope", profile));
  for (const nlohmann::json& weight : speedscope["profiles"][0]["weights"]) {
    EXPECT_TRUE(weight.is_number_integer()) << weight;
  }
}

// Mode edges counts nothing.
TEST(ExportersTest, EdgesThatWereFoundHaveNoCalls) {
  Profile profile = OddProfile();
  profile.config["mode"] = "edges";
  for (EdgeStats& edge : profile.edges) {
    edge.calls = edge.low = edge.high = edge.uncorrected = 1;
    edge.flags = kEdgeOnce;
  }
  const auto array = nlohmann::json::parse(Exported("json", profile));
  for (const nlohmann::json& edge : array) {
    EXPECT_EQ(edge["calls"], nullptr);
    EXPECT_EQ(edge["low"], nullptr);
    EXPECT_EQ(edge["high"], nullptr);
  }
  EXPECT_THAT(PprofText(profile, {}),
              AllOf(HasSubstr("\"edges found\""), Not(HasSubstr("\"calls\""))));
  EXPECT_THAT(Exported("speedscope", profile), HasSubstr("\"edges found ("));
  EXPECT_THAT(Exported("dot", profile),
              AllOf(HasSubstr("edges found; calls were not counted"),
                    HasSubstr("label=\"line 11\""), Not(HasSubstr("label=\"1"))));
  for (const std::string_view format : {"callgrind", "collapsed"}) {
    std::string out;
    EXPECT_THAT(std::string(Export(profile, Format(format), {}, &out).message()),
                HasSubstr("no numbers of calls"));
  }
}

TEST(ExportersTest, ToolsAreToldWhatAFramesOwnNumberIs) {
  Profile profile = OddProfile();
  profile.config["contexts"] = "sampled_calls";
  EXPECT_THAT(Exported("speedscope", profile, {.contexts = true}),
              HasSubstr("estimated calls (self: calls of the method; total: also all calls below"));
  EXPECT_THAT(PprofText(profile, {.contexts = true}),
              HasSubstr("flat: calls of the method; cum: also all calls below it"));
  EXPECT_THAT(PprofText(profile, {}),
              HasSubstr("flat: calls of the method; cum: also those that it makes itself"));
}

TEST(ExportersTest, TheMostCalledEdgesAreKept) {
  const auto array = nlohmann::json::parse(Exported("json", OddProfile(), {.max_edges = 2}));
  ASSERT_EQ(array.size(), 2u);
  EXPECT_EQ(array[0]["calls"], 601);
  EXPECT_EQ(array[1]["calls"], 200);
}

TEST(ExportersTest, CallSitesOfTwoMethodsMergeOnDemand) {
  const auto array = nlohmann::json::parse(Exported("json", OddProfile(), {.method_level = true}));
  ASSERT_EQ(array.size(), OddProfile().edges.size() - 1);
  EXPECT_EQ(array[0]["calls"], 801);
  EXPECT_EQ(array[0]["samples"], 80);
  EXPECT_EQ(array[0]["low"], 600);
  EXPECT_EQ(array[0]["bci"], -1);
  EXPECT_EQ(array[0]["line"], 0);
}

TEST(ExportersTest, InlinedEdgesAreToldApart) {
  Profile profile = OddProfile();
  EXPECT_THAT(Exported("dot", profile), Not(HasSubstr("dashed")));
  profile.edges[0].flags |= kEdgeInferred;
  profile.edges[1].flags = kEdgeInferred;
  profile.edges[1].samples = 0;
  const std::string dot = Exported("dot", profile);
  EXPECT_THAT(dot, HasSubstr("style=dashed]"));
  EXPECT_EQ(dot.find("dashed"), dot.rfind("dashed")) << "the other is in part";
  pprof::Profile message;
  ASSERT_TRUE(message.ParseFromString(Gunzip(Exported("pprof", profile), 1 << 20).value()));
  std::vector<std::string> labels;
  for (const auto& sample : message.sample()) {
    for (const auto& label : sample.label()) {
      if (label.str() != 0) labels.push_back(message.string_table(static_cast<int>(label.str())));
    }
  }
  EXPECT_THAT(labels, UnorderedElementsAre("in part", "yes"));
}

TEST(ExportersTest, EveryFormatTakesAProfileOfNothing) {
  Profile nothing;
  nothing.config["probe.methods_listed"] = "all";
  for (const ExportFormat& format : ExportFormats()) {
    std::string out;
    EXPECT_TRUE(Export(nothing, format, {}, &out)) << format.name;
  }
  EXPECT_EQ(Exported("json", Profile()), "[\n]\n");
}

TEST(ExportersTest, FormatsAreFoundByTheirNames) {
  for (const ExportFormat& format : ExportFormats()) {
    EXPECT_EQ(FindExportFormat(format.name), &format);
  }
  EXPECT_EQ(FindExportFormat("xml"), nullptr);
  EXPECT_EQ(NamesOfExportFormats(&ExportFormat::counts_calls_only, "and"),
            "callgrind and collapsed");
  EXPECT_EQ(NamesOfExportFormats(&ExportFormat::holds_contexts, "or"),
            "pprof, collapsed or speedscope");
}

TEST(ExportersTest, NumbersBeyondInt64DoNotOverflow) {
  Profile profile = OddProfile();
  for (EdgeStats& edge : profile.edges) edge.calls = edge.low = edge.high = 1e300;
  profile.config["probe.methods_listed"] = "all";
  for (const ExportFormat& format : ExportFormats()) {
    std::string out;
    EXPECT_TRUE(Export(profile, format, {}, &out)) << format.name;
  }
  EXPECT_THAT(Exported("callgrind", profile), HasSubstr("calls=4503599627370496 "));
}

TEST(ExportersTest, AnUnwritableFileIsAClearErrorAndLeavesNothing) {
  const Status status = ExportToFile(OddProfile(), Format("dot"), {}, "/nonexistent/graph.dot");
  ASSERT_FALSE(status);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("/nonexistent/graph.dot"), HasSubstr("no such file")));
  EXPECT_THAT(std::string(ExportToFile(OddProfile(), Format("dot"), {}, "/dev/full").message()),
              HasSubstr("no space left"));
}

TEST(ExportersTest, AFileHoldsWhatTheStringHolds) {
  const spool::TemporaryDirectory directory;
  const std::string path = directory / "graph.json";
  ASSERT_TRUE(ExportToFile(OddProfile(), Format("json"), {}, path));
  EXPECT_EQ(TextOf(path), Exported("json"));
}

TEST(ExportGraphTest, FilesAreWhereSourceTreesHaveThem) {
  const ExportedGraph graph = SelectEdges(OddProfile(), {});
  std::vector<std::string> files;
  for (const ExportedMethod& method : graph.methods) files.push_back(method.file);
  EXPECT_THAT(files, ElementsAre("com/example/App.java", "com/example/Größe.java", "we\"ird \\.kt",
                                 "", ""));
}

}  // namespace
}  // namespace yp
