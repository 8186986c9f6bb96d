#include "cli/attach/attach_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <optional>
#include <thread>

#include "cli/attach/fake_process_for_test.h"

namespace yp {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(ParseAttachReplyTest, SplitsTheResultFromTheText) {
  const Result<AttachReply> reply = ParseAttachReply("0\nreturn code: 0\n");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->result, 0);
  EXPECT_EQ(reply->text, "return code: 0\n");
}

TEST(ParseAttachReplyTest, RefusesAnAnswerThatBeginsWithNoNumber) {
  EXPECT_FALSE(ParseAttachReply("hello\n"));
  EXPECT_FALSE(ParseAttachReply("0x\n"));
  EXPECT_THAT(std::string(ParseAttachReply("").message()), HasSubstr("without an answer"));
}

TEST(CheckLoadReplyTest, TakesTheFormsOfOldAndNewJvms) {
  EXPECT_TRUE(CheckLoadReply({0, "return code: 0\n"}, 1));
  EXPECT_TRUE(CheckLoadReply({0, "0\n"}, 1));
}

TEST(CheckLoadReplyTest, TellsARefusingAgentFromALibraryThatDidNotLoad) {
  EXPECT_THAT(std::string(CheckLoadReply({0, "return code: -1\n"}, 1).message()),
              HasSubstr("the agent refused"));
  const Status not_loaded = CheckLoadReply({0, "x.so was not loaded.\nno such file\n"}, 1);
  EXPECT_THAT(std::string(not_loaded.message()), HasSubstr("x.so was not loaded. no such file"));
  EXPECT_FALSE(CheckLoadReply({0, ""}, 1));
}

TEST(CheckLoadReplyTest, PassesOnWhyDynamicLoadingIsOff) {
  const Status status = CheckLoadReply({1, "Dynamic agent loading is not enabled.\n"}, 1);
  EXPECT_THAT(std::string(status.message()), HasSubstr("Dynamic agent loading is not enabled"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("yp run"));
}

// Plays the attach listener of the fake process: opens its socket and answers one request.
class FakeListener {
 public:
  FakeListener(const FakeProcess& process, std::string answer) : answer_(std::move(answer)) {
    const std::string path = process.directory() / "root/tmp/.java_pid7";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    fd_ = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(fd_, 1), 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~FakeListener() {
    shutdown(fd_, SHUT_RDWR);
    thread_.join();
    close(fd_);
  }
  const std::string& request() const { return request_; }

 private:
  void Serve() {
    const int client = accept(fd_, nullptr, nullptr);
    if (client < 0) return;
    char chunk[512];
    while (std::count(request_.begin(), request_.end(), '\0') < 5) {
      const ssize_t n = read(client, chunk, sizeof chunk);
      if (n <= 0) break;
      request_.append(chunk, static_cast<size_t>(n));
    }
    // In two pieces: a client must go on until the end of the stream.
    const size_t half = answer_.size() / 2;
    EXPECT_EQ(write(client, answer_.data(), half), static_cast<ssize_t>(half));
    EXPECT_GE(write(client, answer_.data() + half, answer_.size() - half), 0);
    close(client);
  }

  const std::string answer_;
  int fd_;
  std::string request_;
  std::thread thread_;
};

class AttachClientTest : public testing::Test {
 protected:
  // Loads "/lib/agent.so"; on_signal runs in place of the JVM's signal handler.
  Status Load(const std::string& options, std::function<void()> on_signal) {
    Result<JvmProcess> process = InspectProcess(FakeProcess::kPid, fake_.proc_root());
    EXPECT_TRUE(process);
    AttachClient::Options client;
    client.proc_root = fake_.proc_root();
    client.listener_timeout = client.reply_timeout = std::chrono::milliseconds(300);
    client.send_signal = [this, on_signal](pid_t pid, int signal) {
      EXPECT_EQ(pid, FakeProcess::kPid);
      EXPECT_EQ(signal, SIGQUIT);
      trigger_existed_ = fs::exists(trigger());
      ++signals_;
      on_signal();
      return 0;
    };
    return AttachClient(*process, client).LoadAgent("/lib/agent.so", options);
  }
  fs::path trigger() const { return fake_.directory() / "cwd/.attach_pid7"; }

  FakeProcess fake_;
  bool trigger_existed_ = false;
  int signals_ = 0;
};

TEST_F(AttachClientTest, AsksOnceMoreForASocketThatDoesNotAppear) {
  std::optional<FakeListener> listener;
  const Status status = Load("", [&] {
    if (signals_ == 2) listener.emplace(fake_, "0\nreturn code: 0\n");
  });
  EXPECT_TRUE(status) << status.message();
  EXPECT_EQ(signals_, 2);
  EXPECT_TRUE(trigger_existed_);
}

TEST_F(AttachClientTest, TriggersTheListenerAndSendsTheLoadCommand) {
  std::optional<FakeListener> listener;
  const Status status = Load("a=1,b=2", [&] { listener.emplace(fake_, "0\nreturn code: 0\n"); });
  EXPECT_TRUE(status) << status.message();
  EXPECT_TRUE(trigger_existed_);
  EXPECT_FALSE(fs::exists(trigger()));
  EXPECT_EQ(listener->request(), std::string("1\0load\0/lib/agent.so\0true\0a=1,b=2\0", 34));
}

TEST_F(AttachClientTest, SendsNoSignalToAJvmThatListensAlready) {
  FakeListener listener(fake_, "0\nreturn code: 0\n");
  EXPECT_TRUE(Load("", [] {}));
  EXPECT_EQ(signals_, 0);
}

TEST_F(AttachClientTest, GivesUpOnAJvmThatDoesNotStartItsListener) {
  const Status status = Load("", [] {});
  EXPECT_THAT(std::string(status.message()), HasSubstr("did not open"));
  EXPECT_FALSE(fs::exists(trigger()));
}

TEST_F(AttachClientTest, NeverSignalsAProcessThatSigquitWouldKill) {
  fake_.Write("status", FakeProcess::Status("S (sleeping)", FakeProcess::kLeavesQuit));
  const Status status = Load("", [] {});
  EXPECT_THAT(std::string(status.message()), HasSubstr("SIGQUIT"));
  EXPECT_EQ(signals_, 0);
}

TEST_F(AttachClientTest, RefusesMoreOptionsThanTheProtocolCarries) {
  const Status status = Load(std::string(1025, 'x'), [] {});
  EXPECT_THAT(std::string(status.message()), HasSubstr("1025 bytes"));
  EXPECT_EQ(signals_, 0);
}

TEST_F(AttachClientTest, SaysThatTheListenerHungUp) {
  FakeListener listener(fake_, "");
  EXPECT_THAT(std::string(Load("", [] {}).message()), HasSubstr("without an answer"));
}

}  // namespace
}  // namespace yp
