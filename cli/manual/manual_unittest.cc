#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/manual/completion.h"
#include "cli/manual/man_page.h"

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

FlagDescription Flag(std::vector<std::string> names, std::string value, std::string help) {
  FlagDescription flag;
  flag.names = std::move(names);
  flag.value = std::move(value);
  flag.help = std::move(help);
  return flag;
}

CommandDescription Command(std::string name, std::string description, std::string footer) {
  CommandDescription command;
  command.name = std::move(name);
  command.description = std::move(description);
  command.footer = std::move(footer);
  command.groups = {{}};
  return command;
}

std::vector<CommandDescription> Small() {
  const CommandDescription program =
      Command("", "Tells all.\n\n  yp run -- java   it's an example\n", "\nThe end.");

  FlagDescription mode = Flag({"--mode"}, "exact|cbs|OTHER", "How [now]");
  mode.default_value = "cbs";
  FlagDescription include = Flag({"--include"}, "GLOB", "it's one");
  include.repeated = true;
  CommandDescription run =
      Command("run", "Run: a command", "\nOne.\n.Two\n\nExamples:\n  yp run -- a\\b\n");
  run.takes_user_command = true;
  run.groups[0].flags = {Flag({"-o", "--output"}, "FILE", "The file. Or not")};
  run.groups.push_back({"Others", "Rarely used", {mode, include}});

  FlagDescription profile = Flag({"profile"}, "P", "A profile");
  profile.is_argument = true;
  profile.required = true;
  CommandDescription top = Command("top", "Show", "");
  top.groups[0].flags = {profile};
  return {program, run, top};
}

TEST(ManPageTest, OfTheProgramNamesTheCommands) {
  EXPECT_THAT(ManPage(Small(), 0),
              AllOf(HasSubstr(".SH NAME\nyp \\- Tells all.\n"),
                    HasSubstr(".RS\n.EX\nyp run \\-\\- java   it\\(aqs an example\n.EE\n.RE\n"),
                    HasSubstr(".BR yp\\-run (1)\nRun: a command\n"), HasSubstr("The end.\n")));
}

TEST(ManPageTest, OfACommandHasItsOptionsAndExamples) {
  EXPECT_THAT(
      ManPage(Small(), 1),
      AllOf(HasSubstr(".B yp run\n[\\fIOPTIONS\\fR]\n\\-\\- \\fICOMMAND\\fR...\n"),
            HasSubstr(".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\nThe file. Or not\n"),
            HasSubstr(".SS Others\nRarely used\n"), HasSubstr("How [now]\n.br\nDefault: cbs\n"),
            HasSubstr("One.\n\\&.Two\n"),
            HasSubstr(".SH EXAMPLES\n.RS\n.EX\nyp run \\-\\- a\\eb\n")));
  EXPECT_THAT(ManPage(Small(), 2), HasSubstr("[\\fIOPTIONS\\fR]\n.I profile\n"));
}

TEST(CompletionTest, OfBashKnowsValuesAndFiles) {
  EXPECT_THAT(BashCompletion(Small()),
              AllOf(HasSubstr("'run --mode') _yp_words exact cbs; return ;;"),
                    HasSubstr("'run -o'|'run --output') _yp_files; return ;;"),
                    HasSubstr("'run options') _yp_words -o --output --mode --include -- ;;"),
                    HasSubstr("'top arguments') _yp_profiles ;;"),
                    HasSubstr("' arguments') _yp_words run top ;;")));
}

TEST(CompletionTest, OfZshEscapesItsOwnCharacters) {
  EXPECT_THAT(ZshCompletion(Small()),
              AllOf(HasSubstr("'run:Run\\: a command'"),
                    HasSubstr("'(--mode)--mode=[How \\[now\\]]:exact|cbs|OTHER:(exact cbs)'"),
                    HasSubstr("'*--include=[it'\\''s one]:GLOB:'"),
                    HasSubstr("'(-o --output)-o+[The file]:FILE:_files'"),
                    HasSubstr("[[ $words[2] == (run) ]]")));
}

// The program's own description: what the forms above rely on.
TEST(DescribeCommandsTest, HasAllThatHelpHas) {
  const std::vector<CommandDescription> commands = DescribeCommands();
  ASSERT_GT(commands.size(), 10u);
  EXPECT_EQ(commands[0].name, "");
  EXPECT_EQ(commands[1].name, "run");
  EXPECT_TRUE(commands[1].takes_user_command);
  ASSERT_EQ(commands[1].groups.size(), 2u);
  size_t helps = 0;
  for (const FlagGroup& group : commands[1].groups) {
    for (const FlagDescription& flag : group.flags) {
      helps += flag.names.back() == "--help" ? 1 : 0;
      if (flag.names.back() != "--budget") continue;
      EXPECT_EQ(flag.value, "PERCENT");  // Without the range, which CLI11 adds.
      EXPECT_EQ(flag.default_value, "0.5");
      EXPECT_FALSE(flag.repeated);
    }
  }
  EXPECT_EQ(helps, 1u);
  for (const CommandDescription& command : commands) {
    EXPECT_NE(command.description, "");
    for (const FlagGroup& group : command.groups) {
      for (const FlagDescription& flag : group.flags) EXPECT_NE(flag.help, "") << command.name;
    }
  }
}

}  // namespace
}  // namespace yp
