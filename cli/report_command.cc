#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/output_path.h"
#include "cli/page_content.h"
#include "cli/progress.h"
#include "format/bytes/write_file.h"
#include "format/page/page.h"

namespace yp {
namespace {

constexpr const char* kReportFooter = R"(
One HTML file to explore in a browser: who calls whom, calling contexts, what compilers did, and of
two profiles what changed by more than chance. It has everything in it: it opens from disk, loads
nothing, and sends nothing.

Examples:
  yp report app.yp
  yp report app.yp -o report.html --sources src/main/java
  yp report app.yp --sources app-sources.jar --sources $JAVA_HOME/lib/src.zip
  yp report before.yp after.yp -o change.html
)";

struct ReportOptions {
  PageArguments page;
  std::string output;
};

Result<int> Report(const ReportOptions& options, const Result<std::string_view>& page_template) {
  if (!page_template) return page_template.status();
  const std::string path =
      options.output.empty() ? DefaultPagePath(options.page.Profiles()) : options.output;
  if (path != "-") {
    if (const Result<std::string> checked = CheckOutputPath(path); !checked)
      return checked.status();
  }
  const Result<std::string> data = PageDataOf(options.page);
  if (!data) return data.status();
  const Progress progress("writing " + path);
  const Result<std::string> page = PageWithData(*page_template, *data);
  if (!page) return page.status();
  if (path == "-") {
    if (Status printed = PrintOut(*page); !printed) return printed;
    return 0;
  }
  if (Status written = WriteFile(*page, path, "the page"); !written) return written;
  Say(fmt::format("wrote {} ({}): open it in a browser", path, FormatBytes(page->size())));
  return 0;
}

}  // namespace

void AddReportCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("report", "Write a page to explore one profile, or compare two");
  command.Footer(kReportFooter);
  const auto options = std::make_shared<ReportOptions>();
  AddPageArguments(command, &options->page);
  command
      .Option("-o,--output", &options->output,
              "The file to write [P with .html in place of .yp]; - is stdout")
      .Value("FILE");
  command.WhenChosen([=] { invocation->run = [=] { return Report(*options, invocation->page); }; });
}

}  // namespace yp
