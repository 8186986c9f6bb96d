#include "cli/attach/jvm_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace yp {
namespace {

using testing::ElementsAre;

class JvmOptionsTest : public testing::Test {
 protected:
  std::vector<std::string> Expand(std::vector<std::string> arguments) {
    JvmOptionSources sources = environment_;
    sources.arguments = std::move(arguments);
    sources.read_file = [this](const std::string& path) -> std::optional<std::string> {
      const auto found = files_.find(path);
      return found == files_.end() ? std::nullopt : std::optional(found->second);
    };
    return ExpandJvmOptions(sources);
  }
  JvmOptionSources environment_;
  std::map<std::string, std::string> files_;
};

TEST_F(JvmOptionsTest, EndAtTheMainClass) {
  EXPECT_THAT(Expand({"/jdk/bin/java", "-cp", "@a", "-ea", "Main", "-XX:+A", "@b"}),
              ElementsAre("-cp", "-ea"));
  EXPECT_THAT(Expand({"java", "-Da=b", "-jar", "app.jar", "-XX:+A"}), ElementsAre("-Da=b"));
  EXPECT_THAT(Expand({"javac", "-J-XX:+A", "A.java"}), ElementsAre("-XX:+A", "A.java"))
      << "other programs start a JVM in their own way";
}

TEST_F(JvmOptionsTest, StandInArgumentFilesAsWell) {
  files_["args"] = "# comment -XX:+No\n-XX:+A  \"-Da=b c\" '-De=\\\\f'\n-XX:+\\\n   B -cp\n";
  files_["main"] = "Main -XX:+C";
  EXPECT_THAT(Expand({"java", "@args", "Main", "@main", "-XX:+D"}),
              ElementsAre("-XX:+A", "-Da=b c", "-De=\\f", "-XX:+B", "-cp"))
      << "Main is the value of -cp, and @main behind it the main class";
}

TEST_F(JvmOptionsTest, StandInTheEnvironmentAndInFilesOfOptions) {
  environment_.java_tool_options = "-XX:+A '-Dx=y z'";
  environment_.jdk_java_options = "-XX:+B @more";
  environment_.java_options = "-XX:-A";
  files_["more"] = "-XX:+C";
  files_["flags"] = "+D\n-E Size=3\n";
  files_["options"] = "-XX:+F -XX:VMOptionsFile=options";
  const std::vector<std::string> options =
      Expand({"java", "-XX:Flags=flags", "-XX:VMOptionsFile=options", "Main"});
  EXPECT_THAT(FlagOf(options, "A"), false) << "_JAVA_OPTIONS is the last";
  for (const char* name : {"B", "C", "D", "F"}) EXPECT_EQ(FlagOf(options, name), true) << name;
  EXPECT_EQ(FlagOf(options, "E"), false);
  EXPECT_EQ(FlagOf(options, "G"), std::nullopt);
  EXPECT_THAT(options, testing::Contains("-Dx=y z"));
}

TEST_F(JvmOptionsTest, TellWhichRefusesAgents) {
  EXPECT_EQ(OptionThatRefusesAgents({"-Xmx1g", "-XX:SharedArchiveFile=a"}), "");
  EXPECT_EQ(OptionThatRefusesAgents({"-XX:ArchiveClassesAtExit=a"}), "-XX:ArchiveClassesAtExit");
  EXPECT_EQ(OptionThatRefusesAgents({"-XX:+AutoCreateSharedArchive"}),
            "-XX:+AutoCreateSharedArchive");
  EXPECT_EQ(
      OptionThatRefusesAgents({"-XX:+AutoCreateSharedArchive", "-XX:-AutoCreateSharedArchive"}),
      "");
  EXPECT_EQ(OptionThatRefusesAgents({"-Xshare:dump"}), "-Xshare:dump");
}

}  // namespace
}  // namespace yp
