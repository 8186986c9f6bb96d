#ifndef YP_HOTSPOT_DISCOVERY_METHOD_FLAGS_H_
#define YP_HOTSPOT_DISCOVERY_METHOD_FLAGS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {

// Why each method's probe looks at its calls: the reasons (kMethod... of DiscoveryTables), and how
// many call sites or references have each. One thread at a time; rewritten code reads the table.
class MethodFlags {
 public:
  // The table is all zero.
  explicit MethodFlags(DiscoveryTables& tables) : tables_(tables) {}

  // A method has a probe. It is fresh when it is told for the first time.
  void Define(MethodId method);
  // It has run.
  void HasRun(MethodId method);
  // Those that have are fresh again.
  void Refresh();
  // Code without probes can call it, from now on. False when that was known.
  bool Open(MethodId method);
  bool IsOpen(MethodId method) const;
  size_t open_methods() const { return open_methods_; }
  // So many more references await it, that have announcing call sites.
  void Await(MethodId method, int change);
  // So many more call sites watch it.
  void Watch(MethodId method, int change);
  // No method is looked at any more.
  void Clear();

 private:
  void Set(MethodId method, uint8_t flag, bool on);
  void Count(std::vector<int32_t>& counts, MethodId method, int change, uint8_t flag);

  DiscoveryTables& tables_;
  std::vector<MethodId> have_run_;  // Since they were fresh.
  std::vector<bool> defined_;       // By method, as what follows.
  std::vector<int32_t> awaiting_;   // References with announcing sites.
  std::vector<int32_t> watching_;   // Call sites.
  size_t open_methods_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_METHOD_FLAGS_H_
