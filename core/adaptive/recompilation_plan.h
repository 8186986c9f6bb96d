#ifndef YP_CORE_ADAPTIVE_RECOMPILATION_PLAN_H_
#define YP_CORE_ADAPTIVE_RECOMPILATION_PLAN_H_

#include <cstddef>
#include <map>
#include <optional>

#include "core/adaptive/decision.h"

namespace yp {

// What waits for the compilers. A method is in it once, as it was decided last; what is expected to
// gain most comes first, and of two equal ones the method with the lower number.
class RecompilationPlan {
 public:
  // A recompilation; takes the place of the method's earlier one.
  void Put(const Decision& decision) { decisions_.insert_or_assign(decision.method, decision); }
  void Remove(MethodId method) { decisions_.erase(method); }
  std::optional<Decision> Take();

  bool empty() const { return decisions_.empty(); }
  size_t size() const { return decisions_.size(); }
  // Of all that waits. The cost is never above what the compilations are expected to save.
  double compile_ms() const;
  double gain_ms() const;

 private:
  std::map<MethodId, Decision> decisions_;
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_RECOMPILATION_PLAN_H_
