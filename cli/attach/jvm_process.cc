#include "cli/attach/jvm_process.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/attach/jvm_options.h"

namespace yp {
namespace {

// Empty when the file cannot be read: the process may end between opening and reading.
std::optional<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 4096> part;
  do {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<size_t>(file.gcount()));
  } while (file);
  if (file.bad()) return std::nullopt;
  return text;
}

std::vector<std::string> SplitAtNul(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '\0');) parts.push_back(part);
  return parts;
}

// The fields of /proc/PID/status (see proc_pid_status(5)). False for a zombie.
bool ParseStatus(const std::string& status, JvmProcess* process) {
  std::istringstream in(status);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string key;
    fields >> key;
    if (key == "State:") {
      char state = 0;
      fields >> state;
      if (state == 'Z' || state == 'X') return false;
    } else if (key == "Uid:") {
      uid_t real = 0;
      fields >> real >> process->euid;
    } else if (key == "Gid:") {
      gid_t real = 0;
      fields >> real >> process->egid;
    } else if (key == "NSpid:") {
      for (pid_t inner = 0; fields >> inner;) process->inner_pid = inner;
    } else if (key == "SigCgt:") {
      uint64_t caught = 0;
      fields >> std::hex >> caught;
      process->handles_sigquit = ((caught >> (SIGQUIT - 1)) & 1) != 0;
    }
  }
  return true;
}

void ReadOptions(const std::string& directory, JvmProcess* process) {
  JvmOptionSources sources;
  sources.arguments = SplitAtNul(ReadFile(directory + "/cmdline").value_or(""));
  for (const std::string& variable : SplitAtNul(ReadFile(directory + "/environ").value_or(""))) {
    for (const auto& [name, value] : {std::pair("JAVA_TOOL_OPTIONS=", &sources.java_tool_options),
                                      std::pair("JDK_JAVA_OPTIONS=", &sources.jdk_java_options),
                                      std::pair("_JAVA_OPTIONS=", &sources.java_options)}) {
      if (variable.starts_with(name)) *value = variable.substr(std::strlen(name));
    }
  }
  sources.read_file = [&](const std::string& path) {
    return ReadFile(directory + (path.starts_with("/") ? "/root" : "/cwd/") + path);
  };
  process->options = ExpandJvmOptions(sources);
}

// The paths of libraries that the process has mapped, by the name of their files.
std::vector<std::string> MappedLibraries(const std::string& maps, std::string_view name) {
  constexpr std::string_view kDeleted = " (deleted)";
  std::vector<std::string> libraries;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    const size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    std::string path = line.substr(slash);
    if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
    const bool is_new = std::ranges::find(libraries, path) == libraries.end();
    if (is_new && path.substr(path.rfind('/') + 1) == name) libraries.push_back(path);
  }
  return libraries;
}

// Whether two links of /proc lead to the same namespace; true when they cannot be compared.
bool SameNamespace(const std::string& a, const std::string& b) {
  struct stat first {};
  struct stat second {};
  if (stat(a.c_str(), &first) != 0 || stat(b.c_str(), &second) != 0) return true;
  return first.st_ino == second.st_ino && first.st_dev == second.st_dev;
}

}  // namespace

Result<JvmProcess> InspectProcess(pid_t pid, const std::string& proc_root) {
  const std::string directory = fmt::format("{}/{}", proc_root, pid);
  JvmProcess process;
  process.pid = process.inner_pid = pid;
  const std::optional<std::string> status = ReadFile(directory + "/status");
  if (!status || !ParseStatus(*status, &process)) {
    return Status::Error(
        fmt::format("there is no process {}: list the JVMs with jps -l or pgrep -a java", pid));
  }
  const std::optional<std::string> maps = ReadFile(directory + "/maps");
  if (!maps) {
    return Status::Error(
        fmt::format("process {} (uid {}) may not be looked at: run yp as its user or as root", pid,
                    process.euid));
  }
  process.has_libjvm = maps->find("/libjvm.so") != std::string::npos;
  process.agent_libraries = MappedLibraries(*maps, "libyieldpoint.so");
  process.has_openj9 = maps->find("/libj9vm") != std::string::npos;
  process.same_mount_namespace = SameNamespace(proc_root + "/self/ns/mnt", directory + "/ns/mnt");
  ReadOptions(directory, &process);
  return process;
}

Status CheckAttachable(const JvmProcess& process, uid_t euid) {
  const pid_t pid = process.pid;
  if (euid != 0 && euid != process.euid) {
    return Status::Error(
        fmt::format("process {} runs as uid {}, yp as uid {}: a JVM lets only its own user and "
                    "root in; run yp as that user",
                    pid, process.euid, euid));
  }
  if (process.has_openj9) {
    return Status::Error(fmt::format(
        "process {} is an OpenJ9 JVM; Yieldpoint needs HotSpot (OpenJDK 11 or later)", pid));
  }
  if (!process.has_libjvm) {
    return Status::Error(
        fmt::format("process {} is no JVM (it has not loaded libjvm.so): list the JVMs with jps -l "
                    "or pgrep -a java",
                    pid));
  }
  if (FlagOf(process.options, "DisableAttachMechanism").value_or(false)) {
    return Status::Error(
        fmt::format("JVM {} was started with -XX:+DisableAttachMechanism: start it without that "
                    "option, or with the agent from the beginning through yp run",
                    pid));
  }
  if (!FlagOf(process.options, "EnableDynamicAgentLoading").value_or(true)) {
    return Status::Error(
        fmt::format("JVM {} was started with -XX:-EnableDynamicAgentLoading: start it without that "
                    "option, or with the agent from the beginning through yp run",
                    pid));
  }
  if (!process.same_mount_namespace) {
    return Status::Error(
        fmt::format("JVM {} runs in a container with files of its own, where it cannot see the "
                    "agent: run yp inside that container",
                    pid));
  }
  return Status::Ok();
}

}  // namespace yp
