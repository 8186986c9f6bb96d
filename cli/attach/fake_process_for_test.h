#ifndef YP_CLI_ATTACH_FAKE_PROCESS_FOR_TEST_H_
#define YP_CLI_ATTACH_FAKE_PROCESS_FOR_TEST_H_

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace yp {

// A /proc of one process in a temporary directory: a JVM that handles SIGQUIT, until told
// otherwise.
class FakeProcess {
 public:
  static constexpr pid_t kPid = 4242;

  FakeProcess() {
    std::string pattern = std::filesystem::temp_directory_path() / "yp-proc-XXXXXX";
    root_ = mkdtemp(pattern.data());
    std::filesystem::create_directories(directory() / "root/tmp");
    std::filesystem::create_directories(directory() / "cwd");
    Write("status", Status("S (sleeping)", kHandlesQuit));
    Write("maps", "7f00-7f01 r-xp 0 08:01 42 /usr/lib/jvm/17/lib/server/libjvm.so\n");
    Write("cmdline", std::string("java\0-cp\0.\0Main\0", 16));
    Write("environ", std::string("HOME=/root\0", 11));
  }
  ~FakeProcess() { std::filesystem::remove_all(root_); }
  FakeProcess(const FakeProcess&) = delete;
  FakeProcess& operator=(const FakeProcess&) = delete;

  static constexpr const char* kHandlesQuit = "2000000181005cce";
  static constexpr const char* kLeavesQuit = "2000000181005cc8";

  static std::string Status(const std::string& state, const std::string& caught) {
    const std::string uid = std::to_string(geteuid());
    const std::string gid = std::to_string(getegid());
    return "Name:\tjava\nState:\t" + state + "\nUid:\t" + uid + "\t" + uid + "\t" + uid + "\t" +
           uid + "\nGid:\t" + gid + "\t" + gid + "\t" + gid + "\t" + gid +
           "\nNSpid:\t4242\t7\nSigCgt:\t" + caught + "\n";
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(directory() / name, std::ios::binary) << text;
  }
  // It opens, but reading it fails, as a file of /proc does whose process ends meanwhile.
  void MakeUnreadable(const std::string& name) const {
    std::filesystem::remove(directory() / name);
    std::filesystem::create_directory(directory() / name);
  }
  std::string proc_root() const { return root_; }
  std::filesystem::path directory() const { return root_ / std::to_string(kPid); }

 private:
  std::filesystem::path root_;
};

}  // namespace yp

#endif  // YP_CLI_ATTACH_FAKE_PROCESS_FOR_TEST_H_
