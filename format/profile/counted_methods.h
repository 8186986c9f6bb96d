#ifndef YP_FORMAT_PROFILE_COUNTED_METHODS_H_
#define YP_FORMAT_PROFILE_COUNTED_METHODS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/ids.h"
#include "core/inference/interpreted_calls.h"
#include "core/inference/method_profiles.h"
#include "format/profile/counted.h"
#include "format/spool/records.h"

namespace yp {

// Takes what a spool tells of the VM's own counts: of each method the last that was told.
class CountedMethods {
 public:
  // The profile's method for one of the spool; nothing for one that is not known.
  using Find = std::function<std::optional<MethodId>(MethodId)>;

  // The method that the record is of; nothing: it is not known, and the record is left out.
  std::optional<MethodId> Take(const spool::MethodProfile& record, const Find& find);
  // The same of what the interpreter has executed; records add up.
  void Take(const spool::InterpretedCalls& record, const Find& find);
  // What several JVMs, or copies of a class, have counted in methods of one name adds up: what was
  // ever counted in `profiles`, what was since the recording began in `counts`. Once.
  void Finish(MethodProfiles* profiles, VmCounts* counts);

 private:
  void TakeSite(const InterpretedCode::Site& site);
  struct Counted {
    MethodProfile read;   // All that was ever counted: of use for ratios.
    MethodCounts counts;  // Since the recording began.
  };

  std::map<MethodId, Counted> methods_;  // By the spool's id.
  InterpretedCode interpreted_;
  std::map<std::pair<MethodId, int32_t>, size_t> sites_;  // Of interpreted_, by caller and bci.
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_COUNTED_METHODS_H_
