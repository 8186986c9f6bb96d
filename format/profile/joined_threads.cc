#include "format/profile/joined_threads.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace yp {

void JoinedThreads::Join(std::vector<spool::ThreadDefinition>* threads) {
  std::unordered_map<int32_t, ThreadId> by_kernel_id;
  // By what the kernel keeps of them; empty: there are several.
  std::unordered_map<std::string, std::string> by_beginning;
  constexpr size_t kLongest = 15;
  for (const spool::ThreadDefinition& thread : *threads) {
    if (with_stacks_.contains(thread.id)) continue;
    if (thread.kernel_id != 0) by_kernel_id.emplace(thread.kernel_id, thread.id);
    if (thread.name.size() < kLongest) continue;
    const auto [known, is_new] =
        by_beginning.try_emplace(thread.name.substr(0, kLongest), thread.name);
    if (!is_new && known->second != thread.name) known->second.clear();
  }
  for (spool::ThreadDefinition& thread : *threads) {
    if (!with_stacks_.contains(thread.id)) continue;
    const auto same = by_kernel_id.find(thread.kernel_id);
    if (same != by_kernel_id.end()) joined_.emplace(thread.id, same->second);
    // No group of threads that calls are estimated by.
    thread.kernel_id = 0;
    if (thread.name.empty()) thread.name = "threads without a name";
    const auto whole = by_beginning.find(thread.name);
    if (whole != by_beginning.end() && !whole->second.empty()) thread.name = whole->second;
  }
  std::erase_if(*threads, [this](const auto& thread) { return joined_.contains(thread.id); });
}

ThreadId JoinedThreads::operator()(ThreadId thread) const {
  const auto same = joined_.find(thread);
  return same == joined_.end() ? thread : same->second;
}

}  // namespace yp
