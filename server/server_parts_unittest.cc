#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/content_security_policy.h"
#include "server/request_check.h"
#include "server/token.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef";

TEST(TokenTest, IsAnotherEachTime) {
  const std::string a = RandomToken().value(), b = RandomToken().value();
  EXPECT_THAT(a, MatchesRegex("[0-9a-f]{32}"));
  EXPECT_NE(a, b);
}

TEST(TokenTest, IsComparedWhole) {
  EXPECT_TRUE(EqualInConstantTime("", ""));
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualInConstantTime("abc", "bbc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abcd"));
}

PageAnswer AnswerTo(std::string_view method, std::string_view path,
                    std::vector<std::string> hosts = {"127.0.0.1:4711"},
                    std::vector<std::string> origins = {}, int port = 4711) {
  return Check({method, std::move(hosts), std::move(origins), path}, port, kToken);
}

TEST(RequestCheckTest, ThePageAndItsDataAreAllThereIs) {
  const std::string own = "/" + std::string(kToken) + "/";
  EXPECT_EQ(AnswerTo("GET", own), PageAnswer::kPage);
  EXPECT_EQ(AnswerTo("HEAD", own + "data"), PageAnswer::kData);
  for (const std::string& path :
       {std::string("/"), std::string(""), std::string("/data"), std::string("data"),
        "/" + std::string(kToken), own + "data/", own + "../data", own + "./",
        own + "../../etc/passwd", "/x" + own, "//" + own,
        std::string("/0123456789abcdef0123456789abcdee/"), own + std::string("data\0", 5)}) {
    EXPECT_EQ(AnswerTo("GET", path), PageAnswer::kNotFound) << path;
  }
}

TEST(RequestCheckTest, TheHostIsThisServer) {
  const std::string own = "/" + std::string(kToken) + "/";
  const auto with = [&](std::vector<std::string> hosts) { return AnswerTo("GET", own, hosts); };
  EXPECT_EQ(with({"localhost:4711"}), PageAnswer::kPage);
  for (const char* host : {"evil.example:4711", "127.0.0.1", "127.0.0.1:4712", "localhost.:4711",
                           "127.0.0.1:4711.evil.example", "[::1]:4711", "0.0.0.0:4711", ""}) {
    EXPECT_EQ(with({host}), PageAnswer::kForbidden) << host;
  }
  EXPECT_EQ(with({}), PageAnswer::kForbidden);
  EXPECT_EQ(with({"127.0.0.1:4711", "127.0.0.1:4711"}), PageAnswer::kForbidden);
  EXPECT_EQ(AnswerTo("GET", own, {"localhost"}, {}, 80), PageAnswer::kPage);
}

TEST(RequestCheckTest, OtherSitesAreRefused) {
  const std::string own = "/" + std::string(kToken) + "/data";
  const auto with = [&](std::vector<std::string> origins) {
    return AnswerTo("GET", own, {"127.0.0.1:4711"}, origins);
  };
  EXPECT_EQ(with({"http://127.0.0.1:4711"}), PageAnswer::kData);
  EXPECT_EQ(with({"http://localhost:4711"}), PageAnswer::kData);
  for (const char* origin : {"null", "", "https://evil.example", "https://127.0.0.1:4711",
                             "http://127.0.0.1:4712", "http://127.0.0.1:4711.evil.example"}) {
    EXPECT_EQ(with({origin}), PageAnswer::kForbidden) << origin;
  }
  EXPECT_EQ(with({"http://127.0.0.1:4711", "http://127.0.0.1:4711"}), PageAnswer::kForbidden);
}

TEST(RequestCheckTest, NothingCanBeChanged) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get"}) {
    EXPECT_EQ(AnswerTo(method, "/"), PageAnswer::kNotAllowed) << method;
  }
}

TEST(ContentSecurityPolicyTest, FindsTheScripts) {
  EXPECT_THAT(ScriptsIn("<script>a</script><p><SCRIPT type=\"x>y\">b<c</SCRIPT >d"),
              ElementsAre("a", "b<c"));
  EXPECT_THAT(ScriptsIn("<p>"), IsEmpty());
  EXPECT_THAT(ScriptsIn("<script"), ElementsAre(""));
}

// The example of Content Security Policy Level 2, section 7.17.1.
TEST(ContentSecurityPolicyTest, AllowsTheScriptsByTheirHashes) {
  EXPECT_EQ(ContentSecurityPolicy("<script>alert('Hello, world.');</script>"),
            "default-src 'none'; script-src 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='; "
            "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; worker-src blob:; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  EXPECT_THAT(ContentSecurityPolicy("<p>"), HasSubstr("script-src 'none';"));
}

}  // namespace
}  // namespace yp
