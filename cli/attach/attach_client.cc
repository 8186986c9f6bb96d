#include "cli/attach/attach_client.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace yp {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kMaxArgumentBytes = 1024;
constexpr milliseconds kPollInterval{20};

std::string ErrorText(int error) { return std::generic_category().message(error); }

class ScopedFd {
 public:
  explicit ScopedFd(int fd) : fd_(fd) {}
  ~ScopedFd() {
    if (fd_ >= 0) close(fd_);
  }
  ScopedFd(const ScopedFd&) = delete;
  ScopedFd& operator=(const ScopedFd&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

Status WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Status::Error(ErrorText(errno));
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return Status::Ok();
}

// Everything until the other side closes.
Result<std::string> ReadUntilEnd(int fd, milliseconds timeout) {
  const auto deadline = steady_clock::now() + timeout;
  std::string bytes;
  char chunk[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return Status::Error("no answer in time");
    pollfd ready{fd, POLLIN, 0};
    const int polled = poll(&ready, 1, static_cast<int>(left.count()));
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    if (polled < 0) return Status::Error(ErrorText(errno));
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Status::Error(ErrorText(errno));
    if (n == 0) return bytes;
    bytes.append(chunk, static_cast<size_t>(n));
  }
}

std::string OnOneLine(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? ' ' : c;
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

Result<AttachReply> ParseAttachReply(const std::string& bytes) {
  AttachReply reply;
  const size_t end = bytes.find('\n');
  const char* const last = bytes.data() + (end == std::string::npos ? bytes.size() : end);
  const auto parsed = std::from_chars(bytes.data(), last, reply.result);
  if (parsed.ec != std::errc() || parsed.ptr != last) {
    return Status::Error(bytes.empty() ? "it closed the connection without an answer"
                                       : "its answer is not understood: " + OnOneLine(bytes));
  }
  if (end != std::string::npos) reply.text = bytes.substr(end + 1);
  return reply;
}

Status CheckLoadReply(const AttachReply& reply, pid_t pid) {
  const std::string text = OnOneLine(reply.text);
  if (reply.result != 0) {
    const char* advice = text.find("Dynamic agent loading") != std::string::npos
                             ? "; or start it with the agent through yp run"
                             : "";
    return Status::Error(fmt::format("JVM {} refused to load the agent: {}{}", pid,
                                     text.empty() ? fmt::format("error {}", reply.result) : text,
                                     advice));
  }
  constexpr std::string_view kPrefix = "return code: ";
  const std::string_view code =
      text.rfind(kPrefix, 0) == 0 ? std::string_view(text).substr(kPrefix.size()) : text;
  if (code == "0") return Status::Ok();
  int value = 0;
  if (std::from_chars(code.data(), code.data() + code.size(), value).ptr ==
          code.data() + code.size() &&
      !code.empty()) {
    return Status::Error(fmt::format(
        "the agent refused in JVM {} (code {}): its reason is on that JVM's stderr, on a line that "
        "starts with \"yieldpoint:\"",
        pid, value));
  }
  return Status::Error(fmt::format("JVM {} could not load the agent: {}", pid, text));
}

AttachClient::AttachClient(const JvmProcess& process, Options options)
    : process_(process), options_(std::move(options)) {}

std::string AttachClient::SocketPath() const {
  return fmt::format("{}/{}/root/tmp/.java_pid{}", options_.proc_root, process_.pid,
                     process_.inner_pid);
}

bool AttachClient::SocketExists() const {
  struct stat status {};
  return stat(SocketPath().c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

Result<std::string> AttachClient::CreateTriggerFile() const {
  const std::string name = fmt::format(".attach_pid{}", process_.inner_pid);
  int error = 0;
  for (const char* place : {"cwd", "root/tmp"}) {
    const std::string path =
        fmt::format("{}/{}/{}/{}", options_.proc_root, process_.pid, place, name);
    const ScopedFd file(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (file.get() < 0) {
      error = errno;
      continue;
    }
    // The JVM obeys only a file of its own user. A file system may give another owner, then the
    // next place is tried.
    struct stat status {};
    if (fstat(file.get(), &status) == 0 &&
        (status.st_uid == process_.euid || fchown(file.get(), process_.euid, process_.egid) == 0)) {
      return path;
    }
    error = errno;
    unlink(path.c_str());
  }
  return Status::Error(
      fmt::format("cannot create {} in the working directory of JVM {} nor in its /tmp: {}", name,
                  process_.pid, ErrorText(error)));
}

Status AttachClient::StartListener() {
  if (SocketExists()) return Status::Ok();
  const auto deadline = steady_clock::now() + options_.listener_timeout;
  // A JVM that is just starting may have opened the socket and then removed its file, which it
  // takes for an earlier process's: it opens another one when it is asked again. Once, as the JDK's
  // own tools do: a JVM whose socket is there answers this signal with a thread dump.
  auto ask_again = std::optional(steady_clock::now() + options_.listener_timeout / 2);
  // A JVM that is just starting has no handler yet, and SIGQUIT would kill it.
  while (!process_.handles_sigquit) {
    Result<JvmProcess> now = InspectProcess(process_.pid, options_.proc_root);
    if (!now) return now.status();
    if (now->handles_sigquit) break;
    if (steady_clock::now() >= deadline) {
      return Status::Error(
          fmt::format("JVM {} does not handle SIGQUIT (was it started with -Xrs?): start it "
                      "without that option, or with the agent through yp run",
                      process_.pid));
    }
    std::this_thread::sleep_for(kPollInterval);
  }
  const Result<std::string> trigger = CreateTriggerFile();
  if (!trigger) return trigger.status();
  Status status = Status::Ok();
  const auto send_signal = options_.send_signal ? options_.send_signal : [](pid_t pid, int signal) {
    return kill(pid, signal);
  };
  const auto ask = [&] {
    if (send_signal(process_.pid, SIGQUIT) == 0) return;
    status = Status::Error(fmt::format("cannot signal JVM {}: {}", process_.pid, ErrorText(errno)));
  };
  ask();
  while (status && !SocketExists()) {
    if (ask_again && steady_clock::now() >= *ask_again) {
      ask_again.reset();
      ask();
    } else if (steady_clock::now() >= deadline) {
      status = Status::Error(fmt::format(
          "JVM {} did not open {} within {} s: it may be stopped, or its attach listener blocked; "
          "try again, or start it with the agent through yp run",
          process_.pid, SocketPath(), options_.listener_timeout.count() / 1000));
      break;
    }
    std::this_thread::sleep_for(kPollInterval);
  }
  unlink(trigger.value().c_str());
  return status;
}

Result<AttachReply> AttachClient::Execute(const std::string& request) const {
  const std::string path = SocketPath();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Status::Error("the path of its socket is too long: " + path);
  }
  path.copy(address.sun_path, path.size());
  const ScopedFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) return Status::Error(ErrorText(errno));
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return Status::Error(fmt::format("{}: {}", path, ErrorText(errno)));
  }
  if (Status s = WriteAll(fd.get(), request); !s) return s;
  const Result<std::string> bytes = ReadUntilEnd(fd.get(), options_.reply_timeout);
  if (!bytes) return bytes.status();
  return ParseAttachReply(bytes.value());
}

Status AttachClient::LoadAgent(const std::string& library, const std::string& agent_options) {
  for (const std::string* argument : {&library, &agent_options}) {
    if (argument->size() > kMaxArgumentBytes) {
      return Status::Error(
          fmt::format("the agent's options take {} bytes, a running JVM accepts {}: give fewer or "
                      "shorter --include and --exclude, or a shorter -o",
                      argument->size(), kMaxArgumentBytes));
    }
  }
  if (Status s = StartListener(); !s) return s;
  std::string request;
  for (const std::string& part :
       {std::string("1"), std::string("load"), library, std::string("true"), agent_options}) {
    request += part;
    request += '\0';
  }
  const Result<AttachReply> reply = Execute(request);
  if (!reply) {
    return Status::Error(
        fmt::format("JVM {} did not take the agent: {}", process_.pid, reply.message()));
  }
  return CheckLoadReply(reply.value(), process_.pid);
}

}  // namespace yp
