#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "format/spool/spool_test_util.h"

namespace yp::spool {
namespace {

TEST(SpoolTest, EveryRecordComesBackAsItWasWritten) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.yp-spool";
  {
    auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew);
    ASSERT_TRUE(writer) << writer.message();
    for (const Record& record : SampleRecords()) ASSERT_TRUE(Append(writer->get(), record));
  }
  auto reader = SpoolReader::Open(path);
  ASSERT_TRUE(reader) << reader.message();
  EXPECT_EQ(Images(ReadAll(reader->get())), Images(SampleRecords()));
  EXPECT_FALSE((*reader)->damage().any());
  EXPECT_EQ((*reader)->damage().frames_read, 1u);
}

// Image() compares what EncodeBody() writes; this one looks at the values themselves.
TEST(SpoolTest, TheValuesOfAMethodAndAWindowComeBack) {
  std::vector<uint8_t> body;
  Encoder out(&body);
  const std::vector<Record> records = SampleRecords();
  EncodeBody(std::get<MethodDefinition>(records[2]), &out);
  const auto method = DecodeBody(MethodDefinition::kType, body);
  ASSERT_TRUE(method.has_value());
  const Method& got = std::get<MethodDefinition>(*method).method;
  EXPECT_EQ(got.class_name, "com.example.Größe$Inner");
  EXPECT_EQ(got.name, "<init>");
  EXPECT_EQ(got.descriptor, "(Ljava/lang/String;I)V");
  EXPECT_EQ(got.source_file, "Größe.java");
  EXPECT_EQ(got.flags, Method::kObserved | Method::kStatic);
  EXPECT_EQ(got.lines, (std::vector<Method::Line>{{0, 12}, {7, 13}, {65535, 65535}}));

  body.clear();
  EncodeBody(std::get<Window>(records[7]), &out);
  const auto decoded = DecodeBody(Window::kType, body);
  ASSERT_TRUE(decoded.has_value());
  const Window& window = std::get<Window>(*decoded);
  EXPECT_EQ(window.tick, 18446744073709551615u);
  EXPECT_EQ(window.thread, ThreadId{3});
  EXPECT_EQ(window.start_ns, 1'000'000'007);
  EXPECT_EQ(window.latency_ns, -5);
  EXPECT_EQ(window.duration_ns, 250'000);
  EXPECT_EQ(window.interval_ns, 10'000'000);
  EXPECT_EQ(window.calls, 4096u);
  ASSERT_EQ(window.samples.size(), 2u);
  EXPECT_EQ(window.samples[1].first, EdgeId{1});
  EXPECT_EQ(window.samples[1].second, 2u);
  EXPECT_EQ(window.near_calls, 0u) << "as in spools from before it was told";

  Window counted = std::get<Window>(records[7]);
  counted.near_calls = 1'234'567'890'123;
  body.clear();
  EncodeBody(counted, &out);
  const auto with_count = DecodeBody(Window::kType, body);
  ASSERT_TRUE(with_count.has_value());
  EXPECT_EQ(std::get<Window>(*with_count).near_calls, 1'234'567'890'123u);
}

TEST(SpoolTest, TheValuesOfWhatIsToldOfCompilationsComeBack) {
  const auto again = [](const Record& record) {
    std::vector<uint8_t> body;
    Encoder out(&body);
    const RecordType type = std::visit(
        [&](const auto& r) {
          EncodeBody(r, &out);
          return TypeOf(r);
        },
        record);
    const std::optional<Record> decoded = DecodeBody(type, body);
    EXPECT_TRUE(decoded.has_value());
    return decoded.value_or(Record());
  };
  const std::vector<Record> records = LaterRecords();
  const auto compilation = std::get<Compilation>(again(records[0]));
  EXPECT_EQ(compilation.id, CompilationId{7});
  EXPECT_EQ(compilation.level, 4);
  EXPECT_TRUE(compilation.is_osr);
  ASSERT_EQ(compilation.nodes.size(), 3u);
  EXPECT_EQ(compilation.nodes[0].bci, kNoBci);
  EXPECT_EQ(compilation.nodes[2].parent, 1u);
  EXPECT_EQ(compilation.nodes[2].bci, 65535);
  EXPECT_EQ(compilation.nodes[1].method, MethodId{0});
  EXPECT_EQ(compilation.nodes[2].method, kNoMethod);
  EXPECT_EQ(compilation.call_sites, (std::vector<Compilation::CallSite>{{0, 0}, {2, 65535}}));

  const auto call = std::get<CompiledCall>(again(records[1]));
  EXPECT_EQ(call.id, CompiledCallId{1});
  EXPECT_EQ(call.edge, EdgeId{0});
  EXPECT_EQ(call.caller, CompilationId{7});
  EXPECT_EQ(call.caller_node, 2u);
  EXPECT_EQ(call.callee, kNoCompilation);
  EXPECT_FALSE(call.is_caller_profiled);
  CompiledCall profiled = call;
  profiled.is_caller_profiled = true;
  EXPECT_TRUE(std::get<CompiledCall>(again(profiled)).is_caller_profiled);

  const auto samples = std::get<CompiledSamples>(again(records[2]));
  ASSERT_EQ(samples.samples.size(), 1u);
  EXPECT_EQ(samples.samples[0], std::pair(CompiledCallId{1}, 4294967295u));

  const auto profile = std::get<MethodProfile>(again(records[3]));
  EXPECT_EQ(profile.method, MethodId{1});
  EXPECT_EQ(profile.invocations, 1u << 31);
  ASSERT_EQ(profile.sites.size(), 2u);
  EXPECT_EQ(profile.sites[0].calls, 5u);
  EXPECT_TRUE(profile.sites[0].receivers.empty());
  EXPECT_EQ(profile.sites[1].bci, 12);
  ASSERT_EQ(profile.sites[1].receivers.size(), 2u);
  EXPECT_EQ(profile.sites[1].receivers[0].callee, MethodId{0});
  EXPECT_EQ(profile.sites[1].receivers[0].calls, 18446744073709551615u);
  EXPECT_EQ(profile.sites[1].receivers[1].callee, kNoMethod);

  MethodProfile interpreted = std::get<MethodProfile>(records[3]);
  interpreted.interpreted = 1u << 31;
  EXPECT_EQ(std::get<MethodProfile>(again(interpreted)).interpreted, 1u << 31);
  MethodProfile later = interpreted;
  later.invocations_before = 7;
  later.interpreted_before = 8;
  later.sites[1].before = 9;
  later.sites[1].receivers[0].before = 10;
  const auto read = std::get<MethodProfile>(again(later));
  EXPECT_EQ(read.interpreted, 1u << 31);
  EXPECT_EQ(read.invocations_before, 7u);
  EXPECT_EQ(read.interpreted_before, 8u);
  EXPECT_EQ(read.sites[0].before, 0u);
  EXPECT_EQ(read.sites[1].before, 9u);
  EXPECT_EQ(read.sites[1].receivers[0].before, 10u);
  EXPECT_EQ(read.sites[1].receivers[1].before, 0u);

  const auto earlier = std::get<EarlierCode>(again(CompilerRecords()[0]));
  EXPECT_EQ(earlier.compile_id, 2147483647);
  EXPECT_EQ(earlier.level, 4);
  EXPECT_TRUE(earlier.is_osr);
  EXPECT_EQ(earlier.class_name, "app.Main");
  EXPECT_EQ(earlier.name, "run");
  EXPECT_EQ(earlier.descriptor, "()V");
  EXPECT_FALSE(earlier.is_of_boot_loader);
  EXPECT_TRUE(std::get<EarlierCode>(again(CompilerRecords()[1])).is_of_boot_loader);

  const auto tick = std::get<Tick>(again(TickRecords()[0]));
  EXPECT_EQ(tick.tick, 1u);
  EXPECT_EQ(tick.begin_ns, 20'000'000);
  EXPECT_EQ(tick.open_ns, 50'000'000);
  EXPECT_EQ(tick.period_ns, 500'000'000);
  EXPECT_EQ(tick.open_cpu_ns, 49'000'000);
  EXPECT_EQ(tick.program_cpu_ns, 70'000'000);

  Tick with_threads = tick;
  with_threads.thread_cpu_ns = {{4711, 30'000'000}, {4712, 19'000'000}};
  EXPECT_EQ(std::get<Tick>(again(with_threads)).thread_cpu_ns, with_threads.thread_cpu_ns);
  const ThreadTimes used{{{4711, 5'000'000}, {2147483647, 9223372036854775807}}};
  EXPECT_EQ(std::get<ThreadTimes>(again(used)).cpu_ns, used.cpu_ns);
  EXPECT_EQ(
      std::get<ThreadDefinition>(again(ThreadDefinition{ThreadId{3}, "pool-1", 4711})).kernel_id,
      4711);

  const auto times = std::get<CompilerTimes>(again(ClockRecords()[0]));
  EXPECT_EQ(times.time_ns, 0);
  ASSERT_EQ(times.cpu_ns.size(), 2u);
  EXPECT_EQ(times.cpu_ns[0], std::pair(4711, int64_t{0}));
  EXPECT_EQ(times.cpu_ns[1], std::pair(2147483647, int64_t{9223372036854775807}));
}

// The committed file holds these records and is what is written of them. It is also of the fuzzer's
// corpus. YP_BLESS=1 writes it anew, which only a new version of the format may need.
void ExpectIsStillWrittenAndRead(const std::string& golden, const std::vector<Record>& records) {
  const TemporaryDirectory directory;
  const std::string path = directory / "now.spool";
  const bool bless = std::getenv("YP_BLESS") != nullptr;
  {
    auto writer = SpoolWriter::Open(bless ? golden : path, SpoolWriter::Mode::kTruncate);
    ASSERT_TRUE(writer) << writer.message();
    for (const Record& record : records) {
      ASSERT_TRUE(Append(writer->get(), record));
      ASSERT_TRUE((*writer)->Flush());
    }
  }
  if (!bless) {
    EXPECT_EQ(FileBytes(path), FileBytes(golden));
  }
  auto reader = SpoolReader::Open(golden);
  ASSERT_TRUE(reader) << reader.message();
  EXPECT_EQ(Images(ReadAll(reader->get())), Images(records));
}

TEST(SpoolTest, ASpoolOfVersion1StaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/v1.spool", FirstRecords());
}

TEST(SpoolTest, ASpoolThatTellsOfCompilationsStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/inlined.spool", FirstRecordsAnd(LaterRecords()));
}

TEST(SpoolTest, ASpoolWithContextsStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/contexts.spool", FirstRecordsAnd(ContextRecords()));
}

TEST(SpoolTest, ASpoolWithCountsByContextStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/context_counts.spool",
                              FirstRecordsAnd(ContextCountRecords()));
}

TEST(SpoolTest, ASpoolWithClocksOfCompilersStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/compiler_times.spool",
                              FirstRecordsAnd(ClockRecords()));
}

