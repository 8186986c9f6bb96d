#ifndef YP_CORE_INFERENCE_METHOD_PROFILES_H_
#define YP_CORE_INFERENCE_METHOD_PROFILES_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace yp {

// What the virtual machine counted at a call site while the method was interpreted or compiled with
// profiling.
struct SiteProfile {
  struct Callee {
    MethodId method{};
    double calls = 0;
  };

  int32_t bci = kNoBci;
  // All calls, those of receivers that were not recorded included: in HotSpot's terms the counter
  // plus the receiver rows.
  double calls = 0;
  // By receiver class, so that a method may occur more than once. Of a site that can call one
  // method only, that method with all calls, or nothing where its name is not known. kNoMethod for
  // a receiver whose method is not known.
  std::vector<Callee> callees;

  double CallsOf(MethodId method) const;
  // Calls whose callee is not recorded.
  double UnrecordedCalls() const;
};

// HotSpot's MethodData of a method. The counters stop when C2 takes over, so that
// only ratios between them mean something.
struct MethodProfile {
  double invocations = 0;
  // A bci occurs at most once. Sites that were never reached may be left out.
  std::vector<SiteProfile> sites;

  // Null where no call was counted.
  const SiteProfile* Site(int32_t bci) const;
  // Whether it says anything.
  bool empty() const;
};

class MethodProfiles {
 public:
  void Add(MethodId method, MethodProfile profile);
  // Null where there is none or it is empty. Valid until the next Add.
  const MethodProfile* Find(MethodId method) const;

 private:
  std::unordered_map<uint32_t, MethodProfile> profiles_;
};

}  // namespace yp

#endif  // YP_CORE_INFERENCE_METHOD_PROFILES_H_
