#ifndef YP_HOTSPOT_PROBES_BARRIER_BARRIER_CHECKS_H_
#define YP_HOTSPOT_PROBES_BARRIER_BARRIER_CHECKS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"

namespace yp::hotspot {

// How the JVM of that version names the stub.
const char* StubName(int jdk);
// What the compiled methods' barriers have in common.
class BarrierSurvey {
 public:
  explicit BarrierSurvey(uintptr_t stub) : stub_(stub) {}
  // A compiled method's code, from its verified entry on.
  void Add(uintptr_t address, std::span<const uint8_t> code);
  bool is_empty() const { return known_ + unknown_ == 0; }
  // The displacement of the word that all compare. An error when there are none, when two differ or
  // when more than the odd one, which may just be being made, is in no known form.
  Result<uint8_t> Displacement() const;

 private:
  uintptr_t stub_;
  size_t known_ = 0, unknown_ = 0;
  bool differ_ = false;
  uint8_t displacement_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BARRIER_BARRIER_CHECKS_H_
