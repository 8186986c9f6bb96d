// The server as a browser, and an attacker, sees it: over real sockets.
#include "server/page_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "format/bytes/gzip.h"

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kPage = "<!doctype html><script>main()</script><p>page";
const std::string kJson = R"({"name":"</script>é\u0000"})" + std::string(300'000, ' ');

class PageServerTest : public testing::Test {
 protected:
  PageServerTest() {
    auto started = PageServer::Start({kPage, Gzip(kJson).value()}, 0);
    EXPECT_TRUE(started) << started.message();
    server_ = std::move(*started);
  }

  std::string Path(const std::string& below) const { return "/" + server_->token() + "/" + below; }
  httplib::Result Get(const std::string& path, const httplib::Headers& headers = {}) const {
    return httplib::Client("127.0.0.1", server_->port()).Get(path, headers);
  }
  std::string Host() const { return "Host: 127.0.0.1:" + std::to_string(server_->port()) + "\r\n"; }
  // What comes back for exactly these bytes.
  std::string Raw(const std::string& request) const {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(server_->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(write(fd, request.data(), request.size()), static_cast<ssize_t>(request.size()));
    std::string answer;
    char bytes[4096];
    for (ssize_t got = 0; (got = read(fd, bytes, sizeof bytes)) > 0;) {
      answer.append(bytes, static_cast<size_t>(got));
    }
    close(fd);
    return answer;
  }

  std::unique_ptr<PageServer> server_;
};

TEST_F(PageServerTest, ServesThePage) {
  const httplib::Result page = Get(Path(""));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->body, kPage);
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(server_->address(), "http://127.0.0.1:" + std::to_string(server_->port()) + Path(""));
}

TEST_F(PageServerTest, ServesTheDataCompressedOnce) {
  const httplib::Result data = Get(Path("data"));
  ASSERT_TRUE(data);
  EXPECT_EQ(data->body, kJson);
  const std::string raw =
      Raw("GET " + Path("data") + " HTTP/1.1\r\n" + Host() + "Accept-Encoding: gzip, br\r\n\r\n");
  EXPECT_THAT(raw, AllOf(HasSubstr("\r\nContent-Encoding: gzip\r\n"),
                         HasSubstr("\r\nContent-Type: application/json\r\n")));
  EXPECT_EQ(raw.substr(raw.find("\r\n\r\n") + 4), Gzip(kJson).value());
}

TEST_F(PageServerTest, EveryAnswerHasTheHeadersThatGuardIt) {
  for (const std::string& path : {Path(""), Path("data"), std::string("/")}) {
    const httplib::Result answer = Get(path);
    ASSERT_TRUE(answer);
    EXPECT_THAT(answer->get_header_value("Content-Security-Policy"),
                AllOf(StartsWith("default-src 'none'; script-src 'sha256-"),
                      HasSubstr("frame-ancestors 'none'")));
    EXPECT_EQ(answer->get_header_value("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer->get_header_value("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(answer->get_header_value("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(answer->get_header_value("Cache-Control"), "no-store");
    EXPECT_FALSE(answer->has_header("Access-Control-Allow-Origin"));
  }
}

TEST_F(PageServerTest, AWrongTokenFindsNothing) {
  std::string wrong = server_->token();
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& path :
       {"/" + wrong + "/", "/" + wrong + "/data", std::string("/"), std::string("/data")}) {
    const httplib::Result answer = Get(path);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 404);
    EXPECT_THAT(answer->body, Not(HasSubstr(server_->token())));
  }
}

TEST_F(PageServerTest, ForeignHostsAndOriginsAreForbidden) {
  for (const std::string host : {"evil.example", "127.0.0.1:1"}) {
    EXPECT_THAT(Raw("GET " + Path("data") + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"),
                StartsWith("HTTP/1.1 403 "));
  }
  EXPECT_THAT(Raw("GET " + Path("data") + " HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(Raw("GET " + Path("data") + " HTTP/1.1\r\n" + Host() + Host() + "\r\n"),
              StartsWith("HTTP/1.1 403 "));
  EXPECT_EQ(Get(Path("data"), {{"Origin", "https://evil.example"}})->status, 403);
  EXPECT_EQ(Get(Path("data"), {{"Origin", "null"}})->status, 403);
  const std::string own = "http://127.0.0.1:" + std::to_string(server_->port());
  EXPECT_EQ(Get(Path("data"), {{"Origin", own}})->status, 200);
}

TEST_F(PageServerTest, IsReadOnly) {
  httplib::Client client("127.0.0.1", server_->port());
  const httplib::Result post = client.Post(Path(""), "a=b", "application/x-www-form-urlencoded");
  ASSERT_TRUE(post);
  EXPECT_EQ(post->status, 405);
  EXPECT_EQ(post->get_header_value("Allow"), "GET, HEAD");
  EXPECT_EQ(client.Options(Path(""))->status, 405);
  EXPECT_EQ(client.Delete(Path(""))->status, 405);
  const httplib::Result head = client.Head(Path("data"));
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
}

// What stands behind a request is not taken for another one.
TEST_F(PageServerTest, OneConnectionIsOneRequest) {
  const std::string second = "GET " + Path("") + " HTTP/1.1\r\n" + Host() + "\r\n";
  const std::string answer =
      Raw("POST " + Path("") + " HTTP/1.1\r\n" + Host() +
          "Content-Length: " + std::to_string(second.size()) + "\r\n\r\n" + second);
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 405 "), Not(HasSubstr("main()"))));
}

TEST_F(PageServerTest, PathsLeadNowhereElse) {
  for (const char* path : {"../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "data/../../x",
                           "..%2fdata", "data%00", "%ff%fe", "<script>"}) {
    const std::string answer = Raw("GET " + Path(path) + " HTTP/1.1\r\n" + Host() + "\r\n");
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 404 "), Not(HasSubstr("root:")))) << path;
  }
}

TEST_F(PageServerTest, APortIsHadByOne) {
  const auto second = PageServer::Start({kPage, ""}, server_->port());
  ASSERT_FALSE(second);
  EXPECT_THAT(std::string(second.message()), HasSubstr("another program has it"));
  const int port = server_->port();
  server_.reset();
  EXPECT_TRUE(PageServer::Start({kPage, ""}, port));
}

// Else writing to the closed connection raises SIGPIPE, which ends a program.
TEST_F(PageServerTest, ABrowserMayGoAwayBeforeItHasTheAnswer) {
  const auto large = PageServer::Start({std::string(16 << 20, ' '), ""}, 0);
  ASSERT_TRUE(large) << large.message();
  const std::string path = "/" + (*large)->token() + "/";
  httplib::Client client("127.0.0.1", (*large)->port());
  const auto take_a_part = [](const char*, size_t) { return false; };
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(client.Get(path, take_a_part));
  const httplib::Result whole = client.Get(path);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->body.size(), 16u << 20);
}

// 127.0.0.2 is this machine, too, but not the address that is listened on.
TEST_F(PageServerTest, ListensOnOneAddressOnly) {
  EXPECT_FALSE(httplib::Client("127.0.0.2", server_->port()).Get(Path("")));
}

}  // namespace
}  // namespace yp
