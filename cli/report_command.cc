#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/output_path.h"
#include "cli/page_arguments.h"
#include "cli/progress.h"
#include "format/bytes/write_file.h"
#include "format/page/page.h"

namespace yp {
namespace {

constexpr const char* kFooter = R"(
The page is one file that opens from disk in any browser: the call graph around each method with
its callers and callees, calling contexts as a flame graph, what each recompilation was worth, and
how far the profile can be trusted. Nothing is uploaded, and it asks no server for anything. With two
profiles it shows what changed. What is shown stands in its address.

Examples:
  yp report app.yp                           writes app.html
  yp report app.yp --sources src/main/java --sources /usr/lib/jvm/openjdk-17/lib/src.zip
  yp report before.yp after.yp -o changes.html
)";

struct Options {
  PageArguments page;
  std::string output;
};

// "app.yp" as "app.html", beside where yp was called.
std::string DefaultOutput(const PageArguments& page) {
  return std::filesystem::path(page.profile).filename().replace_extension(".html").string();
}

Result<int> Report(const Options& options) {
  Result<std::string> page_template = ReadPageTemplate();
  if (!page_template) return page_template.status();
  const std::string path = options.output.empty() ? DefaultOutput(options.page) : options.output;
  if (const Result<std::string> checked = CheckOutputPath(path); !checked) return checked.status();
  const Result<std::string> data = ReadPageData(options.page);
  if (!data) return data.status();
  const Result<std::string> page = PageWithData(*page_template, *data);
  if (!page) return page.status();
  if (Status written = WriteFile(*page, path, "the page"); !written) return written;
  Say(fmt::format("wrote {} ({:.1f} MB): open it in a browser", path,
                  static_cast<double>(page->size()) / 1e6));
  return 0;
}

}  // namespace

void AddReportCommand(CLI::App& app, Invocation* invocation) {
  CLI::App* const command =
      app.add_subcommand("report", "Write a page to explore a profile, or two, in a browser");
  command->footer(kFooter);
  const auto options = std::make_shared<Options>();
  AddPageArguments(command, &options->page);
  command
      ->add_option("-o,--output", options->output,
                   "The file to write (default: the profile's name, with .html)")
      ->type_name("F.html");
  command->callback([=] { invocation->run = [=] { return Report(*options); }; });
}

}  // namespace yp
