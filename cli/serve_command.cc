#include <fmt/core.h>

#include <memory>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/own_signals.h"
#include "cli/page_content.h"
#include "cli/progress.h"
#include "format/bytes/gzip.h"
#include "format/page/page.h"
#include "server/page_server.h"

namespace yp {
namespace {

constexpr const char* kServeFooter = R"(
The page of yp report from a local address, for large profiles: the browser fetches the data apart.
Only this machine reaches it (127.0.0.1), and only who knows the address, which is another each time.
The profile is read once. Ctrl-C ends it.

Examples:
  yp serve app.yp
  yp serve app.yp --sources src/main/java --port 8000
  yp serve before.yp after.yp
)";

struct ServeOptions {
  PageArguments page;
  int port = 0;
};

Result<PageServer::Content> ContentOf(const ServeOptions& options, std::string_view page_template) {
  Result<std::string> page = PageWithDataAt(page_template, "data");
  if (!page) return page.status();
  const Result<std::string> data = PageDataOf(options.page);
  if (!data) return data.status();
  Result<std::string> compressed = Gzip(*data, GzipEffort::kFast);
  if (!compressed) return compressed.status();
  return PageServer::Content{std::move(*page), std::move(*compressed)};
}

Result<int> Serve(const ServeOptions& options, const Result<std::string_view>& page_template) {
  if (!page_template) return page_template.status();
  Result<PageServer::Content> content = ContentOf(options, *page_template);
  if (!content) return content.status();
  const EndSignals signals;
  const auto server = PageServer::Start(std::move(*content), options.port);
  if (!server) return server.status();
  if (Status printed = PrintOut((*server)->address() + "\n"); !printed) return printed;
  Say("open that address in a browser on this machine; Ctrl-C ends it");
  signals.Wait();
  return 0;
}

}  // namespace

void AddServeCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("serve", "Serve the same page from a local address");
  command.Footer(kServeFooter);
  const auto options = std::make_shared<ServeOptions>();
  AddPageArguments(command, &options->page);
  command.Option("--port", &options->port, "Where to listen [any free port]")
      .Value("N")
      .Range(1, 65535);
  command.WhenChosen([=] { invocation->run = [=] { return Serve(*options, invocation->page); }; });
}

}  // namespace yp
