#ifndef YP_FORMAT_SPOOL_SPOOL_TEST_UTIL_H_
#define YP_FORMAT_SPOOL_SPOOL_TEST_UTIL_H_

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "format/spool/record_codec.h"
#include "format/spool/spool_reader.h"
#include "format/spool/spool_writer.h"

namespace yp::spool {

// No file may grow beyond so many bytes: writes fail as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes = 0) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit limit{bytes, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*const handler_)(int);
};

// A directory that goes away with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "yp_test_XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::vector<uint8_t> FileBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// One record of every type that version 1 began with, with values at the edges of their ranges.
inline std::vector<Record> FirstRecords() {
  Method method;
  method.class_name = "com.example.Größe$Inner";
  method.name = "<init>";
  method.descriptor = "(Ljava/lang/String;I)V";
  method.source_file = "Größe.java";
  method.flags = Method::kObserved | Method::kStatic;
  method.lines = {{0, 12}, {7, 13}, {65535, 65535}};
  Window window;
  window.tick = 18446744073709551615u;
  window.thread = ThreadId{3};
  window.start_ns = 1'000'000'007;
  window.latency_ns = -5;
  window.duration_ns = 250'000;
  window.interval_ns = 10'000'000;
  window.calls = 4096;
  window.samples = {{EdgeId{0}, 30}, {EdgeId{1}, 2}};
  return {
      Config{{{"mode", "cbs"}, {"command", "java -jar \"x y\".jar"}, {"", ""}}},
      ThreadDefinition{ThreadId{3}, "main"},
      MethodDefinition{MethodId{0}, method},
      MethodDefinition{MethodId{1}, Method{"A", "b", "()V", "", 0, {}}},
      EdgeDefinition{EdgeId{0}, Edge{MethodId{1}, 65535, MethodId{0}}},
      EdgeDefinition{EdgeId{1}, Edge{kNoMethod, kNoBci, MethodId{1}}},
      Counts{{{EdgeId{0}, 1}, {EdgeId{1}, 18446744073709551615u}}},
      window,
      Drops{{{"ring full", 17}, {"no frame", 0}}},
      End{123'456'789, 42},
  };
}

// The types that were added with the inference of inlined calls.
inline std::vector<Record> LaterRecords() {
  Compilation compilation;
  compilation.id = CompilationId{7};
  compilation.level = 4;
  compilation.is_osr = true;
  compilation.nodes = {{0, kNoBci, MethodId{1}}, {0, 12, MethodId{0}}, {1, 65535, kNoMethod}};
  compilation.call_sites = {{0, 0}, {2, 65535}};
  MethodProfile profile;
  profile.method = MethodId{1};
  profile.invocations = 1u << 31;
  profile.sites = {{0, 5, {}}, {12, 0, {{MethodId{0}, 18446744073709551615u}, {kNoMethod, 1}}}};
  return {
      compilation,
      CompiledCall{CompiledCallId{1}, EdgeId{0}, CompilationId{7}, 2, kNoCompilation},
      CompiledSamples{{{CompiledCallId{1}, 4294967295u}}},
      profile,
  };
}

// Those that came with calling contexts.
inline std::vector<Record> ContextRecords() {
  return {
      ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
      ContextDefinition{ContextId{4294967295u}, ContextId{1}, 65535, MethodId{0}},
      ContextSamples{-1, ThreadId{3}, {{ContextId{1}, 4294967295u}, {ContextId{4294967295u}, 1}}},
  };
}

// What came with counting by context.
inline std::vector<Record> ContextCountRecords() {
  return {
      ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
      ContextCounts{{{ContextId{1}, 18446744073709551615u}, {kRootContext, 1}}},
  };
}

// What came with compilations.
inline std::vector<Record> CompilerRecords() {
  return {
      EarlierCode{2147483647, 4, true, "app.Main", "run", "()V", false},
      EarlierCode{1, 3, false, "java.lang.String", "hashCode", "()I", true},
  };
}

// What came with the clocks of the compilers' threads.
inline std::vector<Record> ClockRecords() {
  return {
      CompilerTimes{0, {{4711, 0}, {2147483647, 9223372036854775807}}},
      CompilerTimes{100'000'000, {{4711, 95'000'000}}},
  };
}

// What came with the accounts of ticks.
inline std::vector<Record> TickRecords() {
  return {
      Tick{1, 20'000'000, 50'000'000, 500'000'000, 49'000'000, 70'000'000},
      Tick{18446744073709551615u, -1, 9223372036854775807, 0, -5, 1},
  };
}

// What came with parts of recordings.
inline std::vector<Record> PartRecords() {
  return {
      Part{2, 3'600'000'000'000, 7, -1, {{"ring_full", 18446744073709551615u}}, {{"cost.x", "9"}}},
  };
}

// What came with calls that count down several steps.
inline std::vector<Record> StepRecords() {
  return {
      EdgeDefinition{EdgeId{2}, Edge{MethodId{1}, 65535, MethodId{0}}, 8},
      EdgeDefinition{EdgeId{3}, Edge{kNoMethod, kNoBci, MethodId{1}}, 4294967295u},
  };
}

