#include "cli/advise/candidates.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace yp {
namespace {

// The archive has classes and, of the methods that ran in training, the profiles (JEP 483, 515).
const ArchiveKind kAotCache{.name = "AOT cache",
                            .file_name = "app.aot",
                            .training = {"-XX:AOTCacheOutput={}"},
                            .use = {"-XX:AOTCache={}"},
                            .proof = "-XX:AOTMode=on"};

// A dynamic archive of classes (JEP 350). JDK 17 stores with a method that it waits for compilation
// (0x01000000 in Method::_access_flags), and a method for which that was so when the archive was
// made is never compiled again: xalan took 1.8 and 2.3 times the CPU time (Debian's 17.0.21). JDK
// 25 clears it; which release before does is not known. -Xbatch leaves few methods waiting, but
// measuring the very file alone proves that none matters.
const ArchiveKind kAppCds{.name = "AppCDS archive",
                          .file_name = "app.jsa",
                          .training = {"-Xbatch", "-XX:ArchiveClassesAtExit={}"},
                          .use = {"-XX:SharedArchiveFile={}"},
                          .proof = "-Xshare:on",
                          .only_as_measured = true};

// What decides which compilers there are, or replaces them.
constexpr std::array<std::string_view, 10> kCompilers = {"-Xint",
                                                         "-Xcomp",
                                                         "TieredCompilation",
                                                         "CompilationMode",
                                                         "UseJVMCICompiler",
                                                         "TieredStopAtLevel",
                                                         "UseCompiler",
                                                         "-client",
                                                         "-server",
                                                         "CompileThresholdScaling"};

// What a JVM with such a file refuses, or is not made for.
constexpr std::array<std::string_view, 20> kArchives = {"-Xshare",
                                                        "SharedArchiveFile",
                                                        "SharedClassListFile",
                                                        "ArchiveClassesAtExit",
                                                        "AutoCreateSharedArchive",
                                                        "RecordDynamicDumpInfo",
                                                        "DumpSharedSpaces",
                                                        "UseSharedSpaces",
                                                        "AOTCache",
                                                        "AOTCacheOutput",
                                                        "AOTConfiguration",
                                                        "AOTMode",
                                                        "-javaagent",
                                                        "-agentlib",
                                                        "-agentpath",
                                                        "-Xrunjdwp",
                                                        "--patch-module",
                                                        "--upgrade-module-path",
                                                        "--limit-modules",
                                                        "-Xint"};

constexpr std::array<std::string_view, kArchives.size() + kCompilers.size()> Both() {
  std::array<std::string_view, kArchives.size() + kCompilers.size()> both;
  std::copy(kArchives.begin(), kArchives.end(), both.begin());
  std::copy(kCompilers.begin(), kCompilers.end(), both.begin() + kArchives.size());
  return both;
}
constexpr auto kArchivesAndCompilers = Both();

// Methods that the cache has a profile of go from the interpreter to level 2, which asks every 2^k
// calls (k + 1: loop iterations) whether C2 is to compile: later than by default, 11 and 14.
const std::vector<std::string> kDelayedFromLevel2 = {"-XX:Tier2InvokeNotifyFreqLog=15",
                                                     "-XX:Tier2BackedgeNotifyFreqLog=16"};

// Ten times HotSpot's own thresholds of C2 (5,000, 600, 15,000 and 40,000).
const std::vector<std::string> kLateC2 = {
    "-XX:Tier4InvocationThreshold=50000", "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000", "-XX:Tier4BackEdgeThreshold=400000"};

const std::vector<std::string> kC1 = {"-XX:TieredStopAtLevel=1"};

constexpr int kFirstAot = 25;      // JEP 514: one run makes the cache; JEP 515: with profiles.
constexpr int kFirstDynamic = 13;  // JEP 350.

std::string WithFile(std::string_view option, std::string_view file) {
  std::string text(option);
  const size_t place = text.find("{}");
  if (place != std::string::npos) text.replace(place, 2, file);
  return text;
}

void Append(std::vector<std::string>* options, const std::vector<std::string_view>& more,
            std::string_view file) {
  for (const std::string_view option : more) options->push_back(WithFile(option, file));
}

}  // namespace

