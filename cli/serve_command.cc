#include <fmt/core.h>
#include <pthread.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/page_arguments.h"
#include "cli/progress.h"
#include "format/bytes/gzip.h"
#include "format/page/page.h"
#include "server/page_server.h"

namespace yp {
namespace {

constexpr const char* kFooter = R"(
Shows the page of yp report from a server on this machine alone: it listens on 127.0.0.1, answers
only who knows the random part of its address, and changes nothing. Ctrl-C ends it. From elsewhere:
ssh -L PORT:127.0.0.1:PORT HOST, with --port PORT.

Examples:
  yp serve app.yp
  yp serve before.yp after.yp --port 8080
)";

struct Options {
  PageArguments page;
  int port = 0;
};

Result<int> Serve(const Options& options) {
  Result<std::string> page_template = ReadPageTemplate();
  if (!page_template) return page_template.status();
  const Result<std::string> data = ReadPageData(options.page);
  if (!data) return data.status();
  PageServer::Content content;
  Result<std::string> page = PageWithDataAt(*page_template, "data");
  if (!page) return page.status();
  content.page = std::move(page).value();
  Result<std::string> compressed = Gzip(*data);
  if (!compressed) return compressed.status();
  content.data_gzip = std::move(compressed).value();

  // Before there are other threads, so that none of them is interrupted.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  const Result<std::unique_ptr<PageServer>> server =
      PageServer::Start(std::move(content), options.port);
  if (!server) return server.status();
  Say("serving until Ctrl-C");
  if (Status printed = PrintOut((*server)->address() + "\n"); !printed) return printed;
  int signal = 0;
  sigwait(&ends, &signal);
  return 0;
}

}  // namespace

void AddServeCommand(CLI::App& app, Invocation* invocation) {
  CLI::App* const command =
      app.add_subcommand("serve", "Show the page of a profile, or of two, from a local server");
  command->footer(kFooter);
  const auto options = std::make_shared<Options>();
  AddPageArguments(command, &options->page);
  command->add_option("--port", options->port, "Where to listen; 0 is any that is free")
      ->type_name("PORT")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->callback([=] { invocation->run = [=] { return Serve(*options); }; });
}

}  // namespace yp
