#ifndef YP_COMPILER_AOS_CALL_GRAPH_H_
#define YP_COMPILER_AOS_CALL_GRAPH_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "core/graph/dcg.h"
#include "core/graph/method.h"
#include "format/spool/records.h"

namespace yp::compiler {

// The compiled methods, their call sites, and the edges that were seen. A method is its full name.
//
// - Numbers start at 1 and never change their meaning.
// - What is new is kept until the drain takes it: methods when an edge names them, before it.
// - Thread-safe by one mutex. Compiled code comes here, which the VM cannot stop meanwhile: nobody
//   who holds the mutex waits for the VM.
class CallGraph {
 public:
  // The call site of a caller that is not known.
  static constexpr uint32_t kNoSite = 0;

  // The id of the method; adds it when it is new. A method without lines is told again when they
  // come.
  MethodId AddMethod(const yp::Method& method);
  // Of a method that was added.
  std::string FullNameOf(MethodId method);
  uint32_t AddSite(MethodId caller, int32_t bci);
  // kNoMethod where the caller is not known.
  MethodId CallerAt(uint32_t site);
  // Of a call of the method from there. A site that does not exist has no caller.
  EdgeId AddEdge(uint32_t site, MethodId callee);

  struct Updates {
    std::vector<spool::MethodDefinition> methods;
    std::vector<spool::EdgeDefinition> edges;
  };
  Updates TakeUpdates();
  // As if an edge had named it: what else is told names the method.
  void Name(MethodId method);

 private:
  struct Known {
    yp::Method method;
    bool told = false;
  };
  void Tell(MethodId method);

  std::mutex mutex_;
  std::vector<Known> methods_ = std::vector<Known>(1);
  std::unordered_map<std::string, MethodId> by_name_;
  std::vector<Edge> sites_ = std::vector<Edge>(1, Edge{kNoMethod, kNoBci, {}});  // No callee.
  std::unordered_map<Edge, uint32_t, EdgeHash> site_numbers_;
  std::unordered_map<Edge, EdgeId, EdgeHash> edges_;
  Updates news_;
};

// Edges by call site and callee, as far as one thread has come by them: a table in which the latest
// of those that fall on one place stays.
class EdgeCache {
 public:
  template <typename Find>
  EdgeId Get(uint32_t site, MethodId callee, Find find) {
    if (slots_.empty()) slots_.resize(kSlots);
    const uint64_t key = uint64_t{site} << 32 | ToIndex(callee);
    Slot& slot = slots_[(key * 0x9e3779b97f4a7c15u) >> (64 - kBits)];
    if (slot.key != key) slot = {key, find(site, callee)};
    return slot.edge;
  }

 private:
  static constexpr unsigned kBits = 10;
  static constexpr size_t kSlots = size_t{1} << kBits;
  struct Slot {
    uint64_t key = 0;  // That of no call: callees are numbered from 1.
    EdgeId edge{};
  };
  std::vector<Slot> slots_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_CALL_GRAPH_H_
