// Opens exports with the tools that they are for. What a machine does not have is skipped, loudly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "format/exporters/exporters.h"
#include "format/profile/profile_test_util.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

struct CommandResult {
  int exit_code;
  std::string output;  // Both streams.
};

CommandResult RunCommand(const std::string& command) {
  std::string output;
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  std::array<char, 4096> chunk{};
  for (size_t n; (n = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    output.append(chunk.data(), n);
  }
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

bool Has(const std::string& program) { return RunCommand("command -v " + program).exit_code == 0; }

class ConsumerTest : public ::testing::Test {
 protected:
  // The path of an export of the profile with the odd names.
  std::string Write(std::string_view format, const std::string& name) {
    const std::string path = directory_ / name;
    const Status status = ExportToFile(OddProfile(), *FindExportFormat(format), {}, path);
    EXPECT_TRUE(status) << status.message();
    return path;
  }

 private:
  spool::TemporaryDirectory directory_;
};

TEST_F(ConsumerTest, CallgrindAnnotateShowsCallsAndCallers) {
  if (!Has("callgrind_annotate")) GTEST_SKIP() << "callgrind_annotate (valgrind) is not installed";
  const std::string path = Write("callgrind", "callgrind.out");
  const CommandResult self = RunCommand("callgrind_annotate --threshold=100 --auto=no " + path);
  EXPECT_EQ(self.exit_code, 0) << self.output;
  EXPECT_THAT(self.output,
              AllOf(Not(HasSubstr("WARNING")), ContainsRegex("992 \\(100.0%\\)  PROGRAM TOTALS"),
                    ContainsRegex("801 \\([^)]*\\)  com/example/Größe.java:com.example.Größe\\$"
                                  "Inner.<init>\\(I\\)V"),
                    HasSubstr("we\"ird.a b\\c{d|e} 'é日本𝄞()I"),
                    ContainsRegex("10 \\([^)]*\\)  \\?\\?\\?:java.lang.System.nanoTime\\(\\)J")));
  const CommandResult tree =
      RunCommand("callgrind_annotate --threshold=100 --auto=no --tree=both " + path);
  EXPECT_EQ(tree.exit_code, 0) << tree.output;
  EXPECT_THAT(tree.output,
              AllOf(HasSubstr("< com/example/App.java:com.example.App.main"),
                    HasSubstr(">   com/example/Größe.java:com.example.Größe$Inner.<init>(I)V "
                              "(801x)"),
                    HasSubstr("???:java.lang.System.nanoTime()J (10x)")));
}

TEST_F(ConsumerTest, GraphvizDrawsTheGraph) {
  if (!Has("dot")) GTEST_SKIP() << "dot (graphviz) is not installed";
  const CommandResult svg = RunCommand("dot -Tsvg " + Write("dot", "graph.dot"));
  EXPECT_EQ(svg.exit_code, 0) << svg.output;
  EXPECT_THAT(
      svg.output,
      AllOf(Not(HasSubstr("Warning")), HasSubstr("<svg"), HasSubstr("Größe$Inner.&lt;init&gt;"),
            HasSubstr("we&quot;ird.a b\\c{d|e} &#39;é日本𝄞"), HasSubstr("601 @ line 11")));
}

// The packages are installed into the build directory, by the lock file's versions and checksums.
TEST_F(ConsumerTest, PprofAndSpeedscopeReadersFromNpmReadThem) {
  if (!Has("npm")) GTEST_SKIP() << "npm is not installed";
  const std::string tools = YP_CONSUMERS_BUILD_DIR;
  const CommandResult install =
      RunCommand("mkdir -p '" + tools +
                 "' && cd consumers && cp package.json package-lock.json "
                 ".npmrc read_exports.mjs '" +
                 tools + "' && cd '" + tools +
                 "' && (cmp -s package-lock.json installed-lock.json || "
                 "(npm ci --ignore-scripts && cp package-lock.json installed-lock.json))");
  if (install.exit_code != 0) GTEST_SKIP() << "npm cannot install the readers:\n" << install.output;
  const std::string pprof = Write("pprof", "calls.pb.gz");
  const std::string speedscope = Write("speedscope", "calls.speedscope.json");
  const CommandResult run =
      RunCommand("node '" + tools + "/read_exports.mjs' " + pprof + " " + speedscope);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("pprof: 6 samples, 992 calls"));
  EXPECT_THAT(run.output, HasSubstr("speedscope: 5 frames, 992 calls"));
}

// What flamegraph.pl and its like split a line by: the last space, then semicolons.
TEST_F(ConsumerTest, CollapsedLinesSplitIntoTwoFramesAndACount) {
  const CommandResult run =
      RunCommand("sed -E 's/ [0-9]+$//' " + Write("collapsed", "calls.collapsed") +
                 " | awk -F';' 'NF != 2 { bad++ } { lines++ } END { print lines \" lines, \" bad+0 "
                 "\" bad\" }'");
  EXPECT_EQ(run.output, "5 lines, 0 bad\n");
}

}  // namespace
}  // namespace yp
