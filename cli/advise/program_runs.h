#ifndef YP_CLI_ADVISE_PROGRAM_RUNS_H_
#define YP_CLI_ADVISE_PROGRAM_RUNS_H_

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/advise/advisor.h"
#include "cli/advise/candidates.h"
#include "cli/temporary_files.h"

namespace yp {

// Runs the user's command as the advisor asks for it: stdin is empty, stdout and stderr go to files
// of the directory, and whatever the command leaves behind in its process group is killed.
class ProgramRuns {
 public:
  ProgramRuns(std::vector<std::string> command, const TemporaryDirectory& directory);

  Result<RunOutcome> Run(const RunRequest& request);
  // Whether a JVM said in a run with options that it took them from JAVA_TOOL_OPTIONS.
  bool options_were_picked_up() const { return options_were_picked_up_; }

 private:
  const std::vector<std::string> command_;
  const TemporaryDirectory& directory_;
  bool options_were_picked_up_ = false;
};

// Where archives are made: in a folder that the user names, or among temporary files.
class ArchiveFolder {
 public:
  // `keep` is empty for temporary files. An error when it cannot be made, or has such files
  // already.
  static Result<std::unique_ptr<ArchiveFolder>> Open(const std::string& keep,
                                                     const TemporaryDirectory& temporary);
  // Removes all archives but the one that is kept, and the folder if it was made and is empty.
  ~ArchiveFolder();
  ArchiveFolder(const ArchiveFolder&) = delete;
  ArchiveFolder& operator=(const ArchiveFolder&) = delete;

  std::string PathOf(const ArchiveKind& archive) const;
  bool keeps_files() const { return keeps_files_; }
  void Keep(const ArchiveKind& archive) { kept_ = &archive; }

 private:
  ArchiveFolder() = default;
  std::string path_;
  bool keeps_files_ = false;
  bool was_made_ = false;
  const ArchiveKind* kept_ = nullptr;
};

}  // namespace yp

#endif  // YP_CLI_ADVISE_PROGRAM_RUNS_H_
