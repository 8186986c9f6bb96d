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

Recording Read(const std::string& path) {
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

TEST(GoldenRecordingTest, OfJdk17) {
  const Recording read = Read("testdata/jdk17.jfr");
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
  {
    const auto found = Of(read.sink.compilations, 54);
    ASSERT_EQ(found.size(), 1u);
    const JitCompilation& compilation = found[0];
    EXPECT_EQ(compilation.method.full_name, "Tiny.loop(LTiny$Shape;I)V");
    EXPECT_EQ(compilation.method.loader, "app");
    EXPECT_EQ(compilation.compiler, "c1");
    EXPECT_EQ(compilation.level, 3);
    EXPECT_EQ(compilation.thread, "C1 CompilerThread0");
    EXPECT_EQ(compilation.start_ns, 86264977);
    EXPECT_EQ(compilation.end_ns, 86622223);
    EXPECT_EQ(compilation.failure, "");
    EXPECT_EQ(compilation.code_bytes, 1888);
    EXPECT_EQ(compilation.inlined_bytes, 33);
    EXPECT_TRUE(compilation.is_osr);
    EXPECT_TRUE(compilation.succeeded);
  }

  // One that failed.
  {
    const auto found = Of(read.sink.compilations, 56);
    ASSERT_EQ(found.size(), 1u);
    const JitCompilation& compilation = found[0];
    EXPECT_EQ(compilation.method.full_name, "Tiny.loop(LTiny$Shape;I)V");
    EXPECT_EQ(compilation.method.loader, "app");
    EXPECT_EQ(compilation.compiler, "c2");
    EXPECT_EQ(compilation.level, 4);
    EXPECT_EQ(compilation.thread, "C2 CompilerThread0");
    EXPECT_EQ(compilation.start_ns, 89239788);
    EXPECT_EQ(compilation.end_ns, 89337017);
    EXPECT_EQ(compilation.failure, "out of nodes parsing method");
    EXPECT_EQ(compilation.code_bytes, 0);
    EXPECT_EQ(compilation.inlined_bytes, 0);
    EXPECT_TRUE(compilation.is_osr);
    EXPECT_FALSE(compilation.succeeded);
  }

  // Of a loader without a name.
  {
    const auto found = Of(read.sink.compilations, 67);
    ASSERT_EQ(found.size(), 1u);
    const JitCompilation& compilation = found[0];
    EXPECT_EQ(compilation.method.full_name, "Tiny$Loaded.half(I)I");
    EXPECT_EQ(compilation.method.loader, "java.net.URLClassLoader");
    EXPECT_EQ(compilation.compiler, "c1");
    EXPECT_EQ(compilation.level, 3);
    EXPECT_EQ(compilation.thread, "C1 CompilerThread0");
    EXPECT_EQ(compilation.start_ns, 94078952);
    EXPECT_EQ(compilation.end_ns, 94155084);
    EXPECT_EQ(compilation.failure, "");
    EXPECT_EQ(compilation.code_bytes, 304);
    EXPECT_EQ(compilation.inlined_bytes, 0);
    EXPECT_FALSE(compilation.is_osr);
    EXPECT_TRUE(compilation.succeeded);
  }

  // Of a hidden class.
  {
    const auto found = Of(read.sink.compilations, 50);
    ASSERT_EQ(found.size(), 1u);
    const JitCompilation& compilation = found[0];
    EXPECT_EQ(compilation.method.full_name, "Tiny$$Lambda.applyAsInt(I)I");
    EXPECT_EQ(compilation.method.loader, "app");
    EXPECT_EQ(compilation.compiler, "c1");
    EXPECT_EQ(compilation.level, 3);
    EXPECT_EQ(compilation.thread, "C1 CompilerThread0");
    EXPECT_EQ(compilation.start_ns, 78976239);
    EXPECT_EQ(compilation.end_ns, 79006157);
    EXPECT_EQ(compilation.failure, "");
    EXPECT_EQ(compilation.code_bytes, 472);
    EXPECT_EQ(compilation.inlined_bytes, 4);
    EXPECT_FALSE(compilation.is_osr);
    EXPECT_TRUE(compilation.succeeded);
  }

  {
    const JitDeoptimization& last = read.sink.deoptimizations.back();
    EXPECT_EQ(last.time_ns, 90975333);
    EXPECT_EQ(last.compile_id, 52);
    EXPECT_EQ(last.method.full_name, "Tiny.measure(LTiny$Shape;I)I");
    EXPECT_EQ(last.method.loader, "app");
    EXPECT_EQ(last.bci, 2);
    EXPECT_EQ(last.line, 38);
    EXPECT_EQ(last.reason, "class_check");
    EXPECT_EQ(last.action, "maybe_recompile");
    EXPECT_EQ(last.thread, "main");
  }

  {
    const auto found = Of(read.sink.inlinings, 50);
    ASSERT_EQ(found.size(), 1u);
    const JitInlining& inlining = found[0];
    EXPECT_EQ(inlining.caller.full_name, "Tiny$$Lambda.applyAsInt(I)I");
    EXPECT_EQ(inlining.caller.loader, "app");
    EXPECT_EQ(inlining.callee.full_name, "Tiny.lambda$loop$0(I)I");
    EXPECT_EQ(inlining.callee.loader, "");
    EXPECT_EQ(inlining.bci, 1);
    EXPECT_EQ(inlining.reason, "inline");
    EXPECT_TRUE(inlining.succeeded);
  }
}

TEST(GoldenRecordingTest, OfJdk25) {
  const Recording read = Read("testdata/jdk25.jfr");
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
  {
    const auto found = Of(read.sink.compilations, 71);
    ASSERT_EQ(found.size(), 1u);
    const JitCompilation& compilation = found[0];
    EXPECT_EQ(compilation.method.full_name, "Tiny.loop(LTiny$Shape;I)V");
    EXPECT_EQ(compilation.method.loader, "app");
    EXPECT_EQ(compilation.compiler, "c1");
    EXPECT_EQ(compilation.level, 3);
    EXPECT_EQ(compilation.thread, "C1 CompilerThread0");
    EXPECT_EQ(compilation.start_ns, 111571006);
    EXPECT_EQ(compilation.end_ns, 111828757);
    EXPECT_EQ(compilation.failure, "");
    EXPECT_EQ(compilation.code_bytes, 1760);
    EXPECT_EQ(compilation.inlined_bytes, 33);
    EXPECT_TRUE(compilation.is_osr);
    EXPECT_TRUE(compilation.succeeded);
  }

  // One that failed.
  {
    const auto found = Of(read.sink.compilations, 73);
    ASSERT_EQ(found.size(), 1u);
    const JitCompilation& compilation = found[0];
    EXPECT_EQ(compilation.method.full_name, "Tiny.loop(LTiny$Shape;I)V");
    EXPECT_EQ(compilation.method.loader, "app");
    EXPECT_EQ(compilation.compiler, "c2");
    EXPECT_EQ(compilation.level, 4);
    EXPECT_EQ(compilation.thread, "C2 CompilerThread0");
    EXPECT_EQ(compilation.start_ns, 112181905);
    EXPECT_EQ(compilation.end_ns, 112249455);
    EXPECT_EQ(compilation.failure, "out of nodes parsing method");
    EXPECT_EQ(compilation.code_bytes, 0);
    EXPECT_EQ(compilation.inlined_bytes, 0);
    EXPECT_TRUE(compilation.is_osr);
    EXPECT_FALSE(compilation.succeeded);
  }

  // Of a loader without a name.
  {
    const auto found = Of(read.sink.compilations, 85);
    ASSERT_EQ(found.size(), 1u);
    const JitCompilation& compilation = found[0];
    EXPECT_EQ(compilation.method.full_name, "Tiny$Loaded.half(I)I");
    EXPECT_EQ(compilation.method.loader, "java.net.URLClassLoader");
    EXPECT_EQ(compilation.compiler, "c1");
    EXPECT_EQ(compilation.level, 3);
    EXPECT_EQ(compilation.thread, "C1 CompilerThread0");
    EXPECT_EQ(compilation.start_ns, 116029452);
    EXPECT_EQ(compilation.end_ns, 116096381);
    EXPECT_EQ(compilation.failure, "");
    EXPECT_EQ(compilation.code_bytes, 296);
    EXPECT_EQ(compilation.inlined_bytes, 0);
    EXPECT_FALSE(compilation.is_osr);
    EXPECT_TRUE(compilation.succeeded);
  }

  {
    const JitDeoptimization& last = read.sink.deoptimizations.back();
    EXPECT_EQ(last.time_ns, 113611521);
    EXPECT_EQ(last.compile_id, 69);
    EXPECT_EQ(last.method.full_name, "Tiny.measure(LTiny$Shape;I)I");
    EXPECT_EQ(last.method.loader, "app");
    EXPECT_EQ(last.bci, 2);
    EXPECT_EQ(last.line, 38);
    EXPECT_EQ(last.reason, "class_check");
    EXPECT_EQ(last.action, "maybe_recompile");
    EXPECT_EQ(last.thread, "main");
  }

  {
    const auto found = Of(read.sink.inlinings, 68);
    ASSERT_EQ(found.size(), 2u);
    const JitInlining& inlining = found[1];
    EXPECT_EQ(inlining.caller.full_name, "Tiny$$Lambda.applyAsInt(I)I");
    EXPECT_EQ(inlining.caller.loader, "app");
    EXPECT_EQ(inlining.callee.full_name, "Tiny.lambda$loop$0(I)I");
    EXPECT_EQ(inlining.callee.loader, "");
    EXPECT_EQ(inlining.bci, 1);
    EXPECT_EQ(inlining.reason, "inline");
    EXPECT_TRUE(inlining.succeeded);
  }
}

}  // namespace
}  // namespace yp::jfr
