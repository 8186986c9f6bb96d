#include "cli/aos/compiler_options.h"

#include <fmt/core.h>

#include <array>
#include <utility>

#include "cli/attach/jvm_options.h"

namespace yp {
namespace {

constexpr int kOldestJdk = 17;
constexpr int kNewestJdk = 26;  // The last one with JVMCI.

// Of jdk.internal.vm.ci, what the compiler's Java part uses.
constexpr std::array kPackages = {"jdk.vm.ci.amd64",   "jdk.vm.ci.code", "jdk.vm.ci.code.site",
                                  "jdk.vm.ci.hotspot", "jdk.vm.ci.meta", "jdk.vm.ci.runtime",
                                  "jdk.vm.ci.services"};

constexpr std::array<std::pair<const char*, const char*>, 3> kOtherCollectors = {
    {{"UseZGC", "ZGC"}, {"UseShenandoahGC", "Shenandoah"}, {"UseEpsilonGC", "Epsilon"}}};

}  // namespace

Status CheckJdk(const JdkRelease& release) {
  if (!release.is_hotspot || release.architecture != "x86_64") {
    return Status::Error("the compiler works in HotSpot on x86-64, and this JVM is another one");
  }
  if (release.feature < kOldestJdk || release.feature > kNewestJdk) {
    return Status::Error(fmt::format(
        "the compiler works in JDK {} to {}, and this is JDK {}: JVMCI, through which it "
        "compiles, is in no other one",
        kOldestJdk, kNewestJdk, release.version));
  }
  if (!release.has_jvmci) {
    return Status::Error(fmt::format(
        "this build of JDK {} has no JVMCI (module jdk.internal.vm.ci): take another one",
        release.version));
  }
  return Status::Ok();
}

Status CheckJvmOptions(const std::vector<std::string>& options) {
  for (const auto& [flag, name] : kOtherCollectors) {
    if (FlagOf(options, flag).value_or(false)) {
      return Status::Error(
          fmt::format("the compiler does not know the collector {}: use -XX:+UseSerialGC, "
                      "-XX:+UseParallelGC or "
                      "-XX:+UseG1GC",
                      name));
    }
  }
  if (FlagOf(options, "UseCompactObjectHeaders").value_or(false)) {
    return Status::Error(
        "the compiler does not know compact object headers: leave out "
        "-XX:+UseCompactObjectHeaders");
  }
  if (FlagOf(options, "UseBiasedLocking").value_or(false)) {
    return Status::Error(
        "the compiler does not know biased locking: leave out -XX:+UseBiasedLocking");
  }
  for (const std::string& option : options) {
    if (option == "-Xint" || option == "-Xcomp" || option.starts_with("-agentlib:jdwp") ||
        option.starts_with("-Xrunjdwp")) {
      return Status::Error(fmt::format("the compiler does not work with {}: leave it out", option));
    }
  }
  return Status::Ok();
}

std::vector<std::string> CompilerOptions(const CompilerSetup& setup) {
  std::vector<std::string> options = {
      "-XX:+UnlockExperimentalVMOptions",
      "-XX:+EnableJVMCI",
      "-XX:+UseJVMCICompiler",
      // Otherwise JVMCI starts when the first method is compiled, and ends the process if the
      // program's heap is full by then.
      "-XX:+EagerJVMCI",
      "-Djvmci.Compiler=yieldpoint",
      "-Dyieldpoint.compiler.library=" + setup.library,
      "-Xbootclasspath/a:" + setup.jar,
      "--add-modules=jdk.internal.vm.ci",
      // What it asks of constant pools has no public methods on every JDK.
      "--add-opens=jdk.internal.vm.ci/jdk.vm.ci.hotspot=ALL-UNNAMED",
  };
  for (const char* package : kPackages) {
    options.push_back(fmt::format("--add-exports=jdk.internal.vm.ci/{}=ALL-UNNAMED", package));
  }
  if (setup.tiers == Tiers::kOwn) {
    // C1 compiles JVMCI's classes and the compiler's own only (BaseCompiler.java). BASE compiles
    // fast: it is asked early.
    options.insert(options.end(),
                   {"-XX:CompilationMode=high-only-quick-internal",
                    "-XX:Tier4InvocationThreshold=400", "-XX:Tier4MinInvocationThreshold=100",
                    "-XX:Tier4CompileThreshold=1000", "-XX:Tier4BackEdgeThreshold=6000"});
  }
  // The library is loaded by a class of the boot loader's unnamed module; from then on HotSpot
  // warns.
  constexpr int kFirstWithWarning = 24;
  if (setup.jdk >= kFirstWithWarning) options.emplace_back("--enable-native-access=ALL-UNNAMED");
  if (setup.inlining != "none") {
    options.push_back("-Dyieldpoint.compiler.inline=" + setup.inlining);
  }
  if (setup.optimizes) options.emplace_back("-Dyieldpoint.compiler.optimize=true");
  if (setup.statistics) options.emplace_back("-Dyieldpoint.compiler.statistics=true");
  if (setup.verbose) options.emplace_back("-Dyieldpoint.compiler.verbose=true");
  return options;
}

}  // namespace yp
