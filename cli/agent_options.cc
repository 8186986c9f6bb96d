#include "cli/agent_options.h"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

namespace yp {
namespace {

namespace fs = std::filesystem;

// In the program's folder's `build_place`, or where it is installed; empty when it is in neither.
std::string LibraryBeside(const fs::path& directory, const char* build_place, const char* name) {
  for (const char* place : {build_place, "../lib", "../lib/yieldpoint"}) {
    std::error_code error;
    const fs::path library = (directory / place / name).lexically_normal();
    if (fs::is_regular_file(library, error)) return library.native();
  }
  return "";
}

}  // namespace

RecordingOptions ForAgent(const ProfilingOptions& options) {
  ProfilingOptions told = options;
  told.stack_interval_ns = told.tick_ns;
  // A clock counts ns.
  if (!told.event) {
    told.event.emplace(ProfilingOptions::Event{}).period = static_cast<uint64_t>(told.tick_ns);
  }
  return told;
}

std::string FormatAgentOptions(const ProfilingOptions& options, std::string_view spool_pattern) {
  RecordingOptions told = ForAgent(options);
  told.spool = spool_pattern;
  return WriteOptionString(told);
}

std::vector<std::string> JvmOptions(const ProfilingOptions& options, const std::string& library,
                                    std::string_view spool_pattern) {
  std::vector<std::string> all;
  // Else C2 keeps no trace of most of the small methods that it inlines.
  if (options.WantsDebugInfo()) {
    all = {"-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"};
  }
  all.push_back("-agentpath:" + library + "=" + FormatAgentOptions(options, spool_pattern));
  return all;
}

std::string AgentStopOptions() { return "command=stop"; }

Result<std::string> FindAgentLibrary(const std::string& program_path) {
  std::error_code error;
  const fs::path directory = fs::canonical(program_path, error).parent_path();
  if (error) {
    return Status::Error(
        fmt::format("cannot find my own path: {}: {}", program_path, error.message()));
  }
  const std::string library = LibraryBeside(directory, "../hotspot", "libyieldpoint.so");
  if (library.empty()) {
    return Status::Error(fmt::format(
        "the agent libyieldpoint.so is not beside {}: build it (cmake --build) or install "
        "it in ../lib",
        directory.native()));
  }
  // The JVM ends the library's path at the first "=".
  if (library.find('=') != std::string::npos) {
    return Status::Error(
        fmt::format("a JVM cannot load an agent whose path has a \"=\": move {}", library));
  }
  return library;
}

Result<CompilerFiles> FindCompilerFiles() {
  std::error_code error;
  const fs::path directory = fs::canonical("/proc/self/exe", error).parent_path();
  const auto find = [&](const char* name) {
    return error ? "" : LibraryBeside(directory, "../compiler", name);
  };
  CompilerFiles files{find("libyieldpoint_compiler.so"), find("yieldpoint-compiler.jar")};
  if (files.library.empty() || files.jar.empty()) {
    return Status::Error(fmt::format(
        "the compiler, libyieldpoint_compiler.so and yieldpoint-compiler.jar, is not beside {}: "
        "build it (cmake --build)",
        directory.native()));
  }
  return files;
}

std::string FindLaunchLibrary() {
  std::error_code error;
  const fs::path program = fs::canonical("/proc/self/exe", error);
  return error ? "" : LibraryBeside(program.parent_path(), "launch", "libyplaunch.so");
}

}  // namespace yp
