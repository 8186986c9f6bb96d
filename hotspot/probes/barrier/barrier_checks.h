#ifndef YP_HOTSPOT_PROBES_BARRIER_BARRIER_CHECKS_H_
#define YP_HOTSPOT_PROBES_BARRIER_BARRIER_CHECKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"

namespace yp::hotspot {

// Why a JVM or a machine is no place for the barrier probe: an error is one line for its user.

// Of Java's feature version; others have not been tried.
Status CheckJdk(int jdk);
// How the JVM of that version names the stub.
const char* StubName(int jdk);
// `status` is /proc/self/status. A shadow stack does not let the hook serialise.
Status CheckNoShadowStack(std::string_view status);
// `maps` is /proc/self/maps. The stub's code must be open to be written.
Status CheckWritableCode(std::string_view maps, uintptr_t address);

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
