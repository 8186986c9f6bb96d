#ifndef YP_CLI_RECORDING_H_
#define YP_CLI_RECORDING_H_

#include <cstddef>
#include <string>

#include "base/status.h"
#include "cli/collect.h"
#include "cli/flags.h"

namespace yp {

// What run and attach have in common beside the profiling itself: where the profile goes and how
// its summary is shown.
class RecordingFlags {
 public:
  explicit RecordingFlags(Flags app);
  RecordingFlags(const RecordingFlags&) = delete;
  RecordingFlags& operator=(const RecordingFlags&) = delete;

  // The absolute path of the profile to be written.
  Result<std::string> OutputPath() const;
  bool quiet() const { return quiet_; }
  // Whether a profile was asked for by name.
  bool names_output() const { return !path_.empty(); }
  // Makes the profile of what a program has recorded, and shows it; what goes wrong is said on
  // stderr. `nothing`: what to say where there is no spool.
  void CollectAndShow(const SpoolFiles& spools, const std::string& profile_path,
                      const std::string& nothing) const;
  // Shows what was collected, which includes a profile: on stderr, or as a line of JSON on stdout.
  Status Show(const Collected& collected, const std::string& profile_path) const;

 private:
  std::string path_;
  size_t top_ = 10;
  bool quiet_ = false;
  bool json_ = false;
};

}  // namespace yp

#endif  // YP_CLI_RECORDING_H_
