#include "server/page_server.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <pthread.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/content_security_policy.h"
#include "server/request_check.h"
#include "server/token.h"

namespace yp {
namespace {

constexpr const char* kAddress = "127.0.0.1";
constexpr int kTimeoutSeconds = 5;
constexpr int kMaxHeaderBytes = 64 << 10;
// A request with a body is read to its end, to be told that it is not allowed.
constexpr int kMaxBodyBytes = 1 << 20;
constexpr unsigned kMethods = EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT |
                              EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS | EVHTTP_REQ_TRACE |
                              EVHTTP_REQ_CONNECT | EVHTTP_REQ_PATCH;

struct Free {
  void operator()(event_base* base) const { event_base_free(base); }
  void operator()(evhttp* http) const { evhttp_free(http); }
  void operator()(event* one) const { event_free(one); }
  void operator()(char* text) const { free(text); }
};

// A file descriptor; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::vector<std::string> ValuesOf(evhttp_request* request, const char* name) {
  std::vector<std::string> values;
  const evkeyvalq* const headers = evhttp_request_get_input_headers(request);
  for (const evkeyval* header = headers->tqh_first; header != nullptr;
       header = header->next.tqe_next) {
    if (strcasecmp(header->key, name) == 0) values.emplace_back(header->value);
  }
  return values;
}

// Decoded and without the query; empty for what is no path on this server.
std::string PathOf(evhttp_request* request) {
  std::string_view target = evhttp_request_get_uri(request);
  target = target.substr(0, target.find_first_of("?#"));
  if (!target.starts_with('/')) return "";
  size_t size = 0;
  const std::unique_ptr<char, Free> decoded(
      evhttp_uridecode(std::string(target).c_str(), 0, &size));
  return decoded == nullptr ? "" : std::string(decoded.get(), size);
}

const char* NameOf(evhttp_cmd_type method) {
  return method == EVHTTP_REQ_GET ? "GET" : method == EVHTTP_REQ_HEAD ? "HEAD" : "another";
}

}  // namespace

