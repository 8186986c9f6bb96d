#include "hotspot/agent/reply.h"

#include <memory>
#include <utility>
#include <variant>

#include "core/options/reply_keys.h"
#include "format/spool/spool_writer.h"

namespace yp::hotspot {

Status WriteReply(const std::string& path, RecordingAnswer answer) {
  if (!answer.status) {
    answer.facts.entries = {{reply_key::kError, std::string(answer.status.message())}};
  }
  Result<std::unique_ptr<spool::SpoolWriter>> reply =
      spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kCreateNew);
  if (!reply) return reply.status();
  Status written = reply.value()->Append(answer.facts);
  for (const spool::Record& record : answer.rest) {
    if (!written) break;
    written = std::visit([&](const auto& each) { return reply.value()->Append(each); }, record);
  }
  return written.ok() ? reply.value()->Flush() : written;
}

}  // namespace yp::hotspot