TEST(SpoolTest, ASpoolWithTicksStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/ticks.spool", FirstRecordsAnd(TickRecords()));
}

TEST(SpoolTest, ASpoolWithCallsOfSeveralStepsStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/steps.spool", FirstRecordsAnd(StepRecords()));
}

TEST(SpoolTest, ASpoolWithTestsStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/tests.spool", FirstRecordsAnd(TestRecords()));
}

TEST(SpoolTest, ASpoolWithUnexecutedCallsStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/unexecuted.spool",
                              FirstRecordsAnd(UnexecutedRecords()));
}

TEST(SpoolTest, ASpoolOfTheAdaptiveSystemStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/adaptive.spool", FirstRecordsAnd(AdaptiveRecords()));
}

TEST(SpoolTest, ASpoolWithInterpretedCallsStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/interpreted.spool",
                              FirstRecordsAnd(InterpretedRecords()));
}

TEST(SpoolTest, ASpoolWithCountsOfEntriesStaysReadableAndIsWrittenTheSame) {
  ExpectIsStillWrittenAndRead("testdata/corpus/entries.spool",
                              FirstRecordsAnd(EntryCountRecords()));
}

TEST(SpoolTest, AnEdgeHasTheStepsThatItWasToldWithAndOneWithoutThem) {
  const auto steps_of = [](const EdgeDefinition& edge) {
    std::vector<uint8_t> body;
    Encoder out(&body);
    EncodeBody(edge, &out);
    const std::optional<Record> decoded = DecodeBody(TypeOf(edge), body);
    return std::pair(body.size(), std::get<EdgeDefinition>(decoded.value()).steps);
  };
  EdgeDefinition edge{EdgeId{2}, Edge{MethodId{1}, 7, MethodId{0}}};
  const auto [bytes, one] = steps_of(edge);
  EXPECT_EQ(one, 1u);
  edge.steps = 64;
  EXPECT_EQ(steps_of(edge), std::pair(bytes + 1, 64u));
  edge.steps = 0;
  EXPECT_EQ(steps_of(edge).second, 1u) << "which no agent writes";
}

