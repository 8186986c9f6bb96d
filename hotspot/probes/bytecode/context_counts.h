#ifndef YP_HOTSPOT_PROBES_BYTECODE_CONTEXT_COUNTS_H_
#define YP_HOTSPOT_PROBES_BYTECODE_CONTEXT_COUNTS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/zeroed_pages.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {

// The calling-context tree that rewritten code counts its calls in (mode exact with context=tree).
// Node 0 is the root, which nobody calls; a node's children are found by a hash of parent, call
// site and method, with linear probing in an index of node numbers.
//
// - Any number of threads look nodes up and count, in java.lang.YieldpointProbe without the agent;
//   new nodes are added here, one after the other. A node does not change once its number is in the
//   index (the release of Find is the partner of the acquire of whoever finds it there).
// - Memory is taken where it is touched: 32 bytes for each node, 4 at random places of the index.
// - When it is full, calls in new contexts are those of kLost, which is in nobody's index.
class ContextCounts {
 public:
  static constexpr int kLog2Nodes = 22;
  static constexpr int kLog2Index = 24;
  static constexpr int32_t kRoot = 0;
  static constexpr int32_t kLost = 1;
  static constexpr int32_t kFirst = 2;

  struct Node {
    int32_t parent;
    int32_t site;  // Of the call, in the parent's method; 0 when it is not known.
    int32_t method;
    int32_t unused;
    std::atomic<int64_t> calls;
    int64_t unused_too;
  };

  // The node, made when it is new; kLost when there is no room for another one.
  int32_t Find(int32_t parent, int32_t site, int32_t method);
  void Count(int32_t node) { tables_->nodes[node].calls.fetch_add(1, std::memory_order_relaxed); }
  // As if nothing had been called. While no thread counts.
  void Clear();

  const Node& operator[](int32_t node) const { return tables_->nodes[node]; }
  // The number of the next node. Those below it are whole.
  int32_t end() const {
    return kFirst + added_.load(std::memory_order_acquire);  // Partner: Find's release.
  }

  // Of the index, which the nodes follow.
  const void* address() const { return &*tables_; }
  // YieldpointProbe.contextLayout() must say the same.
  static constexpr uint64_t kLayout = kLog2Index + (uint64_t{5} << 8) + (uint64_t{16} << 16) +
                                      (uint64_t{offsetof(JavaThreadState, context)} << 24) +
                                      (uint64_t{offsetof(JavaThreadState, context_site)} << 32);
  // YieldpointProbe does the same.
  static size_t FirstPlace(int32_t parent, int32_t site, int32_t method) {
    const uint64_t call =
        (static_cast<uint64_t>(static_cast<uint32_t>(site)) << 32) | static_cast<uint32_t>(method);
    const uint64_t mixed = (call * kHashFactor) ^ static_cast<uint32_t>(parent);
    return (mixed * kHashFactor) >> (64 - kLog2Index);
  }

 private:
  struct Tables {
    std::atomic<int32_t> index[size_t{1} << kLog2Index];  // 0: nothing.
    Node nodes[size_t{1} << kLog2Nodes];
  };

  InZeroedPages<Tables> tables_;
  std::atomic<int32_t> added_{0};
  std::mutex adding_;
};
static_assert(sizeof(ContextCounts::Node) == 32 && offsetof(ContextCounts::Node, calls) == 16);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_CONTEXT_COUNTS_H_
