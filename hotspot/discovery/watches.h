#ifndef YP_HOTSPOT_DISCOVERY_WATCHES_H_
#define YP_HOTSPOT_DISCOVERY_WATCHES_H_

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "hotspot/discovery/method_flags.h"

namespace yp::hotspot {

// Which call sites watch which methods: between the first announcement of a call site and its
// callee's entry other code may run, which takes the announcement. What the call site can reach is
// watched until it has been there, or for some rounds. One thread at a time.
class Watches {
 public:
  explicit Watches(MethodFlags& methods) : methods_(methods) {}

  // The call site watches, for that many rounds at least.
  void Begin(int32_t site, uint32_t rounds);
  bool IsWatching(int32_t site) const;
  // One that watches: that method as well.
  void Add(int32_t site, MethodId method);
  void End(int32_t site);
  // The next round: ends what has been watched in vain.
  void NextRound();
  uint32_t round() const { return round_; }

 private:
  struct Watch {
    uint32_t until = 0;  // The last round; 0: there is none.
    std::vector<MethodId> methods;
  };

  MethodFlags& methods_;
  std::vector<Watch> watches_;  // By call site.
  std::vector<int32_t> begun_;  // Call sites that watch, or did since the last round.
  uint32_t round_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_WATCHES_H_
