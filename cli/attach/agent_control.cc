#include "cli/attach/agent_control.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <variant>

#include "cli/attach/attach_client.h"
#include "cli/attach/shared_directory.h"
#include "core/options/option_string.h"
#include "core/options/option_table.h"
#include "core/options/reply_keys.h"
#include "format/spool/spool_reader.h"

namespace yp {

namespace {

// Commands but for a start have nothing to say of how to record.
std::string OptionsOf(const RecordingOptions& command) {
  using Command = RecordingOptions::Command;
  if (command.command == Command::kStart) return WriteOptionString(command);
  std::string text;
  for (const char* key : {"command", "reply", "mark", "budget_ppm"}) {
    const RecordingOption& option = *FindOption(key);
    if (option.key == "budget_ppm" && command.command != Command::kBudget) continue;
    if (option.key == "mark" && command.command != Command::kMark) continue;
    if (!text.empty()) text += ',';
    text += fmt::format("{}={}", key, EncodeAgentValue(TextsOf(option, command).front()));
  }
  return text;
}

}  // namespace

std::string AgentReply::Text(std::string_view key) const {
  const auto known = facts.find(std::string(key));
  return known == facts.end() ? "" : known->second;
}

std::optional<double> AgentReply::Number(std::string_view key) const {
  const std::string text = Text(key);
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

Result<AgentControl> AgentControl::Of(pid_t pid) {
  Result<JvmProcess> process = InspectProcess(pid);
  if (!process) return process.status();
  if (Status s = CheckAttachable(*process, geteuid()); !s) return s;
  return AgentControl(std::move(process).value());
}

Result<AgentReply> AgentControl::Ask(const RecordingOptions& command,
                                     const std::string& library) const {
  std::string found;
  return has_agent() ? AskAny(command, &found) : AskOne(command, library);
}

Result<std::string> AgentControl::FindLibrary() const {
  RecordingOptions command;
  command.command = RecordingOptions::Command::kStatus;
  std::string library;
  const Result<AgentReply> reply = AskAny(command, &library);
  return reply ? Result<std::string>(library) : reply.status();
}

Result<AgentReply> AgentControl::AskAny(const RecordingOptions& command,
                                        std::string* library) const {
  Result<AgentReply> reply = AgentReply();
  for (const std::string& candidate : process_.agent_libraries) {
    *library = candidate;
    reply = AskOne(command, candidate);
    const bool is_other =
        !reply && reply.message().find(reply_key::kOtherCopy) != std::string_view::npos;
    if (!is_other) break;
  }
  return reply;
}

Result<AgentReply> AgentControl::AskOne(const RecordingOptions& command,
                                        const std::string& library) const {
  const Result<std::unique_ptr<SharedDirectory>> directory =
      SharedDirectory::Create("yp-reply", process_.euid, process_.egid);
  if (!directory) return directory.status();
  RecordingOptions asked = command;
  asked.reply = directory.value()->path() + "/reply";
  AttachClient client(process_);
  const Status done = client.LoadAgent(library, OptionsOf(asked));
  const bool has_reply = std::filesystem::exists(asked.reply);
  const Result<AgentReply> reply =
      has_reply ? ReadAgentReply(asked.reply) : Result<AgentReply>(AgentReply());
  std::error_code ignored;
  std::filesystem::remove(asked.reply, ignored);
  if (has_reply && !reply) return reply.status();
  if (const std::string error = reply->Text(reply_key::kError); !error.empty()) {
    return Status::Error(fmt::format("JVM {}: {}", process_.pid, error));
  }
  if (!done) return done;
  if (!has_reply) {
    return Status::Error(fmt::format(
        "the agent in JVM {} does not reply: it is of an older version; start the JVM again "
        "with this one",
        process_.pid));
  }
  return reply;
}

Result<AgentReply> ReadAgentReply(const std::string& path) {
  const Result<std::unique_ptr<spool::SpoolReader>> reader = spool::SpoolReader::Open(path);
  if (!reader) return reader.status();
  AgentReply reply;
  bool is_first = true;
  while (std::optional<spool::Record> record = reader.value()->Next()) {
    if (!std::exchange(is_first, false)) {
      reply.rest.push_back(std::move(*record));
      continue;
    }
    const auto* const facts = std::get_if<spool::Config>(&*record);
    if (facts == nullptr) break;
    for (const auto& [key, value] : facts->entries) {
      if (key == reply_key::kPartFile) {
        reply.part_files.push_back(value);
      } else {
        reply.facts[key] = value;
      }
    }
  }
  if (is_first) return Status::Error("the agent's reply is empty: is the disk full?");
  return reply;
}

}  // namespace yp
