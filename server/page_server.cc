#include "server/page_server.h"

#include <httplib.h>
#include <sys/socket.h>

#include <chrono>
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
constexpr std::chrono::seconds kTimeout{5};
constexpr size_t kThreads = 4;  // As many downloads at a time as a browser may want.

std::vector<std::string> ValuesOf(const httplib::Request& request, const char* header) {
  std::vector<std::string> values;
  const size_t number = request.get_header_value_count(header);
  for (size_t i = 0; i < number; ++i) values.push_back(request.get_header_value(header, i));
  return values;
}

// Where a port is taken, that is an error: no SO_REUSEPORT, which is the library's choice. With
// SO_REUSEADDR the port of a server that has just ended can be had.
void SetSocketOptions(int socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

// As it is: the library would compress strings that look as if they were text once more.
void SetContent(const std::string& bytes, const char* type, httplib::Response& response) {
  response.set_content_provider(bytes.size(), type,
                                [&bytes](size_t offset, size_t length, httplib::DataSink& sink) {
                                  return sink.write(bytes.data() + offset, length);
                                });
}

}  // namespace

class PageServer::Impl {
 public:
  Impl(Content content, std::string token)
      : content_(std::move(content)), token_(std::move(token)) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_socket_options(SetSocketOptions);
    server_.set_keep_alive_max_count(1);
    server_.set_read_timeout(kTimeout);
    server_.set_write_timeout(kTimeout);
    server_.set_default_headers({{"Content-Security-Policy", ContentSecurityPolicy(content_.page)},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cache-Control", "no-store"}});
    server_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          Answer(request, response);
          return httplib::Server::HandlerResponse::Handled;
        });
  }
  ~Impl() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status Listen(int port) {
    if (port == 0) {
      port_ = server_.bind_to_any_port(kAddress);
    } else {
      port_ = server_.bind_to_port(kAddress, port) ? port : -1;
    }
    if (port_ <= 0) {
      const std::string which = port == 0 ? "any port" : "port " + std::to_string(port);
      return Status::Error("cannot listen on " + which + " of " + kAddress +
                           ": another program has it, or it takes root's rights; give --port " +
                           "another number, or leave it out");
    }
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // Stopping has no effect on a server that has not begun.
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Status::Ok();
  }

  int port() const { return port_; }
  const std::string& token() const { return token_; }

 private:
  void Answer(const httplib::Request& request, httplib::Response& response) const {
    const PageRequest asked{.method = request.method,
                            .hosts = ValuesOf(request, "Host"),
                            .origins = ValuesOf(request, "Origin"),
                            .path = request.path};
    switch (Check(asked, port_, token_)) {
      case PageAnswer::kPage:
        response.status = 200;
        return SetContent(content_.page, "text/html; charset=utf-8", response);
      case PageAnswer::kData:
        response.status = 200;
        response.set_header("Content-Encoding", "gzip");
        return SetContent(content_.data_gzip, "application/json", response);
      case PageAnswer::kForbidden:
        response.status = 403;
        return response.set_content("not for this host or origin\n", "text/plain");
      case PageAnswer::kNotAllowed:
        response.status = 405;
        response.set_header("Allow", "GET, HEAD");
        return response.set_content("only GET and HEAD\n", "text/plain");
      case PageAnswer::kNotFound:
        response.status = 404;
        return response.set_content("not here\n", "text/plain");
    }
  }

  const Content content_;
  const std::string token_;
  int port_ = 0;
  httplib::Server server_;
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
