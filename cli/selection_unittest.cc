// --from, --to and --thread of the commands that read a profile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_test_util.h"
#include "format/profile/profile_test_util.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Windows of OddProfile begin at 10 and 20 ms of 30, in thread "main".
class SelectionCommandsTest : public CommandTest {
 protected:
  SelectionCommandsTest() { EXPECT_TRUE(SaveProfile(OddProfile(), directory_ / "odd.yp")); }

  int Yp(const char* command, std::vector<const char*> arguments) {
    const std::string path = directory_ / "odd.yp";
    arguments.insert(arguments.begin(), {command, path.c_str()});
    return Run(std::move(arguments));
  }

  spool::TemporaryDirectory directory_;
};

TEST_F(SelectionCommandsTest, EdgesAreThoseOfTheTime) {
  ASSERT_EQ(Yp("edges", {"--from", "15ms", "--json"}), 0) << err_;
  const json edges = json::parse(out_);
  ASSERT_THAT(edges, SizeIs(2));
  EXPECT_THAT(std::string(edges[0]["caller"]), HasSubstr("a b"));
  EXPECT_EQ(edges[0]["calls"], 30);
  EXPECT_THAT(err_, HasSubstr("4 edges were not seen in the selection"));
  ASSERT_EQ(Yp("edges", {"--to", "0.015", "--json"}), 0) << err_;
  EXPECT_THAT(json::parse(out_), SizeIs(4)) << "a bare number is of seconds";
}

TEST_F(SelectionCommandsTest, WhatASelectionCannotTellIsInTheJson) {
  ASSERT_EQ(Yp("top", {"--from", "15ms", "--json-object"}), 0) << err_;
  const json warnings = json::parse(out_)["warnings"];
  EXPECT_THAT(warnings.dump(), HasSubstr("5 % of the run's calls were counted by the VM"));
}

TEST_F(SelectionCommandsTest, ThreadsAreChosenByName) {
  ASSERT_EQ(Yp("top", {"--thread", "ma*", "--json"}), 0) << err_;
  EXPECT_FALSE(json::parse(out_).empty());
  ASSERT_EQ(Yp("tree", {"--thread", "pool*", "--json", "--min", "0"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["total"], 3);
  EXPECT_EQ(Yp("top", {"--thread", "none"}), 2);
  EXPECT_THAT(err_, HasSubstr("those that were sampled: main, pool \"1\""));
}

TEST_F(SelectionCommandsTest, StacksAreThoseOfTheTime) {
  ASSERT_EQ(Yp("tree", {"--to", "10ms", "--json", "--min", "0"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["total"], 3);
}

TEST_F(SelectionCommandsTest, ExportsAreOfTheSelection) {
  ASSERT_EQ(Yp("export", {"--format", "json", "-o", "-", "--to", "15ms"}), 0) << err_;
  EXPECT_THAT(json::parse(out_), SizeIs(4));
}

TEST_F(SelectionCommandsTest, TimesThatCannotBeAreErrors) {
  for (const auto& [arguments, why] : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{"--from", "20ms", "--to", "10ms"}, "the end is not after the beginning"},
           {{"--from", "2s"}, "the run has ended at 30 ms"},
           {{"--to", "soon"}, "--to soon"}}) {
    EXPECT_EQ(Yp("edges", arguments), 2);
    EXPECT_THAT(err_, HasSubstr(why));
  }
}

}  // namespace
}  // namespace yp
