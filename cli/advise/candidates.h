#ifndef YP_CLI_ADVISE_CANDIDATES_H_
#define YP_CLI_ADVISE_CANDIDATES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a program may be run with in place of its JVM's defaults: one table, a row per candidate.
namespace yp {

// A file that a training run of the program makes and later runs start from.
struct ArchiveKind {
  std::string_view name;       // "AOT cache"
  std::string_view file_name;  // "app.aot"
  // Options of the run that makes the file and of those that use it; {} stands for its path.
  std::vector<std::string_view> training;
  std::vector<std::string_view> use;
  // With this beside `use`, the JVM does not start when it cannot use the file.
  std::string_view proof;
  // Two files made in the same way may differ in what they do to the program: only the one that was
  // measured can be advised, and so it must be kept.
  bool only_as_measured = false;
};

inline constexpr int kNewestJdk = 1000;

struct Candidate {
  std::string name;
  std::string summary;             // What it does, for people.
  std::vector<std::string> flags;  // Of the JVM, without those of the archive.
  const ArchiveKind* archive = nullptr;
  int first_jdk = 11;  // Feature releases that have it.
  int last_jdk = kNewestJdk;
  // Options of the user's with which it makes no sense, besides those that it sets itself, by their
  // names (NameOfOption).
  std::span<const std::string_view> excluded_by;
};

// All that is known, what is tried first in front: where time is short, the last are left out.
const std::vector<Candidate>& AllCandidates();

// What an option sets, without a value: "TieredStopAtLevel" of "-XX:TieredStopAtLevel=1",
// "UseSerialGC" of "-XX:-UseSerialGC", "-Xshare" of "-Xshare:auto", "-Xint" of itself.
std::string NameOfOption(std::string_view option);

// What is known of the command that candidates are for.
struct CommandFacts {
  // Of its JVM; none: it is unknown.
  std::optional<int> jdk;
  // It is a java launcher, which takes options itself.
  bool is_launcher = false;
  // All options of its JVM (AllJvmOptions).
  std::vector<std::string> jvm_options;
  // Files that are made will be kept.
  bool keeps_files = false;
};

// Why the candidate is not tried; empty when it is.
std::string ReasonAgainst(const Candidate& candidate, const CommandFacts& command);

// The options to run the candidate with, to make its archive, and to prove that the JVM takes it;
// `file` is the archive's path.
std::vector<std::string> RunOptions(const Candidate& candidate, std::string_view file);
std::vector<std::string> TrainingOptions(const ArchiveKind& archive, std::string_view file);
std::vector<std::string> ProofOptions(const ArchiveKind& archive, std::string_view file);

// Words of a command as a shell takes them.
std::string ShellWords(const std::vector<std::string>& words);

}  // namespace yp

#endif  // YP_CLI_ADVISE_CANDIDATES_H_
