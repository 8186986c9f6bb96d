#include "cli/manual/man_page.h"

#include <algorithm>
#include <string_view>

namespace yp {
namespace {

// For text: what roff would take for a command of its own, or print as another character.
std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      default:
        escaped += c;
    }
  }
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Paragraphs as they are; lines that begin with two spaces are examples, whose lines stay.
std::string Paragraphs(std::string_view text) {
  std::string page;
  bool example = false, between = false;
  for (const std::string_view line : LinesOf(text)) {
    const bool indented = line.starts_with("  ");
    if (example && !indented) page += ".EE\n.RE\n";
    if (line == "Examples:") {
      page += ".SH EXAMPLES\n";
      between = false;
    } else if (line.empty()) {
      between = !page.empty();
    } else {
      if (indented && !example) page += between ? ".PP\n.RS\n.EX\n" : ".RS\n.EX\n";
      if (!indented && between) page += ".PP\n";
      page += Escape(indented ? line.substr(2) : line) + "\n";
      between = false;
    }
    example = indented;
  }
  if (example) page += ".EE\n.RE\n";
  return page;
}

// A line of help that ends a sentence ends a line of the page, too: the values are told so.
std::string HelpOf(const FlagDescription& flag) {
  std::string page;
  for (const std::string_view line : LinesOf(flag.help)) {
    page += Escape(line) + "\n";
    if (line.ends_with('.')) page += ".br\n";
  }
  if (page.ends_with(".br\n")) page.resize(page.size() - 4);
  std::string more;
  if (flag.required) more = "Has to be given.";
  if (!flag.default_value.empty()) more = "Default: " + flag.default_value;
  return more.empty() ? page : page + ".br\n" + Escape(more) + "\n";
}

std::string FlagEntry(const FlagDescription& flag) {
  std::string names;
  for (const std::string& name : flag.names) {
    const char* const font = flag.is_argument ? "\\fI" : "\\fB";
    names += (names.empty() ? "" : ", ") + (font + Escape(name)) + "\\fR";
  }
  const std::string value =
      flag.value.empty() || flag.is_argument ? "" : " \\fI" + Escape(flag.value) + "\\fR";
  return ".TP\n" + names + value + "\n" + HelpOf(flag);
}

std::string Synopsis(const CommandDescription& command) {
  std::string line = ".B yp";
  if (command.name.empty()) return line + "\n.I COMMAND\n[\\fIOPTIONS\\fR]\n";
  line += " " + Escape(command.name) + "\n[\\fIOPTIONS\\fR]\n";
  for (const FlagDescription& flag : command.groups.front().flags) {
    if (!flag.is_argument) continue;
    const std::string name = Escape(flag.names.front()) + (flag.repeated ? "..." : "");
    line += flag.required ? ".I " + name + "\n" : "[\\fI" + name + "\\fR]\n";
  }
  return line + (command.takes_user_command ? "\\-\\- \\fICOMMAND\\fR...\n" : "");
}

std::string PageName(const CommandDescription& command) {
  return command.name.empty() ? "yp" : "yp-" + command.name;
}

}  // namespace

std::string ManPage(const std::vector<CommandDescription>& commands, size_t number) {
  const CommandDescription& command = commands.at(number);
  const bool is_program = number == 0;
  const std::string name = PageName(command);
  // The program's description goes on with examples.
  const std::string_view description = command.description;
  const std::string_view title = description.substr(0, description.find('\n'));

  std::string page = ".TH " + Escape(name) + " 1 \"\" Yieldpoint\n.SH NAME\n" + Escape(name) +
                     " \\- " + Escape(title) + "\n.SH SYNOPSIS\n" + Synopsis(command);
  if (is_program) {
    page += ".SH DESCRIPTION\n" + Paragraphs(description) + ".SH COMMANDS\n";
    for (const CommandDescription& other : commands) {
      if (other.name.empty()) continue;
      page += ".TP\n.BR " + Escape(PageName(other)) + " (1)\n" + Escape(other.description) + "\n";
    }
  }
  for (const FlagGroup& group : command.groups) {
    if (group.flags.empty()) continue;
    page += group.name.empty() ? ".SH OPTIONS\n" : ".SS " + Escape(group.name) + "\n";
    if (!group.description.empty()) page += Escape(group.description) + "\n";
    for (const FlagDescription& flag : group.flags) page += FlagEntry(flag);
  }
  const std::string notes = Paragraphs(command.footer);
  page += (notes.empty() || notes.starts_with(".SH") ? "" : ".SH NOTES\n") + notes;
  if (!is_program) page += ".SH SEE ALSO\n.BR yp (1)\n";
  return page;
}

}  // namespace yp
