#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/jfr/jfr_jit_events.h"
#include "format/jfr/jfr_test_util.h"

// What the recordings in testdata say, as `jfr print --json` of the same JDK prints it.
namespace yp::jfr {
namespace {

struct Recording {
  JitRecording recording;
  CollectingSink sink;
};

Recording ReadGolden(const std::string& path) {
  Recording read;
  auto recording = ReadJitEvents(path, read.sink);
  EXPECT_TRUE(recording) << recording.message();
  if (recording) read.recording = *std::move(recording);
  return read;
}

template <typename T>
std::vector<T> Of(const std::vector<T>& events, int64_t compile_id) {
  std::vector<T> found;
  std::ranges::copy_if(events, std::back_inserter(found),
                       [&](const T& event) { return event.compile_id == compile_id; });
  return found;
}

int64_t SumOf(const std::vector<JitCompilation>& compilations,
              std::optional<int64_t> JitCompilation::*bytes) {
  int64_t sum = 0;
  for (const JitCompilation& compilation : compilations) sum += (compilation.*bytes).value_or(0);
  return sum;
}

// The one of its number, in all that JFR tells of it.
void ExpectCompilation(const std::vector<JitCompilation>& compilations,
                       const JitCompilation& expected) {
  SCOPED_TRACE(expected.compile_id);
  const auto found = Of(compilations, expected.compile_id);
  ASSERT_EQ(found.size(), 1u);
  const JitCompilation& compilation = found[0];
  EXPECT_EQ(compilation.method.full_name, expected.method.full_name);
  EXPECT_EQ(compilation.method.loader, expected.method.loader);
  EXPECT_EQ(compilation.compiler, expected.compiler);
  EXPECT_EQ(compilation.level, expected.level);
  EXPECT_EQ(compilation.thread, expected.thread);
  EXPECT_EQ(compilation.thread_id, expected.thread_id);
  EXPECT_EQ(compilation.start_ns, expected.start_ns);
  EXPECT_EQ(compilation.end_ns, expected.end_ns);
  EXPECT_EQ(compilation.failure, expected.failure);
  EXPECT_EQ(compilation.code_bytes, expected.code_bytes);
  EXPECT_EQ(compilation.inlined_bytes, expected.inlined_bytes);
  EXPECT_EQ(compilation.is_osr, expected.is_osr);
  EXPECT_EQ(compilation.succeeded, expected.succeeded);
}

void ExpectDeoptimization(const JitDeoptimization& found, const JitDeoptimization& expected) {
  EXPECT_EQ(found.time_ns, expected.time_ns);
  EXPECT_EQ(found.compile_id, expected.compile_id);
  EXPECT_EQ(found.method.full_name, expected.method.full_name);
  EXPECT_EQ(found.method.loader, expected.method.loader);
  EXPECT_EQ(found.bci, expected.bci);
  EXPECT_EQ(found.line, expected.line);
  EXPECT_EQ(found.reason, expected.reason);
  EXPECT_EQ(found.action, expected.action);
  EXPECT_EQ(found.thread, expected.thread);
}

void ExpectInlining(const JitInlining& found, const JitInlining& expected) {
  EXPECT_EQ(found.caller.full_name, expected.caller.full_name);
  EXPECT_EQ(found.caller.loader, expected.caller.loader);
  EXPECT_EQ(found.callee.full_name, expected.callee.full_name);
  EXPECT_EQ(found.callee.loader, expected.callee.loader);
  EXPECT_EQ(found.bci, expected.bci);
  EXPECT_EQ(found.reason, expected.reason);
  EXPECT_EQ(found.succeeded, expected.succeeded);
}

TEST(GoldenRecordingTest, OfJdk17) {
  const Recording read = ReadGolden("testdata/jdk17.jfr");
  const JitRecording& recording = read.recording;
  EXPECT_EQ(recording.file.start_unix_ns, 1795471297268505429);
  EXPECT_EQ(recording.file.chunks, 1);
  EXPECT_EQ(recording.file.events, 422u);
  EXPECT_FALSE(recording.file.cut_off);
  EXPECT_EQ(recording.jvm_version,
            "OpenJDK 64-Bit Server VM (17.0.21.1+2-1-deb12u1-Debian) for linux-amd64 JRE "
            "(17.0.21.1+2-1-deb12u1-Debian), built on Nov 19 2026 15:40:50 by \"buildd\" with gcc "
            "12.2.0");
  ASSERT_EQ(read.sink.compilations.size(), 22u);
  ASSERT_EQ(read.sink.inlinings.size(), 55u);
  ASSERT_EQ(read.sink.deoptimizations.size(), 4u);
  EXPECT_EQ(recording.failures.events, 3u);
  EXPECT_EQ(recording.failures_without_compilation, 0u);
  EXPECT_EQ(recording.events_without_method, 0u);
  EXPECT_EQ(recording.lost_bytes, 0u);
  for (const EventKeeping* keeping : {&recording.compilations, &recording.failures,
                                      &recording.inlinings, &recording.deoptimizations}) {
    EXPECT_TRUE(keeping->is_known);
    EXPECT_EQ(keeping->is_enabled, true);
  }
  EXPECT_EQ(recording.compilations.threshold_ns, 0);
  EXPECT_EQ(SumOf(read.sink.compilations, &JitCompilation::code_bytes), 9912);
  EXPECT_EQ(SumOf(read.sink.compilations, &JitCompilation::inlined_bytes), 213);
  EXPECT_EQ(std::ranges::count(read.sink.compilations, true, &JitCompilation::is_osr), 4);
  EXPECT_EQ(std::ranges::count(read.sink.inlinings, true, &JitInlining::succeeded), 53);

  // Code for entering a loop.
  ExpectCompilation(read.sink.compilations, {54,
                                             {"Tiny.loop(LTiny$Shape;I)V", "app"},
                                             true,
                                             std::nullopt,
                                             3,
                                             "c1",
                                             "C1 CompilerThread0",
                                             25920,
                                             std::nullopt,
                                             86264977,
                                             86622223,
                                             std::nullopt,
                                             true,
                                             "",
                                             1888,
                                             std::nullopt,
                                             33});

  // One that failed.
  ExpectCompilation(read.sink.compilations, {56,
                                             {"Tiny.loop(LTiny$Shape;I)V", "app"},
                                             true,
                                             std::nullopt,
                                             4,
                                             "c2",
                                             "C2 CompilerThread0",
                                             25919,
                                             std::nullopt,
                                             89239788,
                                             89337017,
                                             std::nullopt,
                                             false,
                                             "out of nodes parsing method",
                                             0,
                                             std::nullopt,
                                             0});

  // Of a loader without a name.
  ExpectCompilation(read.sink.compilations, {67,
                                             {"Tiny$Loaded.half(I)I", "java.net.URLClassLoader"},
                                             false,
                                             std::nullopt,
                                             3,
                                             "c1",
                                             "C1 CompilerThread0",
                                             25920,
                                             std::nullopt,
                                             94078952,
                                             94155084,
                                             std::nullopt,
                                             true,
                                             "",
                                             304,
                                             std::nullopt,
                                             0});

  // Of a hidden class.
  ExpectCompilation(read.sink.compilations, {50,
                                             {"Tiny$$Lambda.applyAsInt(I)I", "app"},
                                             false,
                                             std::nullopt,
                                             3,
                                             "c1",
                                             "C1 CompilerThread0",
                                             25920,
                                             std::nullopt,
                                             78976239,
                                             79006157,
                                             std::nullopt,
                                             true,
                                             "",
                                             472,
                                             std::nullopt,
                                             4});

  ExpectDeoptimization(read.sink.deoptimizations.back(), {90975333,
                                                          52,
                                                          false,
                                                          0,
                                                          {"Tiny.measure(LTiny$Shape;I)I", "app"},
                                                          2,
                                                          38,
                                                          "class_check",
                                                          "maybe_recompile",
                                                          "main"});

  const auto inlinings = Of(read.sink.inlinings, 50);
  ASSERT_EQ(inlinings.size(), 1u);
  ExpectInlining(inlinings[0], {50,
                                false,
                                {"Tiny$$Lambda.applyAsInt(I)I", "app"},
                                1,
                                {"Tiny.lambda$loop$0(I)I", ""},
                                true,
                                "inline"});
}

TEST(GoldenRecordingTest, OfJdk25) {
  const Recording read = ReadGolden("testdata/jdk25.jfr");
  const JitRecording& recording = read.recording;
  EXPECT_EQ(recording.file.start_unix_ns, 1795471299987336805);
  EXPECT_EQ(recording.file.chunks, 1);
  EXPECT_EQ(recording.file.events, 459u);
  EXPECT_FALSE(recording.file.cut_off);
  EXPECT_EQ(recording.jvm_version,
            "OpenJDK 64-Bit Server VM (25.0.3+9-LTS) for linux-amd64 JRE (25.0.3+9-LTS), built on "
            "2026-04-21T00:00:00Z with gcc 14.2.0");
  ASSERT_EQ(read.sink.compilations.size(), 20u);
  ASSERT_EQ(read.sink.inlinings.size(), 55u);
  ASSERT_EQ(read.sink.deoptimizations.size(), 4u);
  EXPECT_EQ(recording.failures.events, 3u);
  EXPECT_EQ(recording.failures_without_compilation, 0u);
  EXPECT_EQ(recording.events_without_method, 0u);
  EXPECT_EQ(recording.lost_bytes, 0u);
  for (const EventKeeping* keeping : {&recording.compilations, &recording.failures,
                                      &recording.inlinings, &recording.deoptimizations}) {
    EXPECT_TRUE(keeping->is_known);
    EXPECT_EQ(keeping->is_enabled, true);
  }
  EXPECT_EQ(recording.compilations.threshold_ns, 0);
  EXPECT_EQ(SumOf(read.sink.compilations, &JitCompilation::code_bytes), 8944);
  EXPECT_EQ(SumOf(read.sink.compilations, &JitCompilation::inlined_bytes), 209);
  EXPECT_EQ(std::ranges::count(read.sink.compilations, true, &JitCompilation::is_osr), 4);
  EXPECT_EQ(std::ranges::count(read.sink.inlinings, true, &JitInlining::succeeded), 52);

  // Code for entering a loop.
  ExpectCompilation(read.sink.compilations, {71,
                                             {"Tiny.loop(LTiny$Shape;I)V", "app"},
                                             true,
                                             std::nullopt,
                                             3,
                                             "c1",
                                             "C1 CompilerThread0",
                                             26103,
                                             std::nullopt,
                                             111571006,
                                             111828757,
                                             std::nullopt,
                                             true,
                                             "",
                                             1760,
                                             std::nullopt,
                                             33});

  // One that failed.
  ExpectCompilation(read.sink.compilations, {73,
                                             {"Tiny.loop(LTiny$Shape;I)V", "app"},
                                             true,
                                             std::nullopt,
                                             4,
                                             "c2",
                                             "C2 CompilerThread0",
                                             26102,
                                             std::nullopt,
                                             112181905,
                                             112249455,
                                             std::nullopt,
                                             false,
                                             "out of nodes parsing method",
                                             0,
                                             std::nullopt,
                                             0});

  // Of a loader without a name.
  ExpectCompilation(read.sink.compilations, {85,
                                             {"Tiny$Loaded.half(I)I", "java.net.URLClassLoader"},
                                             false,
                                             std::nullopt,
                                             3,
                                             "c1",
                                             "C1 CompilerThread0",
                                             26103,
                                             std::nullopt,
                                             116029452,
                                             116096381,
                                             std::nullopt,
                                             true,
                                             "",
                                             296,
                                             std::nullopt,
                                             0});

  ExpectDeoptimization(read.sink.deoptimizations.back(), {113611521,
                                                          69,
                                                          false,
                                                          0,
                                                          {"Tiny.measure(LTiny$Shape;I)I", "app"},
                                                          2,
                                                          38,
                                                          "class_check",
                                                          "maybe_recompile",
                                                          "main"});

  const auto inlinings = Of(read.sink.inlinings, 68);
  ASSERT_EQ(inlinings.size(), 2u);
  ExpectInlining(inlinings[1], {68,
                                false,
                                {"Tiny$$Lambda.applyAsInt(I)I", "app"},
                                1,
                                {"Tiny.lambda$loop$0(I)I", ""},
                                true,
                                "inline"});
}

}  // namespace
}  // namespace yp::jfr