class PageServer::Impl {
 public:
  Impl(Content content, std::string token)
      : content_(std::move(content)),
        token_(std::move(token)),
        policy_(ContentSecurityPolicy(content_.page)),
        end_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Impl() {
    if (!thread_.joinable()) return;
    const uint64_t one = 1;
    // It cannot be full.
    [[maybe_unused]] const ssize_t written = write(end_.get(), &one, sizeof one);
    thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status Listen(int port) {
    Descriptor listening(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    // The port of a server that has just ended can be had; one that is taken cannot.
    const int yes = 1;
    setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    inet_pton(AF_INET, kAddress, &address.sin_addr);
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    if (bind(listening.get(), plain, size) != 0 || listen(listening.get(), SOMAXCONN) != 0 ||
        getsockname(listening.get(), plain, &size) != 0) {
      const std::string which = port == 0 ? "any port" : "port " + std::to_string(port);
      return Status::Error("cannot listen on " + which + " of " + kAddress +
                           ": another program has it, or it takes root's rights; give --port " +
                           "another number, or leave it out");
    }
    port_ = ntohs(address.sin_port);
    return Serve(listening);
  }

  int port() const { return port_; }
  const std::string& token() const { return token_; }

 private:
  Status Serve(Descriptor& listening) {
    base_.reset(event_base_new());
    http_.reset(base_ == nullptr ? nullptr : evhttp_new(base_.get()));
    const auto end = [](int, short, void* base) {
      event_base_loopbreak(static_cast<event_base*>(base));
    };
    if (http_ != nullptr)
      end_event_.reset(event_new(base_.get(), end_.get(), EV_READ, end, base_.get()));
    if (end_event_ == nullptr || event_add(end_event_.get(), nullptr) != 0 ||
        evhttp_accept_socket(http_.get(), listening.get()) != 0) {
      return Status::Error("cannot serve the page: no more memory, or too many open files");
    }
    listening.Release();
    evhttp_set_timeout(http_.get(), kTimeoutSeconds);
    evhttp_set_max_headers_size(http_.get(), kMaxHeaderBytes);
    evhttp_set_max_body_size(http_.get(), kMaxBodyBytes);
    evhttp_set_allowed_methods(http_.get(), static_cast<ev_uint16_t>(kMethods));
    const auto answer = [](evhttp_request* request, void* self) {
      static_cast<const Impl*>(self)->Answer(request);
    };
    evhttp_set_gencb(http_.get(), answer, this);
    thread_ = std::thread([base = base_.get()] {
      // A browser that goes away while it is answered is an error of write.
      sigset_t pipe;
      sigemptyset(&pipe);
      sigaddset(&pipe, SIGPIPE);
      pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
      event_base_dispatch(base);
    });
    return Status::Ok();
  }

  void Answer(evhttp_request* request) const {
    const std::string path = PathOf(request);
    const PageRequest asked{.method = NameOf(evhttp_request_get_command(request)),
                            .hosts = ValuesOf(request, "Host"),
                            .origins = ValuesOf(request, "Origin"),
                            .path = path};
    switch (Check(asked, port_, token_)) {
      case PageAnswer::kPage:
        return Send(request, 200, "text/html; charset=utf-8", content_.page);
      case PageAnswer::kData:
        AddHeader(request, "Content-Encoding", "gzip");
        return Send(request, 200, "application/json", content_.data_gzip);
      case PageAnswer::kForbidden:
        return Send(request, 403, "text/plain", "not for this host or origin\n");
      case PageAnswer::kNotAllowed:
        AddHeader(request, "Allow", "GET, HEAD");
        return Send(request, 405, "text/plain", "only GET and HEAD\n");
      case PageAnswer::kNotFound:
        return Send(request, 404, "text/plain", "not here\n");
    }
  }

  static void AddHeader(evhttp_request* request, const char* name, const std::string& value) {
    evhttp_add_header(evhttp_request_get_output_headers(request), name, value.c_str());
  }

  // `body` outlives the server.
  void Send(evhttp_request* request, int status, const char* type, std::string_view body) const {
    AddHeader(request, "Content-Security-Policy", policy_);
    AddHeader(request, "X-Content-Type-Options", "nosniff");
    AddHeader(request, "Referrer-Policy", "no-referrer");
    AddHeader(request, "Cross-Origin-Resource-Policy", "same-origin");
    AddHeader(request, "Cache-Control", "no-store");
    AddHeader(request, "Content-Type", type);
    AddHeader(request, "Content-Length", std::to_string(body.size()));
    AddHeader(request, "Connection", "close");
    if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD) {
      evbuffer_add_reference(evhttp_request_get_output_buffer(request), body.data(), body.size(),
                             nullptr, nullptr);
    }
    evhttp_send_reply(request, status, nullptr, nullptr);
  }

  const Content content_;
  const std::string token_;
  const std::string policy_;
  const Descriptor end_;  // The server ends when it can be read.
  int port_ = 0;
  std::unique_ptr<event_base, Free> base_;
  std::unique_ptr<evhttp, Free> http_;
  std::unique_ptr<event, Free> end_event_;
  std::thread thread_;
};

PageServer::PageServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PageServer::~PageServer() = default;

Result<std::unique_ptr<PageServer>> PageServer::Start(Content content, int port) {
  Result<std::string> token = RandomToken();
  if (!token) return token.status();
  auto impl = std::make_unique<Impl>(std::move(content), std::move(*token));
  if (Status listening = impl->Listen(port); !listening) return listening;
  return std::unique_ptr<PageServer>(new PageServer(std::move(impl)));
}

int PageServer::port() const { return impl_->port(); }
const std::string& PageServer::token() const { return impl_->token(); }
std::string PageServer::address() const {
  return std::string("http://") + kAddress + ":" + std::to_string(port()) + "/" + token() + "/";
}

}  // namespace yp
