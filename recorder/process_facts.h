#ifndef YP_RECORDER_PROCESS_FACTS_H_
#define YP_RECORDER_PROCESS_FACTS_H_

#include <string>
#include <utility>
#include <vector>

namespace yp {

// What a recording's configuration says of the process, of the machine, and of when it began: now.
std::vector<std::pair<std::string, std::string>> ProcessFacts();

}  // namespace yp

#endif  // YP_RECORDER_PROCESS_FACTS_H_
