#include "cli/notes.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "cli/output.h"
#include "cli/progress.h"

namespace yp {
namespace {

// Of the process, as stderr is.
std::vector<std::string>& Notes() {
  static std::vector<std::string> notes;
  return notes;
}

}  // namespace

void Note(const std::string& text) {
  Say(text);
  constexpr std::string_view kWarning = "warning: ";
  Notes().push_back(text.starts_with(kWarning) ? text.substr(kWarning.size()) : text);
}

std::vector<std::string> TakeNotes() { return std::exchange(Notes(), {}); }

void AddJsonRowsOptions(Flags command, JsonRows* options, const std::string& rows) {
  const Flag array = command.Switch("--json", &options->is_array,
                                    fmt::format("A JSON array; all {} unless -n is given", rows));
  command
      .Switch("--json-object", &options->is_object,
              "The same in a JSON object, which has the warnings as well")
      .Excludes(array);
}

Status PrintJsonRows(const JsonRows& options, const char* name, Json rows) {
  if (!options.is_object) return PrintJson(rows);
  return PrintJson({{name, std::move(rows)}});
}

}  // namespace yp
