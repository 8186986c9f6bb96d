#ifndef YP_CLI_ATTACH_AGENT_CONTROL_H_
#define YP_CLI_ATTACH_AGENT_CONTROL_H_

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/attach/jvm_process.h"
#include "core/options/recording_options.h"
#include "format/spool/record_codec.h"

namespace yp {

// What the agent says of its recording.
struct AgentReply {
  std::map<std::string, std::string> facts;  // By core/options/reply_keys.h.
  std::vector<std::string> part_files;       // The values of kPartFile.
  std::vector<spool::Record> rest;           // Of a dump: the end of the spool that is written.

  // Empty: it was not told.
  std::string Text(std::string_view key) const;
  std::optional<double> Number(std::string_view key) const;
};

// Commands to the agent in a JVM: its library's Agent_OnAttach is called again, with the name of a
// file for the reply.
class AgentControl {
 public:
  // An error when no agent could be asked in that process, whether it has one or not.
  static Result<AgentControl> Of(pid_t pid);

  bool has_agent() const { return !process_.agent_libraries.empty(); }
  const JvmProcess& process() const { return process_; }
  // The agent must be there, or `library` names one to load.
  Result<AgentReply> Ask(const RecordingOptions& command, const std::string& library = "") const;
  // Where the JVM has its agent from, which must be there.
  Result<std::string> FindLibrary() const;

 private:
  explicit AgentControl(JvmProcess process) : process_(std::move(process)) {}
  // Of the libraries, that of the agent.
  Result<AgentReply> AskAny(const RecordingOptions& command, std::string* library) const;
  Result<AgentReply> AskOne(const RecordingOptions& command, const std::string& library) const;
  JvmProcess process_;
};

// Of the bytes of a reply.
Result<AgentReply> ReadAgentReply(const std::string& path);

}  // namespace yp

#endif  // YP_CLI_ATTACH_AGENT_CONTROL_H_
