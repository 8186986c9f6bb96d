#ifndef YP_HOTSPOT_GRAPH_METHOD_REGISTRY_H_
#define YP_HOTSPOT_GRAPH_METHOD_REGISTRY_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/ids.h"
#include "classfile/bci_map.h"
#include "core/graph/dcg.h"
#include "core/graph/method.h"
#include "format/spool/records.h"
#include "hotspot/graph/compilations.h"

namespace yp::hotspot {

// The agent's methods, call sites and edges. A method is its full name: copies of a class in
// several class loaders, and the versions that redefinition makes, are one method.
//
// - Ids are dense, start at 1 and never change meaning. They are positive 31-bit numbers, so that
//   rewritten bytecode can push them.
// - What is new since the last TakeUpdates is kept until the drain takes it to the spool; methods
//   come before the edges that name them.
// - Thread-safe, by one mutex: everything here happens once per method, class or edge.
class MethodRegistry {
 public:
  // How one version of a probed method maps bytecode indices; null stands for unchanged code.
  using Map = std::shared_ptr<const classfile::BciMap>;

  // The id of the method; adds it when it is new.
  MethodId Intern(const Method& method);
  // The id of a method that has all these flags and its lines, by its full name; kNoMethod when
  // there is none, so that Intern would learn something.
  MethodId FindComplete(const std::string& full_name, uint32_t flags) const;
  // What is learnt of a method later, such as that it is observed.
  void AddFlags(MethodId method, uint32_t flags);
  // It is told with the next updates, as a method of an edge is.
  void MarkUsed(MethodId method);
  // Remembers how the version whose rewritten code has `code_size` bytes was rewritten. One entry
  // for each size: versions of a method that agree in it are taken as one.
  void AddVersion(MethodId method, uint32_t code_size, classfile::BciMap map);
  Map FindVersion(MethodId method, uint32_t code_size) const;
  // Method::class_name; empty when there is no such method.
  std::string ClassNameOf(MethodId method) const;

  // The number of a call site, from 1; 0 when there is none left below `limit`.
  int32_t AddSite(MethodId caller, int32_t bci, bool is_virtual, int32_t limit);
  struct Site {
    MethodId caller{};
    int32_t bci = kNoBci;
    bool is_virtual = false;  // invokevirtual or invokeinterface.
  };
  // A site that does not exist has no caller.
  Site SiteAt(int32_t site) const;

  // The numbers of the callers' call sites.
  std::vector<int32_t> SitesOf(const std::unordered_set<MethodId>& callers) const;
  // The number that a call site was given; 0 when it has none.
  int32_t FindSite(MethodId caller, int32_t bci) const;

  // The id of an edge, or of its calls that count down so many steps; adds it when it is new.
  EdgeId InternEdge(const Edge& edge, uint32_t steps = 1);
  // What InternEdge gave the id for.
  Edge EdgeOf(EdgeId id) const;

  Compilations& compilations() { return compilations_; }

  struct Updates {
    std::vector<spool::MethodDefinition> methods;
    std::vector<spool::EdgeDefinition> edges;
  };
  Updates TakeUpdates();
  // Everything is new again: another spool begins, whose recording may observe other methods.
  void Retell();
  // The same where the recording goes on in another spool.
  void RetellToNextPart();

 private:
  struct Entry {
    Method method;
    bool told = false;
    std::vector<std::pair<uint32_t, Map>> versions;
  };
  // A thread that needs the registry in the VM's Java code waits for no more than so much.
  static constexpr int kNewsAtOnce = 200;
  // False when there is nothing left.
  bool TakeSomeUpdates(Updates& updates);
  void TellMethod(MethodId id, Updates& updates);

  mutable std::mutex mutex_;
  std::vector<Entry> methods_ = std::vector<Entry>(1);  // Id 0 is nobody's.
  std::unordered_map<std::string, MethodId> by_name_;
  std::vector<Site> sites_ = std::vector<Site>(1);
  std::unordered_map<uint64_t, int32_t> site_numbers_;  // By caller and bytecode index.
  struct CountedEdge {
    Edge edge;
    uint32_t steps = 1;
    bool operator==(const CountedEdge&) const = default;
  };
  struct CountedEdgeHash {
    size_t operator()(const CountedEdge& counted) const {
      return EdgeHash()(counted.edge) ^ (size_t{counted.steps} * 0x9e3779b97f4a7c15u);
    }
  };
  std::vector<CountedEdge> edges_ = std::vector<CountedEdge>(1);
  std::unordered_map<CountedEdge, EdgeId, CountedEdgeHash> edge_ids_;
  size_t told_edges_ = 1;
  std::vector<MethodId> changed_;  // Since they were told.
  Compilations compilations_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_GRAPH_METHOD_REGISTRY_H_
