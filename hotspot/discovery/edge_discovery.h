#ifndef YP_HOTSPOT_DISCOVERY_EDGE_DISCOVERY_H_
#define YP_HOTSPOT_DISCOVERY_EDGE_DISCOVERY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "hotspot/discovery/class_hierarchy.h"
#include "hotspot/discovery/edge_set.h"
#include "hotspot/discovery/method_flags.h"
#include "hotspot/discovery/receiver_calls.h"
#include "hotspot/discovery/watches.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {

// Decides which probes are still needed to find every call edge that runs (Qian and Hendren's
// first-execution profiling, without a virtual machine of one's own).
//
// A call site says nothing before it runs for the first time. Then the methods that it can reach
// are awaited: their entries look who called. Where each has been seen, the site is done, and
// neither it nor, for its sake, the methods have anything to do any more: their probes compare a
// byte with 0. A call site that has not reached all that class hierarchy analysis allows goes on to
// announce itself, so that a method it can reach knows by a table whether the pair is new. A class
// that adds something to reach is here before its first instance, and wakes the sites again.
//
// Between the first announcement of a call site and its callee's entry other code may run, which
// takes the announcement: class loaders and initialisers. What it can reach is watched meanwhile
// (Watches): each call is looked at, announced or not.
//
// Methods that code without probes can call, as the JDK does with equals or with lambdas' bodies,
// are open: each of their calls is looked at, unless an announcement proves whose it is. That of a
// call site does which can reach no method without a probe: then nothing can lie between. Such a
// site goes on to announce as long as it can reach open methods.
//
// What announces itself often, and what calls open methods often without an announcement, be it the
// JDK's own code or a call of what the JDK declares, gets another probe: a receiver call. It looks
// at the receiver's class, which says what is about to be called, and finds the edge itself; it
// announces the callee only where that is open. What it can reach is not awaited for its sake.
//
// Thread-safe, by one mutex; what rewritten code reads are the tables.
class EdgeDiscovery final : ClassHierarchy::Listener {
 public:
  static constexpr uint32_t kWatchRounds = 100;  // Of Settle.
  static constexpr uint32_t kShortWatchRounds = 3;
  // The tables are all zero.
  explicit EdgeDiscovery(DiscoveryTables& tables)
      : tables_(tables), methods_(tables), watches_(methods_), hierarchy_(*this) {}

  // From now on receiver calls look.
  void Begin() { tables_.sites[0].store(DiscoveryTables::kReceiving, std::memory_order_relaxed); }
  // Nothing is looked for any more: what rewritten code is left, in frames that go on, does
  // nothing.
  void End();

  struct SiteShape {
    int32_t site = 0;
    CallReference reference;
  };
  // A class as it is about to be loaded or redefined, with its call sites that have probes, and
  // what others in it can call.
  void Define(const ClassShape& shape, const std::vector<SiteShape>& sites,
              const std::vector<CallReference>& open);
  bool IsDefined(std::string_view class_name) const;
  // Code without probes makes that call from now on.
  void Open(const CallReference& reference);
  // So does what is a call site with a probe elsewhere.
  void OpenSite(int32_t site);
  // A class can have instances from now on. Its ancestors are defined.
  void Prepare(std::string_view class_name);

