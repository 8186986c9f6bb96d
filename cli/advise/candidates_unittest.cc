#include "cli/advise/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Candidate& Named(std::string_view name) {
  return *std::ranges::find(AllCandidates(), name, &Candidate::name);
}

// Those that are tried.
std::set<std::string> Tried(const CommandFacts& command) {
  std::set<std::string> names;
  for (const Candidate& candidate : AllCandidates()) {
    if (ReasonAgainst(candidate, command).empty()) names.insert(candidate.name);
  }
  return names;
}

CommandFacts Launcher(int jdk, std::vector<std::string> options = {}) {
  return {jdk, true, std::move(options), true};
}

TEST(CandidatesTest, HaveNamesAndFlagsOfTheirOwn) {
  std::set<std::string> names;
  std::set<std::vector<std::string>> flags;
  for (const Candidate& candidate : AllCandidates()) {
    EXPECT_TRUE(names.insert(candidate.name).second) << candidate.name;
    EXPECT_TRUE(flags.insert(RunOptions(candidate, "f")).second) << candidate.name;
    EXPECT_THAT(RunOptions(candidate, "f"), testing::Not(IsEmpty()));
    EXPECT_FALSE(candidate.summary.empty());
  }
}

TEST(CandidatesTest, ThatAreTriedDependOnTheJdk) {
  EXPECT_THAT(Tried(Launcher(17)), ElementsAre("appcds", "appcds-c1", "c1", "late-c2"));
  EXPECT_THAT(Tried(Launcher(25)), ElementsAre("aot", "aot-c1", "aot-late-c2", "c1", "late-c2"));
  EXPECT_THAT(Tried(Launcher(11)), ElementsAre("c1", "late-c2"));
}

TEST(CandidatesTest, AnUnprovenArchiveIsNotTried) {
  CommandFacts command = Launcher(17);
  command.keeps_files = false;
  EXPECT_THAT(Tried(command), ElementsAre("c1", "late-c2"));
  EXPECT_THAT(ReasonAgainst(Named("appcds"), command), HasSubstr("--keep"));
  command.jdk = 25;
  EXPECT_EQ(Tried(command).count("aot"), 1u);
}

TEST(CandidatesTest, OfScriptsNeedNoFile) {
  CommandFacts command;
  command.keeps_files = true;
  EXPECT_THAT(Tried(command), ElementsAre("c1", "late-c2"));
  EXPECT_THAT(ReasonAgainst(Named("aot"), command), HasSubstr("java command itself"));
}

TEST(CandidatesTest, ContradictNothingThatTheUserSays) {
  for (const char* option :
       {"-XX:TieredStopAtLevel=3", "-Xint", "-XX:-TieredCompilation", "-XX:+UseJVMCICompiler"}) {
    const std::set<std::string> tried = Tried(Launcher(25, {"-Xmx1g", option}));
    EXPECT_EQ(tried.count("c1") + tried.count("late-c2") + tried.count("aot-c1"), 0u) << option;
  }
  EXPECT_THAT(Tried(Launcher(25, {"-Xshare:off"})), ElementsAre("c1", "late-c2"));
  EXPECT_THAT(Tried(Launcher(25, {"-javaagent:a.jar"})), ElementsAre("c1", "late-c2"));
  EXPECT_THAT(Tried(Launcher(25, {"-XX:Tier2InvokeNotifyFreqLog=3"})),
              ElementsAre("aot", "aot-c1", "c1", "late-c2"));
  EXPECT_EQ(ReasonAgainst(Named("c1"), Launcher(17, {"-XX:TieredStopAtLevel=3"})),
            "the command has -XX:TieredStopAtLevel=3");
}

TEST(CandidatesTest, LeaveCollectorsAndOtherFlagsAlone) {
  EXPECT_EQ(Tried(Launcher(25, {"-XX:+UseZGC", "-Xmx1g", "-Da=b", "-XX:MaxInlineSize=40"})).size(),
            5u);
}

TEST(NameOfOptionTest, KnowsTheFormsThatOptionsHave) {
  EXPECT_EQ(NameOfOption("-XX:TieredStopAtLevel=1"), "TieredStopAtLevel");
  EXPECT_EQ(NameOfOption("-XX:-UseSerialGC"), "UseSerialGC");
  EXPECT_EQ(NameOfOption("-Xshare:auto"), "-Xshare");
  EXPECT_EQ(NameOfOption("-Xint"), "-Xint");
  EXPECT_EQ(NameOfOption("-javaagent:/a/b.jar=x"), "-javaagent");
  EXPECT_EQ(NameOfOption(""), "");
}

TEST(CandidateOptionsTest, HaveTheFileInTheirPlace) {
  const Candidate& aot = Named("aot-late-c2");
  EXPECT_THAT(RunOptions(aot, "/d/app.aot"),
              ElementsAre("-XX:AOTCache=/d/app.aot", "-XX:Tier2InvokeNotifyFreqLog=15",
                          "-XX:Tier2BackedgeNotifyFreqLog=16"));
  EXPECT_THAT(TrainingOptions(*aot.archive, "/d/app.aot"),
              ElementsAre("-XX:AOTCacheOutput=/d/app.aot"));
  EXPECT_THAT(ProofOptions(*aot.archive, "/d/app.aot"),
              ElementsAre("-XX:AOTCache=/d/app.aot", "-XX:AOTMode=on"));
}

TEST(ShellWordsTest, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(ShellWords({"java", "-Da=b c", "it's", "", "$HOME", "*"}),
            "java '-Da=b c' 'it'\\''s' '' '$HOME' '*'");
}

}  // namespace
}  // namespace yp
