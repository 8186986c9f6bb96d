#ifndef YP_CLI_OUTPUT_PATH_H_
#define YP_CLI_OUTPUT_PATH_H_

#include <sys/types.h>

#include <ctime>
#include <string>
#include <vector>

#include "base/status.h"

namespace yp {

// The profile's path when none was given: "yp-20261121-110455.yp", local time.
std::string DefaultProfilePath(std::time_t now);

// Where the page of one or two profiles goes when no path was given: "app.html" beside "app.yp",
// "before-after.html" beside the second of two.
std::string DefaultPagePath(const std::vector<std::string>& profile_paths);

// The absolute form of a path for a new file, or why no file can be made there: its directory does
// not exist or cannot be written, or what is there is no regular file.
Result<std::string> CheckOutputPath(const std::string& path);

// The spools of one invocation of yp, beside its profile: "app.yp" has "app.TAG-<pid>.yp-spool".
class SpoolFiles {
 public:
  struct File {
    std::string path;
    pid_t pid;  // Of the JVM, in its own pid namespace.
  };

  // `profile_path` is absolute; `tag` tells this invocation from others.
  SpoolFiles(const std::string& profile_path, const std::string& tag);

  // For the agent, which puts its pid in the place of "%p".
  std::string pattern() const;
  std::string PathOf(pid_t pid) const;
  // Those that exist, by pid.
  std::vector<File> Find() const;

  static constexpr const char* kSuffix = ".yp-spool";

 private:
  std::string directory_;
  std::string prefix_;
};

// A path as a pattern that stands for it alone.
std::string AsPattern(const std::string& path);

// "app.yp" as "app-1234.yp": the profile of a further JVM.
std::string WithPid(const std::string& profile_path, pid_t pid);

}  // namespace yp

#endif  // YP_CLI_OUTPUT_PATH_H_
