#ifndef YP_CORE_ADAPTIVE_CALL_WEIGHTS_H_
#define YP_CORE_ADAPTIVE_CALL_WEIGHTS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "core/graph/dcg.h"

namespace yp {

// What a profile says of calls, by names: methods have no numbers that two processes share. Names
// are those of Method::FullName.
class CallWeights {
 public:
  struct Target {
    std::string callee;
    double weight = 0;  // Of all calls.
    double part = 0;    // Of the site's.
  };

  // Those of a graph, whose methods have these full names. Calls without a call site are left out.
  static CallWeights Of(const DynamicCallGraph& graph,
                        const std::function<std::string(MethodId)>& full_name_of);

  // So many calls, in any unit that is the same for all.
  void Add(std::string_view caller, int32_t bci, std::string_view callee, double calls);
  // What was called there, the most called first; nothing: it is not known.
  std::vector<Target> At(std::string_view caller, int32_t bci) const;
  size_t sites() const { return sites_.size(); }

  // As lines of text. Parse refuses what Text did not write.
  std::string Text() const;
  static Result<CallWeights> Parse(std::string_view text);

 private:
  using Callees = std::unordered_map<std::string, double>;
  static std::string Key(std::string_view caller, int32_t bci);

  std::unordered_map<std::string, Callees> sites_;  // By bci and caller.
  double total_ = 0;
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_CALL_WEIGHTS_H_
