#ifndef YP_CLI_TEMPORARY_FILES_H_
#define YP_CLI_TEMPORARY_FILES_H_

#include <memory>
#include <string>

#include "base/status.h"

namespace yp {

// A directory of its own in $TMPDIR, removed with all that is in it.
class TemporaryDirectory {
 public:
  // `name` tells whose it is: "yp-NAME-XXXXXX".
  static Result<std::unique_ptr<TemporaryDirectory>> Create(const std::string& name);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

// The standard streams of a program whose user reads none of them: stdin is empty, the others are
// files, which are emptied before.
class StreamsInFiles {
 public:
  static Result<std::unique_ptr<StreamsInFiles>> Open(const std::string& stdout_path,
                                                      const std::string& stderr_path);
  ~StreamsInFiles();
  StreamsInFiles(const StreamsInFiles&) = delete;
  StreamsInFiles& operator=(const StreamsInFiles&) = delete;
  int in() const { return fds_[0]; }
  int out() const { return fds_[1]; }
  int err() const { return fds_[2]; }

 private:
  StreamsInFiles() = default;
  int fds_[3] = {-1, -1, -1};
};

// Whether both can be read and have the same bytes.
bool SameContents(const std::string& a, const std::string& b);

// The last line that is not empty; empty when there is none.
std::string LastLine(const std::string& path);

}  // namespace yp

#endif  // YP_CLI_TEMPORARY_FILES_H_
