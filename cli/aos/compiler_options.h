#ifndef YP_CLI_AOS_COMPILER_OPTIONS_H_
#define YP_CLI_AOS_COMPILER_OPTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/aos/jdk_release.h"

namespace yp {

// Which of HotSpot's own compilers stay beside Yieldpoint's.
enum class Tiers {
  kOwn,      // none for the program: it is interpreted, then compiled by Yieldpoint's
  kHotspot,  // C1 below it, with HotSpot's thresholds; Yieldpoint's takes C2's place
};

struct CompilerSetup {
  std::string library;  // libyieldpoint_compiler.so
  std::string jar;      // yieldpoint-compiler.jar
  Tiers tiers = Tiers::kOwn;
  bool statistics = false;
  bool verbose = false;
  int jdk = 17;  // its feature release
  // What -Dyieldpoint.compiler.inline takes: none, static, all, or a file with CallWeights::Text.
  std::string inlining = "none";
  bool optimizes = false;  // At OPT2, where a lower level would be enough.
};

// Refuses what the compiler does not work in, in one line: a JDK, or options of its JVM.
Status CheckJdk(const JdkRelease& release);
Status CheckJvmOptions(const std::vector<std::string>& options);

// The options of a JVM that is to run with the compiler.
std::vector<std::string> CompilerOptions(const CompilerSetup& setup);

}  // namespace yp

#endif  // YP_CLI_AOS_COMPILER_OPTIONS_H_
