#ifndef YP_HOTSPOT_AGENT_REPLY_H_
#define YP_HOTSPOT_AGENT_REPLY_H_

#include <string>

#include "base/status.h"
#include "hotspot/recording/questions.h"

namespace yp::hotspot {

// Writes the answer to the file that a command has named (RecordingOptions::reply), or its error.
// An error when that cannot be written.
Status WriteReply(const std::string& path, RecordingAnswer answer);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_REPLY_H_
