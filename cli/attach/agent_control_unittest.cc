#include "cli/attach/agent_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/options/reply_keys.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TEST(AgentReplyTest, HasWhatTheAgentSaysAndTheEndOfItsSpool) {
  const spool::TemporaryDirectory directory;
  {
    auto writer = spool::SpoolWriter::Open(directory / "r", spool::SpoolWriter::Mode::kCreateNew);
    ASSERT_TRUE(writer);
    EXPECT_TRUE((*writer)->Append(spool::Config{{{reply_key::kState, "recording"},
                                                 {reply_key::kPartFile, "/a 1"},
                                                 {reply_key::kPartFile, "/a 2"},
                                                 {reply_key::kSamples, "17"}}}));
    EXPECT_TRUE((*writer)->Append(spool::Config{{{"cost.x", "1"}}}));
    EXPECT_TRUE((*writer)->Append(spool::End{1, 2}));
  }
  const Result<AgentReply> reply = ReadAgentReply(directory / "r");
  ASSERT_TRUE(reply) << reply.message();
  EXPECT_EQ(reply->Text(reply_key::kState), "recording");
  EXPECT_THAT(reply->part_files, ElementsAre("/a 1", "/a 2"));
  EXPECT_EQ(reply->Number(reply_key::kSamples), 17);
  EXPECT_EQ(reply->Number(reply_key::kCostNs), std::nullopt);
  EXPECT_THAT(reply->rest, SizeIs(2));
}

TEST(AgentReplyTest, NothingIsNoReply) {
  const spool::TemporaryDirectory directory;
  EXPECT_TRUE(spool::SpoolWriter::Open(directory / "r", spool::SpoolWriter::Mode::kCreateNew).ok());
  EXPECT_THAT(std::string(ReadAgentReply(directory / "r").message()), HasSubstr("empty"));
  EXPECT_FALSE(ReadAgentReply(directory / "none"));
}

}  // namespace
}  // namespace yp
