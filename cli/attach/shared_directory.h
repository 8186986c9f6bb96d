#ifndef YP_CLI_ATTACH_SHARED_DIRECTORY_H_
#define YP_CLI_ATTACH_SHARED_DIRECTORY_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/status.h"

namespace yp {

// A temporary directory that another user's JVM can write in, and nobody else can look into but
// root; removed in the end unless something was left in it.
class SharedDirectory {
 public:
  // `name` begins its name.
  static Result<std::unique_ptr<SharedDirectory>> Create(const std::string& name, uid_t owner,
                                                         gid_t group);
  ~SharedDirectory();
  SharedDirectory(const SharedDirectory&) = delete;
  SharedDirectory& operator=(const SharedDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  explicit SharedDirectory(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

}  // namespace yp

#endif  // YP_CLI_ATTACH_SHARED_DIRECTORY_H_