// What came with tests.
inline std::vector<Record> TestRecords() {
  return {
      TestBegin{1, 5'000, "shop.CartTest.add()"},
      TestBegin{4294967295u, -1, ""},
      Reached{{1, 4294967295u}, {EdgeId{0}, EdgeId{4294967295u}}},
      Reached{{1}, {}},
      TestEnd{1, 9223372036854775807},
  };
}

// What came with calls that are never executed.
inline std::vector<Record> UnexecutedRecords() {
  return {
      UnexecutedCalls{
          {{MethodId{1}, 65535, "shop.Cart", "add", "(I)V"}, {kNoMethod, -1, "", "", ""}}},
      UnexecutedCalls{},
  };
}

// What came with the project's own adaptive optimization system.
inline std::vector<Record> AdaptiveRecords() {
  return {
      OwnCompilation{MethodId{1}, 2147483647, 1, "OPT1", true, 65535, false, -1,
                     9223372036854775807, 0, 35, -1, ""},
      OwnCompilation{.method = MethodId{0}, .level_name = "BASE", .failure = "monitors"},
      ControllerDecision{.time_ns = 5'000,
                         .method = MethodId{1},
                         .reason = "a higher level costs less",
                         .recompiles = true,
                         .from = 0,
                         .to = 2,
                         .past_ns = 40'000'000,
                         .compile_ns = 4'300'000,
                         .future_ns = 6'800'000,
                         .bytes = 80,
                         .milli_samples = 2'000},
      ControllerDecision{.method = MethodId{0},
                         .new_calls = {{MethodId{0}, 7, MethodId{1}}, {kNoMethod, kNoBci, {}}}},
  };
}

// What came with calls that the interpreter has executed.
inline std::vector<Record> InterpretedRecords() {
  return {
      InterpretedCalls{{{MethodId{1},
                         4294967296,
                         7,
                         true,
                         {{0, 0, true, false, true},
                          {65535, 1, false, true, false},
                          {-1, 2, false, false, true}},
                         {{7, MethodId{1}}, {65535, MethodId{0}}}},
                        {MethodId{0}, 1, 0, false, {}, {}}},
                       {{MethodId{0}}, {MethodId{0}, MethodId{1}}, {}}},
      InterpretedCalls{},
  };
}

// What came with entries that are counted between ticks.
inline std::vector<Record> EntryCountRecords() {
  return {
      EntryCounts{{{0, 1}, {5'000'000'000, 5'250'000'000}},
                  {{CompilationId{1}, 0, 2, 0, 4294967296}, {CompilationId{2}, 1, 1, 5'000'000, 0}},
                  {}},
      EntryCounts{},
      EntryCounts{{{0, 1}, {2, 3}}, {}, {{CompilationId{2}, 2}, {CompilationId{3}, 1}}},
  };
}

// The first ones with others among them; the end comes last.
inline std::vector<Record> FirstRecordsAnd(const std::vector<Record>& others) {
  std::vector<Record> records = FirstRecords();
  records.insert(records.end() - 2, others.begin(), others.end());
  return records;
}

// One record of every type.
inline std::vector<Record> SampleRecords() {
  std::vector<Record> later = LaterRecords();
  const std::vector<Record> contexts = ContextRecords();
  later.insert(later.end(), contexts.begin(), contexts.end());
  const std::vector<Record> compilers = CompilerRecords();
  later.insert(later.end(), compilers.begin(), compilers.end());
  const std::vector<Record> ticks = TickRecords();
  later.insert(later.end(), ticks.begin(), ticks.end());
  const std::vector<Record> parts = PartRecords();
  later.insert(later.end(), parts.begin(), parts.end());
  const std::vector<Record> steps = StepRecords();
  later.insert(later.end(), steps.begin(), steps.end());
  const std::vector<Record> tests = TestRecords();
  later.insert(later.end(), tests.begin(), tests.end());
  const std::vector<Record> unexecuted = UnexecutedRecords();
  later.insert(later.end(), unexecuted.begin(), unexecuted.end());
  const std::vector<Record> adaptive = AdaptiveRecords();
  later.insert(later.end(), adaptive.begin(), adaptive.end());
  const std::vector<Record> interpreted = InterpretedRecords();
  later.insert(later.end(), interpreted.begin(), interpreted.end());
  const std::vector<Record> entries = EntryCountRecords();
  later.insert(later.end(), entries.begin(), entries.end());
  return FirstRecordsAnd(later);
}

// A record's identity in tests: its type and its body's bytes.
inline std::pair<size_t, std::vector<uint8_t>> Image(const Record& record) {
  std::vector<uint8_t> body;
  Encoder out(&body);
  std::visit([&out](const auto& r) { EncodeBody(r, &out); }, record);
  return {record.index(), body};
}

inline std::vector<std::pair<size_t, std::vector<uint8_t>>> Images(
    const std::vector<Record>& records) {
  std::vector<std::pair<size_t, std::vector<uint8_t>>> images;
  for (const Record& record : records) images.push_back(Image(record));
  return images;
}

inline Status Append(SpoolWriter* writer, const Record& record) {
  return std::visit([writer](const auto& r) { return writer->Append(r); }, record);
}

inline std::vector<Record> ReadAll(SpoolReader* reader) {
  std::vector<Record> records;
  while (std::optional<Record> record = reader->Next()) records.push_back(std::move(*record));
  return records;
}

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_SPOOL_TEST_UTIL_H_
