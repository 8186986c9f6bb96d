#ifndef YP_CLI_ATTACH_ATTACH_CLIENT_H_
#define YP_CLI_ATTACH_ATTACH_CLIENT_H_

#include <chrono>
#include <functional>
#include <string>

#include "base/status.h"
#include "cli/attach/jvm_process.h"

// HotSpot's dynamic attach, from the client's side (JDK 8 to 25 on Linux):
//
//   1. The client creates .attach_pid<PID> in the JVM's working directory or in its /tmp, owned by
//      the JVM's user, and sends SIGQUIT. A JVM that finds the file starts its attach listener
//      instead of printing a thread dump.
//   2. The listener binds the socket /tmp/.java_pid<PID>; it stays until the JVM ends.
//   3. Per command: connect, write "1\0command\0argument\0argument\0argument\0", read until the end
//      of the stream. The first line is the listener's own result, 0 when it took the command; for
//      "load" the rest is "return code: N" with the agent's result (before JDK 9 the bare number),
//      or why the library could not be loaded.
namespace yp {

// A listener's answer.
struct AttachReply {
  int result = 0;    // The first line.
  std::string text;  // What follows it.
};

// Splits an answer; an error when it does not begin with a number on a line of its own.
Result<AttachReply> ParseAttachReply(const std::string& bytes);
// Ok when the library was loaded and its Agent_OnAttach returned 0.
Status CheckLoadReply(const AttachReply& reply, pid_t pid);

class AttachClient {
 public:
  struct Options {
    std::string proc_root = "/proc";
    std::chrono::milliseconds listener_timeout{10'000};
    // Loading may take a while: the agent rewrites the classes that are loaded already.
    std::chrono::milliseconds reply_timeout{120'000};
    // Sends a signal; tests put their own in place.
    std::function<int(pid_t, int)> send_signal;
  };

  explicit AttachClient(const JvmProcess& process) : AttachClient(process, Options()) {}
  AttachClient(const JvmProcess& process, Options options);

  // Loads the agent library at that absolute path with these options (at most 1024 bytes, the limit
  // of the protocol's version 1), or runs its Agent_OnAttach again when it is loaded already.
  Status LoadAgent(const std::string& library, const std::string& agent_options);

 private:
  std::string SocketPath() const;
  bool SocketExists() const;
  // Makes the JVM listen, unless it does.
  Status StartListener();
  // The trigger file of step 1; its path.
  Result<std::string> CreateTriggerFile() const;
  Result<AttachReply> Execute(const std::string& request) const;

  const JvmProcess process_;
  const Options options_;
};

}  // namespace yp

#endif  // YP_CLI_ATTACH_ATTACH_CLIENT_H_