  // A call site is about to run whose byte is kSiteFresh; or that has announced itself so often
  // that it is worth a receiver call: then true.
  bool OnSite(int32_t site);
  // A method that was looked at has been called: from `site`, as the stack says; 0: from none that
  // has a probe.
  // `period`: of the call; nothing is learnt when another has begun.
  void OnEntry(MethodId callee, int32_t site, uint32_t period);
  void OnEntry(MethodId callee, int32_t site) { OnEntry(callee, site, period()); }
  // The edges that were found.
  FoundEdges& found() { return found_; }
  // What was found before is found again from now on, whoever calls. Calls that are under way may
  // belong to either period. The cost goes by what was found since the last time.
  void BeginPeriod();
  // Which period it is. Lock-free.
  uint32_t period() const { return period_.load(std::memory_order_acquire); }
  // A walk has found a known edge from a call site without a probe. Once for each edge that is
  // worth a receiver call. Lock-free.
  bool IsWorthAReceiverCall(EdgeId edge) { return receiver_calls_.IsWorthOne(edge); }
  // A receiver call is wanted there. The class as it is reported: with dots.
  void WantReceiverCall(MethodId caller, int32_t bci, const std::string& class_name);
  // Whether it is wanted. `site`: its number, if it has one; an announcing one takes a receiver
  // call when its class is rewritten anyway.
  bool WantsReceiverCall(MethodId caller, int32_t bci, int32_t site) const;
  bool WantsReceiverCallsIn(std::string_view class_name) const;
  // Classes that are to be rewritten for new receiver calls, if it is time for that.
  std::vector<std::string> TakeClassesToRewrite();
  // A call site has a receiver call.
  void DefineReceiverSite(int32_t site, const CallReference& call);
  // Whether a call site has a probe of either kind; 0 is none.
  bool HasProbe(int32_t site) const;
  // The classes that were taken have been rewritten: what announced itself before rests. Should a
  // frame of the old code still be running, it will announce itself again.
  void OnRewritten();
  // What it calls with a receiver of that very class.
  ClassHierarchy::Callee CalleeOf(int32_t site, std::string_view receiver_class) const;
  // It cannot be told. Whether the call is to be announced, as others are.
  bool OnUnsureReceiver(int32_t site);
  // From now on nobody asks for receivers of a class with that identity hash code: the edge is
  // known, or there is none, or the site is to announce itself. `period`: of the call, as above.
  void TellReceiver(int32_t site, uint32_t class_hash, const ClassHierarchy::Callee& callee,
                    uint32_t period);
  // Whether OnEntry can change anything, of a call whose edge is known. Lock-free.
  bool MayLearn(MethodId callee, int32_t announced) const {
    const auto is_set = [](const std::atomic<uint8_t>& flags, uint8_t bits) {
      return (flags.load(std::memory_order_relaxed) & bits) != 0;
    };
    return is_set(tables_.methods[ToIndex(callee)], kMethodFresh | kMethodWatched) ||
           !is_set(tables_.methods[ToIndex(callee)], kMethodOpen) ||
           is_set(tables_.sites[announced], kSiteProves);
  }
  // Now and then: ends what has been watched in vain, and call sites whose remaining targets have
  // become open.
  void Settle();

  struct Counts {
    size_t sites = 0;
    size_t sites_not_run = 0;
    size_t announcing_sites = 0;  // That have, and can reach more.
    size_t open_methods = 0;
    size_t receiver_sites = 0;
  };
  Counts Count() const;
  // The call sites that have not run since they were defined, by number, and what they call.
  std::vector<SiteShape> SitesNotRun() const;

 private:
  struct Site {
    ReferenceId reference{};
    uint8_t state = 0;  // As in the tables; 0 is done.
    bool is_defined = false;
    bool is_touched = false;  // It is in touched_.
    bool has_run = false;     // In any period.
    std::vector<MethodId> seen;
  };
  struct Reference {
    std::vector<int32_t> sites;
    size_t announcing = 0;  // Of them.
  };

  void OnTarget(ReferenceId reference, MethodId target) override;
  void OnOpen(MethodId method) override;
  void OnUnseen(ReferenceId reference) override;
  void DefineSite(const SiteShape& shape);
  Reference& At(ReferenceId id);
  Site& At(int32_t number) { return sites_[static_cast<size_t>(number)]; }
  const Site& At(int32_t number) const { return sites_[static_cast<size_t>(number)]; }
  // Whether its announcements are of no more use.
  bool IsDone(const Site& site) const;
  bool IsDefinedSite(int32_t number) const;
  bool IsAnnouncing(int32_t number) const;
  void Announce(int32_t number);
  uint8_t AnnouncingState(const Site& site) const;
  // What was known of calls of a method, or by a reference, is proof no more.
  void ForgetPairs(ReferenceId id, MethodId method);
  void SetState(int32_t number, uint8_t state);
  void Touch(int32_t number);
  void Await(ReferenceId id, int change);
  // Watches the methods that a call site is about to reach for the first time.
  void BeginWatch(int32_t number, const std::vector<MethodId>& methods,
                  uint32_t rounds = kWatchRounds);
  void WatchMethod(int32_t number, MethodId method);

  FoundEdges found_;
  std::atomic<uint32_t> period_{0};
  std::atomic<bool> wants_receiver_calls_{false};
  mutable std::mutex mutex_;
  bool has_ended_ = false;
  DiscoveryTables& tables_;
  MethodFlags methods_;
  Watches watches_;
  ReceiverCalls receiver_calls_;
  ClassHierarchy hierarchy_;
  std::vector<Site> sites_ = std::vector<Site>(1);    // By number; 0 is no call site's.
  std::vector<Reference> references_;                 // By id.
  std::vector<std::vector<ReferenceId>> reached_by_;  // By method.
  // Of this period: call sites that are not as they were when they were defined, and places of the
  // tables of pairs and receivers.
  std::vector<int32_t> touched_;
  std::vector<size_t> pairs_, receivers_;
  size_t settled_open_methods_ = 0;  // When it was last looked which call sites they end.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_EDGE_DISCOVERY_H_
