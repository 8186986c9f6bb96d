#ifndef YP_RECORDER_PART_FILES_H_
#define YP_RECORDER_PART_FILES_H_

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace yp {

// The files of a recording that goes on from part to part, by the pattern of their names
// (RecordingOptions::spool).
//
// - A file is one of them whose name is the pattern with this process's id in the place of %p and
//   any time in that of %t: those of an earlier process of the same name count, too, so that a
//   program that starts again and again leaves no more behind than one that runs on.
// - Times are UTC, so that the order of names is that of time.
// - Files are removed by name; one that is still read elsewhere stays there until it is closed.
class PartFiles {
 public:
  struct File {
    std::string path;
    uint64_t bytes = 0;
  };
  struct Limits {
    uint32_t keep = UINT32_MAX;              // At least 1.
    std::optional<uint64_t> max_bytes = {};  // Of all together.
  };

  PartFiles(std::string_view pattern, int pid);

  // An error when the parts could not be told apart: the file's name has no %t, or more than one,
  // or there is one in the name of a folder.
  Status Check() const;
  // The name of a file of that time, since 1970; where there is one, with a number behind the time.
  std::string NewPath(std::time_t now) const;
  // The oldest first. Empty where the folder cannot be read.
  std::vector<File> Find() const;
  // Removes the oldest until the rest is within the limits, and never `current`. Those that are
  // left. What cannot be removed stays and counts.
  std::vector<File> Prune(const Limits& limits, const std::string& current) const;

 private:
  bool IsOne(std::string_view name) const;

  std::string directory_;
  // Of the name, around the time.
  std::string before_, after_;
  size_t times_in_name_ = 0;
  bool has_time_in_directory_ = false;
};

// The pattern with the process id, the time and "%" in their places. Anything else that follows a
// "%" stays as it is.
std::string ExpandPattern(std::string_view pattern, int pid, std::time_t now);

// The same pattern from any folder: with the process's own before it, where it begins in none.
std::string AbsolutePattern(std::string_view pattern);

}  // namespace yp

#endif  // YP_RECORDER_PART_FILES_H_
