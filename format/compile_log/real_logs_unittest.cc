// Logs of testdata/Compiled.java, made as the README says, against their events as committed lines
// and against what -XX:+PrintCompilation counted in the same runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "format/compile_log/compile_log_test_util.h"

namespace yp::compile_log {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Printed {
  std::string name;
  std::string vm_version;
  ptrdiff_t compilations;
  ptrdiff_t osr;
  ptrdiff_t c2;
  ptrdiff_t made_not_entrant;
};

class RealLogsTest : public testing::TestWithParam<Printed> {};

TEST_P(RealLogsTest, GivesTheCommittedEventsAndWhatPrintCompilationCounted) {
  const Printed& printed = GetParam();
  Recorder events;
  const auto summary = ReadFiles({"testdata/" + printed.name + ".log"}, &events);
  ASSERT_TRUE(summary) << summary.message();
  EXPECT_EQ(summary->DescribeDamage(), "");
  EXPECT_EQ(summary->vm_version, printed.vm_version);
  EXPECT_TRUE(summary->vm_start_ms.has_value());

  EXPECT_EQ(static_cast<ptrdiff_t>(events.compilations.size()), printed.compilations);
  EXPECT_EQ(std::ranges::count_if(events.compilations, &JitCompilation::is_osr), printed.osr);
  EXPECT_EQ(std::ranges::count(events.compilations, "c2", &JitCompilation::compiler), printed.c2);
  EXPECT_EQ(static_cast<ptrdiff_t>(events.code_ends.size()), printed.made_not_entrant);
  for (const JitCompilation& c : events.compilations) {
    EXPECT_TRUE(c.queued_ns.has_value()) << c.compile_id;
    EXPECT_LE(c.queued_ns, c.start_ns) << c.compile_id;
    EXPECT_LE(c.start_ns, c.end_ns) << c.compile_id;
  }

  const std::string golden = "testdata/" + printed.name + ".golden";
  if (std::getenv("YP_BLESS") != nullptr) {
    std::ofstream(golden, std::ios::binary) << events.lines;
  }
  EXPECT_EQ(events.lines, TextOf(golden)) << "YP_BLESS=1 makes this the golden " << golden;
}

// From the runs' standard output.
INSTANTIATE_TEST_SUITE_P(Jdks, RealLogsTest,
                         testing::Values(Printed{"jdk17", "17.0.21.1+2-1-deb12u1-Debian", 31, 6, 14,
                                                 15},
                                         Printed{"jdk25", "25.0.3+9-LTS", 30, 5, 14, 16}),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace yp::compile_log
