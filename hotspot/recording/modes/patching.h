#ifndef YP_HOTSPOT_RECORDING_MODES_PATCHING_H_
#define YP_HOTSPOT_RECORDING_MODES_PATCHING_H_

#include "hotspot/recording/mode.h"

namespace yp::hotspot {

// Mode patching: each optimized method has a listener, which every call of it reaches until there
// have been enough.
class PatchingMode final : public Mode {
 public:
  using Mode::Mode;

 private:
  bool OnEntryOf(ThreadRecord& thread, const EntryCall& call) override;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_MODES_PATCHING_H_
