#ifndef YP_SERVER_PAGE_SERVER_H_
#define YP_SERVER_PAGE_SERVER_H_

#include <memory>
#include <string>

#include "base/status.h"

namespace yp {

// Serves a page and its data on 127.0.0.1 from Start until it is destroyed, on a thread of its own,
// which takes the signal mask of the one that starts it.
//
// What is answered at all: server/request_check.h. Each answer closes its connection, has the
// page's Content-Security-Policy, and is not to be stored or embedded.
class PageServer {
 public:
  struct Content {
    std::string page;       // HTML that fetches "data".
    std::string data_gzip;  // JSON, compressed.
  };

  // `port`: 0 for any that is free. Where another program has it, an error that says so.
  static Result<std::unique_ptr<PageServer>> Start(Content content, int port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  int port() const;
  const std::string& token() const;
  // "http://127.0.0.1:4711/0123456789abcdef0123456789abcdef/".
  std::string address() const;

 private:
  class Impl;
  explicit PageServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace yp

#endif  // YP_SERVER_PAGE_SERVER_H_
