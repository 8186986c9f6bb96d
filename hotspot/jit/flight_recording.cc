#include "hotspot/jit/flight_recording.h"

#include <utility>

#include "hotspot/support/java_calls.h"

namespace yp::hotspot {
namespace {

constexpr char kRecording[] = "jdk/jfr/Recording";
constexpr std::pair<const char*, const char*> kSettings[] = {
    {"jdk.Compilation#enabled", "true"},        {"jdk.Compilation#threshold", "0 ns"},
    {"jdk.CompilationFailure#enabled", "true"}, {"jdk.CompilerInlining#enabled", "true"},
    {"jdk.Deoptimization#enabled", "true"},     {"jdk.Deoptimization#stackTrace", "false"},
    {"jdk.JVMInformation#enabled", "true"},     {"jdk.JVMInformation#period", "beginChunk"},
    {"jdk.ActiveSetting#enabled", "true"},
};

}  // namespace

Result<std::unique_ptr<FlightRecording>> FlightRecording::Start(JNIEnv* jni,
                                                                const std::string& path) {
  std::unique_ptr<FlightRecording> started(new FlightRecording(path));
  JavaCalls java(jni);
  // Images that jlink has made often lack it.
  if (jni->FindClass(kRecording) == nullptr) {
    jni->ExceptionClear();
    return Status::Error(
        "this Java runtime has no module jdk.jfr: use that of a JDK, or add the module to the "
        "image (jlink --add-modules jdk.jfr)");
  }
  const auto of = [](auto value) { return JavaCalls::Of(value); };
  const jobject settings = java.New("java/util/HashMap", "()V");
  for (const auto& [key, value] : kSettings) {
    java.Call(settings, "java/util/Map", "put",
              "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
              {of(java.Text(key)), of(java.Text(value))});
  }
  const jobject recording = java.New(kRecording, "(Ljava/util/Map;)V", {of(settings)});
  java.Call(recording, kRecording, "setName", "(Ljava/lang/String;)V",
            {of(java.Text("Yieldpoint"))});
  java.Call(recording, kRecording, "setToDisk", "(Z)V", {of(true)});
  java.Call(recording, kRecording, "setDumpOnExit", "(Z)V", {of(true)});
  const jobject file = java.New("java/io/File", "(Ljava/lang/String;)V", {of(java.Text(path))});
  const jobject destination = java.Call(file, "java/io/File", "toPath", "()Ljava/nio/file/Path;");
  java.Call(recording, kRecording, "setDestination", "(Ljava/nio/file/Path;)V", {of(destination)});
  java.Call(recording, kRecording, "start", "()V");
  const jobject repository =
      java.CallStatic("java/lang/System", "getProperty", "(Ljava/lang/String;)Ljava/lang/String;",
                      {of(java.Text("jdk.jfr.repository"))});
  if (!java.ok()) {
    JavaCalls(jni).Call(recording, kRecording, "close", "()V");
    return Status::Error("this JVM's flight recorder says " + java.error());
  }
  started->repository_ = java.TextOf(repository);
  started->recording_ = jni->NewGlobalRef(recording);
  return started;
}

Status FlightRecording::Stop(JNIEnv* jni) {
  JavaCalls java(jni);
  java.Call(recording_, kRecording, "stop", "()Z");
  java.Call(recording_, kRecording, "close", "()V");
  jni->DeleteGlobalRef(recording_);
  recording_ = nullptr;
  return java.ok() ? Status::Ok() : Status::Error(java.error());
}

}  // namespace yp::hotspot