const std::vector<Candidate>& AllCandidates() {
  static const std::vector<Candidate> candidates = {
      {"aot-late-c2", "AOT cache with profiles, and C2 delayed", kDelayedFromLevel2, &kAotCache,
       kFirstAot, kNewestJdk, kArchivesAndCompilers},
      {"c1", "C1 only", kC1, nullptr, 11, kNewestJdk, kCompilers},
      {"aot", "AOT cache with profiles", {}, &kAotCache, kFirstAot, kNewestJdk, kArchives},
      {"appcds-c1", "AppCDS archive, and C1 only", kC1, &kAppCds, kFirstDynamic, kFirstAot - 1,
       kArchivesAndCompilers},
      {"appcds", "AppCDS archive", {}, &kAppCds, kFirstDynamic, kFirstAot - 1, kArchives},
      {"late-c2", "C2 after ten times as many calls", kLateC2, nullptr, 11, kNewestJdk, kCompilers},
      {"aot-c1", "AOT cache, and C1 only", kC1, &kAotCache, kFirstAot, kNewestJdk,
       kArchivesAndCompilers},
  };
  return candidates;
}

std::string NameOfOption(std::string_view option) {
  constexpr std::string_view kFlag = "-XX:";
  if (option.starts_with(kFlag)) {
    option.remove_prefix(kFlag.size());
    if (option.starts_with("+") || option.starts_with("-")) option.remove_prefix(1);
  }
  return std::string(option.substr(0, option.find_first_of("=:")));
}

std::string ReasonAgainst(const Candidate& candidate, const CommandFacts& command) {
  if (command.jdk && (*command.jdk < candidate.first_jdk || *command.jdk > candidate.last_jdk)) {
    return candidate.last_jdk == kNewestJdk
               ? fmt::format("needs JDK {} or later", candidate.first_jdk)
               : fmt::format("is for JDK {} to {}", candidate.first_jdk, candidate.last_jdk);
  }
  if (candidate.archive != nullptr) {
    if (!command.is_launcher || !command.jdk) {
      return fmt::format("needs the java command itself, to make an {}", candidate.archive->name);
    }
    if (candidate.archive->only_as_measured && !command.keeps_files) {
      return fmt::format(
          "needs --keep DIR: on JDK {} one {} may slow a program down that another does not, so "
          "that only the file that was measured can be advised",
          *command.jdk, candidate.archive->name);
    }
  }
  std::vector<std::string> own;
  for (const std::string& option : RunOptions(candidate, "")) own.push_back(NameOfOption(option));
  for (const std::string& option : command.jvm_options) {
    const std::string name = NameOfOption(option);
    if (std::ranges::find(own, name) != own.end() ||
        std::ranges::find(candidate.excluded_by, name) != candidate.excluded_by.end()) {
      return fmt::format("the command has {}", option);
    }
  }
  return "";
}

std::vector<std::string> RunOptions(const Candidate& candidate, std::string_view file) {
  std::vector<std::string> options;
  if (candidate.archive != nullptr) Append(&options, candidate.archive->use, file);
  options.insert(options.end(), candidate.flags.begin(), candidate.flags.end());
  return options;
}

std::vector<std::string> TrainingOptions(const ArchiveKind& archive, std::string_view file) {
  std::vector<std::string> options;
  Append(&options, archive.training, file);
  return options;
}

std::vector<std::string> ProofOptions(const ArchiveKind& archive, std::string_view file) {
  std::vector<std::string> options;
  Append(&options, archive.use, file);
  options.emplace_back(archive.proof);
  return options;
}

std::string ShellWords(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%^";
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace yp
