#ifndef YP_HOTSPOT_DISCOVERY_RECEIVER_CALLS_H_
#define YP_HOTSPOT_DISCOVERY_RECEIVER_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "hotspot/discovery/class_hierarchy.h"
#include "hotspot/graph/edge_array.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {

// Which call sites have a receiver call, or are to have one: a probe that looks at the receiver's
// class, which says what is about to be called. Classes are rewritten for them together, and less
// and less often. One thread at a time, but for what is lock-free.
class ReceiverCalls {
 public:
  // So many walks of one edge are worth as much as the rewriting of a class.
  static constexpr uint16_t kWalksWorthAReceiverCall = 10'000;
  // Rounds before the first classes are rewritten; each time doubles it, up to the last.
  static constexpr uint32_t kPatienceRounds = 5;
  static constexpr uint32_t kMaxPatienceRounds = 320;

  // A walk has found a known edge from a call site without a probe. Once for each edge that is
  // worth a receiver call. Lock-free.
  bool IsWorthOne(EdgeId edge);

  // One is wanted there, in that round. The class as it is reported: with dots.
  void Want(MethodId caller, int32_t bci, const std::string& class_name, uint32_t round);
  bool IsWanted(MethodId caller, int32_t bci) const { return wanted_.contains({caller, bci}); }
  bool IsWantedIn(std::string_view class_name) const { return wanted_in_.contains(class_name); }
  // Classes that are to be rewritten for new ones, if it is time for that.
  std::vector<std::string> TakeClassesToRewrite(uint32_t round);

  // A call site has one.
  void Define(int32_t site, const CallReference& call) { sites_[site] = call; }
  // What it calls; null when it has none.
  const CallReference* Find(int32_t site) const;
  bool Has(int32_t site) const { return sites_.contains(site); }
  // By number.
  const std::unordered_map<int32_t, CallReference>& sites() const { return sites_; }

  // From now on nobody asks for receivers of a class with that identity hash code: the edge is
  // known, or there is none, or the site is to announce itself.
  static void Tell(DiscoveryTables& tables, int32_t site, uint32_t class_hash,
                   const ClassHierarchy::Callee& callee);

 private:
  EdgeArray<uint16_t> walks_;
  std::set<std::pair<MethodId, int32_t>> wanted_;
  std::set<std::string, std::less<>> wanted_in_;
  std::set<std::string> classes_to_rewrite_;
  uint32_t rewrite_round_ = 0;
  uint32_t patience_ = kPatienceRounds;
  std::unordered_map<int32_t, CallReference> sites_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_RECEIVER_CALLS_H_
