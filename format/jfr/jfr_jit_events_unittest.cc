#include "format/jfr/jfr_jit_events.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/jfr/jfr_test_util.h"

namespace yp::jfr {
namespace {

enum JitTypeId : int64_t {
  kThread = kFirstTypeOfATest,
  kLoader,
  kMethod,
  kCallee,
  kCompilation,
  kFailure,
  kInlining,
  kDeoptimization,
  kSetting,
  kLoss,
  kJvm,
};

std::vector<TestType> JitTypes() {
  return {
      {kInt, "int", {}},
      {kLong, "long", {}},
      {kBoolean, "boolean", {}},
      {kString, "java.lang.String", {}},
      {kThread, "java.lang.Thread", {{"osName", kString}, {"javaName", kString}}},
      {kClass, "java.lang.Class", {{"classLoader", kLoader, true}, {"name", kString}}},
      {kLoader, "jdk.types.ClassLoader", {{"type", kClass, true}, {"name", kString}}},
      {kMethod,
       "jdk.types.Method",
       {{"type", kClass, true}, {"name", kString}, {"descriptor", kString}}},
      {kCallee,
       "jdk.types.CalleeMethod",
       {{"type", kString}, {"name", kString}, {"descriptor", kString}}},
      {kCompilation,
       "jdk.Compilation",
       {{"startTime", kLong},
        {"duration", kLong},
        {"eventThread", kThread, true},
        {"compileId", kInt},
        {"method", kMethod, true},
        {"succeded", kBoolean}}},
      {kFailure,
       "jdk.CompilationFailure",
       {{"startTime", kLong}, {"failureMessage", kString}, {"compileId", kInt}}},
      {kInlining,
       "jdk.CompilerInlining",
       {{"compileId", kInt}, {"caller", kMethod, true}, {"callee", kCallee}}},
      {kSetting, "jdk.ActiveSetting", {{"id", kLong}, {"name", kString}, {"value", kString}}},
      {kLoss, "jdk.DataLoss", {{"amount", kLong}, {"total", kLong}}},
      {kJvm, "jdk.JVMInformation", {{"jvmVersion", kString}}},
  };
}

// Methods 1 to 5: of the bootstrap loader, of "app", of a loader without a name, of a class that is
// not known, and without a name.
std::vector<TestPool> Constants() {
  const auto class_of = [](int64_t loader, const char* name) {
    return Bytes().Varint(loader).Utf8(name);
  };
  const auto method_of = [](int64_t type) { return Bytes().Varint(type).Utf8("run").Utf8("()V"); };
  return {
      {kThread,
       {{1, Bytes().Utf8("os").Utf8("C2 CompilerThread0")}, {2, Bytes().Utf8("os").Byte(0)}}},
      {kClass,
       {{1, class_of(0, "java/lang/Object")},
        {2, class_of(1, "app/Main$Inner")},
        {3, class_of(2, "Loaded")},
        {4, class_of(0, "app/MyLoader")}}},
      {kLoader, {{1, Bytes().Varint(4).Utf8("app")}, {2, Bytes().Varint(4).Byte(0)}}},
      {kMethod,
       {{1, method_of(1)},
        {2, method_of(2)},
        {3, method_of(3)},
        {4, method_of(9)},
        {5, Bytes().Varint(1).Byte(0).Byte(0)}}},
  };
}

Bytes Compilation(int64_t id, int64_t method, bool succeeded) {
  return Bytes().Varint(2000).Varint(100).Varint(1).Varint(id).Varint(method).Byte(succeeded ? 1
                                                                                             : 0);
}

Bytes Failure(int64_t id, const char* message) {
  return Bytes().Varint(2000).Utf8(message).Varint(id);
}

Bytes Setting(int64_t type, const char* name, const char* value) {
  return Bytes().Varint(type).Utf8(name).Utf8(value);
}

JitRecording ReadJit(ChunkBuilder builder, CollectingSink& sink) {
  const auto bytes = builder.Checkpoint(Constants()).Metadata(JitTypes()).Build();
  auto recording = ReadJitEvents(bytes, "a.jfr", sink);
  EXPECT_TRUE(recording) << recording.message();
  return recording ? *std::move(recording) : JitRecording();
}

TEST(JitEventsTest, MethodsAreNamedWithTheirLoaders) {
  ChunkBuilder builder;
  for (int64_t method = 0; method <= 5; ++method) {
    builder.Event(kCompilation, Compilation(10 + method, method, true));
  }
  CollectingSink sink;
  const JitRecording recording = ReadJit(builder, sink);
  ASSERT_EQ(sink.compilations.size(), 3u);
  EXPECT_EQ(sink.compilations[0].method,
            (JitMethod{.full_name = "java.lang.Object.run()V", .loader = "bootstrap"}));
  EXPECT_EQ(sink.compilations[1].method,
            (JitMethod{.full_name = "app.Main$Inner.run()V", .loader = "app"}));
  EXPECT_EQ(sink.compilations[2].method,
            (JitMethod{.full_name = "Loaded.run()V", .loader = "app.MyLoader"}));
  EXPECT_EQ(sink.compilations[0].thread, "C2 CompilerThread0");
  EXPECT_EQ(sink.compilations[0].start_ns, 1000);
  EXPECT_EQ(sink.compilations[0].end_ns, 1100);
  EXPECT_FALSE(sink.compilations[0].code_bytes) << "a field that this JDK does not have";
  EXPECT_EQ(recording.events_without_method, 3u);
  EXPECT_EQ(recording.compilations.events, 6u);
}

TEST(JitEventsTest, FailuresFindTheirCompilationsInEitherOrder) {
  ChunkBuilder builder;
  builder.Event(kFailure, Failure(1, "out of nodes"))
      .Event(kCompilation, Compilation(1, 1, false))
      .Event(kCompilation, Compilation(2, 1, false))
      .Event(kCompilation, Compilation(3, 2, false))
      .Event(kFailure, Failure(2, "stack map"))
      .Event(kFailure, Failure(4, "of a short one"));
  CollectingSink sink;
  const JitRecording recording = ReadJit(builder, sink);
  ASSERT_EQ(sink.compilations.size(), 3u);
  for (const JitCompilation& compilation : sink.compilations) EXPECT_FALSE(compilation.succeeded);
  EXPECT_EQ(sink.compilations[0].failure, "out of nodes");
  EXPECT_EQ(sink.compilations[1].compile_id, 2);
  EXPECT_EQ(sink.compilations[1].failure, "stack map");
  EXPECT_EQ(sink.compilations[2].failure, "");
  EXPECT_EQ(recording.failures_without_compilation, 1u);
}

TEST(JitEventsTest, InliningsNameTheirCallee) {
  ChunkBuilder builder;
  builder.Event(
      kInlining,
      Bytes().Varint(0xffffffff).Varint(2).Utf8("app/L$$Lambda$4/0x08").Utf8("call").Utf8("(I)I"));
  builder.Event(kInlining, Bytes().Varint(1).Varint(2).Byte(0).Utf8("call").Utf8("(I)I"));
  CollectingSink sink;
  const JitRecording recording = ReadJit(builder, sink);
  ASSERT_EQ(sink.inlinings.size(), 1u);
  EXPECT_EQ(sink.inlinings[0].compile_id, 0xffffffff) << "unsigned";
  EXPECT_EQ(sink.inlinings[0].caller.full_name, "app.Main$Inner.run()V");
  EXPECT_EQ(sink.inlinings[0].callee.full_name, "app.L$$Lambda.call(I)I");
  EXPECT_EQ(sink.inlinings[0].bci, kNoBci);
  EXPECT_EQ(recording.events_without_method, 1u);
}

TEST(JitEventsTest, TheRecordingSaysWhatItLacks) {
  ChunkBuilder builder;
  builder.Event(kSetting, Setting(kCompilation, "threshold", "1000 ms"))
      .Event(kSetting, Setting(kCompilation, "enabled", "true"))
      .Event(kSetting, Setting(kCompilation, "threshold", "20 ms"))
      .Event(kSetting, Setting(kInlining, "enabled", "false"))
      .Event(kSetting, Setting(999, "enabled", "true"))
      .Event(kLoss, Bytes().Varint(100).Varint(100))
      .Event(kLoss, Bytes().Varint(30).Varint(130))
      .Event(kJvm, Bytes().Utf8("OpenJDK 64-Bit Server VM (17)"));
  CollectingSink sink;
  const JitRecording recording = ReadJit(builder, sink);
  EXPECT_EQ(recording.compilations.is_enabled, true);
  EXPECT_EQ(recording.compilations.threshold_ns, 1'000'000'000);
  EXPECT_EQ(recording.inlinings.is_enabled, false);
  EXPECT_TRUE(recording.inlinings.is_known);
  EXPECT_EQ(recording.failures.is_enabled, std::nullopt);
  EXPECT_FALSE(recording.deoptimizations.is_known) << "as before JDK 14";
  EXPECT_EQ(recording.lost_bytes, 130u);
  EXPECT_EQ(recording.jvm_version, "OpenJDK 64-Bit Server VM (17)");
}

TEST(JitEventsTest, ErrorsAreTheFiles) {
  CollectingSink sink;
  EXPECT_FALSE(ReadJitEvents("testdata/missing.jfr", sink));
}

TEST(ParseThresholdTest, TakesWhatJfrWrites) {
  EXPECT_EQ(ParseThresholdNs("0 ns"), 0);
  EXPECT_EQ(ParseThresholdNs("20 ms"), 20'000'000);
  EXPECT_EQ(ParseThresholdNs("1s"), 1'000'000'000);
  EXPECT_EQ(ParseThresholdNs("2 h"), 7'200'000'000'000);
  for (const char* none : {"", "20", "ms", "20 parsecs", "9999999999999 d"}) {
    EXPECT_EQ(ParseThresholdNs(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace yp::jfr