TEST(SpoolTest, ManyRecordsSpanManyFramesWithoutBeingAsked) {
  const TemporaryDirectory directory;
  const std::string path = directory / "long.yp-spool";
  constexpr uint64_t kRecords = 100'000;
  {
    auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kTruncate);
    ASSERT_TRUE(writer) << writer.message();
    for (uint64_t i = 0; i < kRecords; ++i) {
      ASSERT_TRUE((*writer)->Append(Counts{{{EdgeId{7}, i}, {EdgeId{1'000'000}, ~i}}}));
    }
    EXPECT_GT((*writer)->bytes_written(), 1'000'000u) << "appending must not keep all in memory";
  }
  auto reader = SpoolReader::Open(path);
  ASSERT_TRUE(reader) << reader.message();
  uint64_t next = 0;
  while (auto record = (*reader)->Next()) {
    const Counts& counts = std::get<Counts>(*record);
    ASSERT_EQ(counts.calls[0].second, next);
    ASSERT_EQ(counts.calls[1].second, ~next);
    ++next;
  }
  EXPECT_EQ(next, kRecords);
  EXPECT_GT((*reader)->damage().frames_read, 10u);
  EXPECT_FALSE((*reader)->damage().any());
}

TEST(SpoolTest, ARecordLongerThanAFrameUsuallyIsStillWritten) {
  const TemporaryDirectory directory;
  const std::string path = directory / "wide.yp-spool";
  Counts counts;
  for (uint32_t i = 0; i < 400'000; ++i) counts.calls.emplace_back(EdgeId{i}, i * 3u);
  {
    auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kTruncate);
    ASSERT_TRUE(writer) << writer.message();
    ASSERT_TRUE((*writer)->Append(counts));
  }
  auto reader = SpoolReader::Open(path);
  ASSERT_TRUE(reader) << reader.message();
  const std::vector<Record> records = ReadAll(reader->get());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(std::get<Counts>(records[0]).calls, counts.calls);
}

TEST(SpoolTest, ARecordOfAnUnknownTypeIsNotDecoded) {
  const std::vector<uint8_t> zeros(16, 0);
  EXPECT_FALSE(DecodeBody(static_cast<RecordType>(999), zeros).has_value());
  EXPECT_FALSE(DecodeBody(static_cast<RecordType>(0), zeros).has_value());
}

TEST(SpoolTest, FieldsThatALaterVersionAppendsAreIgnored) {
  std::vector<uint8_t> body;
  Encoder out(&body);
  EncodeBody(End{5, 6}, &out);
  out.String("a field of the future");
  const auto record = DecodeBody(End::kType, body);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(std::get<End>(*record).end_ns, 5);
  EXPECT_EQ(std::get<End>(*record).agent_cpu_ns, 6);
}

}  // namespace
}  // namespace yp::spool
