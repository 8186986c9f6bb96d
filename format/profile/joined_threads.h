#ifndef YP_FORMAT_PROFILE_JOINED_THREADS_H_
#define YP_FORMAT_PROFILE_JOINED_THREADS_H_

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/ids.h"
#include "format/spool/records.h"

namespace yp {

// Signals know threads by the kernel's ids and names alone: those that calls were sampled of are
// the same threads, with their Java names. Others have the kernel's name, which is the beginning of
// the Java one, or none when they had ended.
class JoinedThreads {
 public:
  // Signals found that one.
  void HasStacks(ThreadId thread) { with_stacks_.insert(thread); }
  // When all are known: leaves one of each two that are the same, and names the others.
  void Join(std::vector<spool::ThreadDefinition>* threads);
  // Which one it is, of those that were left.
  ThreadId operator()(ThreadId thread) const;

 private:
  std::unordered_set<ThreadId> with_stacks_;
  std::unordered_map<ThreadId, ThreadId> joined_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_JOINED_THREADS_H_
