#include "cli/manual/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace yp {
namespace {

// Of "auto|none|EVENT" the first two: capitals stand for what the user has to know.
std::vector<std::string> ChoicesOf(const FlagDescription& flag) {
  std::vector<std::string> choices;
  std::string_view rest = flag.value;
  if (rest.find('|') == rest.npos) return choices;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('|'), rest.size());
    const std::string_view choice = rest.substr(0, end);
    if (std::islower(static_cast<unsigned char>(choice.front())) != 0) choices.emplace_back(choice);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return choices;
}

// The kinds of values that a shell knows.
enum class Kind { kChoice, kProfile, kFile, kProcess, kOther };

Kind KindOf(const FlagDescription& flag) {
  if (!ChoicesOf(flag).empty()) return Kind::kChoice;
  if (flag.value == "P") return Kind::kProfile;
  if (flag.value == "PID") return Kind::kProcess;
  return flag.value == "FILE" || flag.value == "PATH" ? Kind::kFile : Kind::kOther;
}

std::vector<FlagDescription> FlagsOf(const CommandDescription& command) {
  std::vector<FlagDescription> flags;
  for (const FlagGroup& group : command.groups) {
    flags.insert(flags.end(), group.flags.begin(), group.flags.end());
  }
  return flags;
}

std::string BashValues(const FlagDescription& flag) {
  switch (KindOf(flag)) {
    case Kind::kChoice:
      return fmt::format("_yp_words {}", fmt::join(ChoicesOf(flag), " "));
    case Kind::kProfile:
      return "_yp_profiles";
    case Kind::kFile:
      return "_yp_files";
    case Kind::kProcess:
      return "_yp_processes";
    case Kind::kOther:
      return ":";
  }
  return ":";
}

constexpr std::string_view kBashHelpers = R"bash(
_yp_words() { COMPREPLY=($(compgen -W "$*" -- "$current")); }
_yp_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen -f -- "$current"))
}
# Profiles, and spools that a run left behind.
_yp_profiles() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen -d -- "$current"; compgen -f -X '!*.yp' -- "$current"
    compgen -f -X '!*.yp-spool' -- "$current"))
}
_yp_processes() { _yp_words "$(pgrep -x java 2>/dev/null)"; }
)bash";

constexpr std::string_view kBashMain = R"bash(
_yp() {
  COMPREPLY=()
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]] && _yp_takes_command "$command"; then
      if declare -F _command_offset >/dev/null; then
        _command_offset $((i + 1))
      elif ((i + 1 == COMP_CWORD)); then
        COMPREPLY=($(compgen -c -- "$current"))
      else
        _yp_files
      fi
      return
    fi
    [[ $command || ${COMP_WORDS[i]} == -* ]] || command=${COMP_WORDS[i]}
  done
  # Of --option=value, the shell makes three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "$command $previous" in
)bash";

// "  'run --mode'|'run -m') ... ;;"
std::string BashOptionValues(const CommandDescription& command) {
  std::string cases;
  for (const FlagDescription& flag : FlagsOf(command)) {
    if (flag.is_argument || flag.value.empty()) continue;
    std::string patterns;
    for (const std::string& name : flag.names) {
      patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : "|", command.name, name);
    }
    cases += fmt::format("    {}) {}; return ;;\n", patterns, BashValues(flag));
  }
  return cases;
}

std::string BashOptions(const CommandDescription& command) {
  std::vector<std::string> names;
  std::string arguments = ":";
  for (const FlagDescription& flag : FlagsOf(command)) {
    if (flag.is_argument) {
      arguments = BashValues(flag);
    } else {
      names.insert(names.end(), flag.names.begin(), flag.names.end());
    }
  }
  if (command.takes_user_command) names.push_back("--");
  return fmt::format("    '{} options') _yp_words {} ;;\n    '{} arguments') {} ;;\n", command.name,
                     fmt::join(names, " "), command.name, arguments);
}

// Text between single quotes; in it, what _arguments takes for the end of a part is escaped.
std::string ZshText(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      quoted += std::string("\\") + c;
    } else {
      quoted += c == '\n' ? ' ' : c;
    }
  }
  return quoted;
}

// The first sentence.
std::string ShortHelp(const FlagDescription& flag) {
  std::string_view help = flag.help;
  help = help.substr(0, std::min(help.find(". "), help.find(".\n")));
  return ZshText(help);
}

std::string ZshValues(const FlagDescription& flag) {
  switch (KindOf(flag)) {
    case Kind::kChoice:
      return fmt::format("({})", fmt::join(ChoicesOf(flag), " "));
    case Kind::kProfile:
      return "_files -g \"*.yp *.yp-spool\"";
    case Kind::kFile:
      return "_files";
    case Kind::kProcess:
      return "_pids";
    case Kind::kOther:
      return "";
  }
  return "";
}

std::string ZshSpecs(const CommandDescription& command) {
  std::string specs;
  for (const FlagDescription& flag : FlagsOf(command)) {
    const std::string value =
        flag.value.empty() ? "" : fmt::format(":{}:{}", ZshText(flag.value), ZshValues(flag));
    if (flag.is_argument) {
      specs += fmt::format(" \\\n        '{}{}'", flag.repeated ? "*" : "", value);
      continue;
    }
    const std::string others =
        flag.repeated ? "*" : fmt::format("({})", fmt::join(flag.names, " "));
    for (const std::string& name : flag.names) {
      // With "=", the value may stand behind one, or be the next argument; with "+", in the same.
      const char* const joined = value.empty() ? "" : name.starts_with("--") ? "=" : "+";
      specs +=
          fmt::format(" \\\n        '{}{}{}[{}]{}'", others, name, joined, ShortHelp(flag), value);
    }
  }
  return specs;
}

// "run|selfcheck"
std::string WithUserCommand(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) {
    if (command.takes_user_command) names.push_back(command.name);
  }
  return fmt::format("{}", fmt::join(names, "|"));
}

}  // namespace

std::string BashCompletion(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  std::string values, options;
  for (const CommandDescription& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
    values += BashOptionValues(command);
    if (!command.name.empty()) options += BashOptions(command);
  }
  return fmt::format(
      "# Completion of yp for bash, made from its help.\n{}"
      "_yp_takes_command() {{ case $1 in {}) ;; *) false ;; esac }}\n{}{}  esac\n"
      "  local kind=arguments\n  [[ $current != -* ]] || kind=options\n"
      "  case \"$command $kind\" in\n{}    ' options') _yp_words --help --version ;;\n"
      "    ' arguments') _yp_words {} ;;\n  esac\n}}\n\ncomplete -F _yp yp\n",
      kBashHelpers, WithUserCommand(commands), kBashMain, values, options, fmt::join(names, " "));
}

std::string ZshCompletion(const std::vector<CommandDescription>& commands) {
  std::string names, cases;
  for (const CommandDescription& command : commands) {
    if (command.name.empty()) continue;
    names += fmt::format("    '{}:{}'\n", command.name, ZshText(command.description));
    cases +=
        fmt::format("    {})\n      _arguments -S{}\n      ;;\n", command.name, ZshSpecs(command));
  }
  return fmt::format(
      "#compdef yp\n# Completion of yp for zsh, made from its help.\n\n_yp() {{\n"
      "  local curcontext=$curcontext context state line separator=${{words[(i)--]}}\n"
      "  typeset -A opt_args\n"
      "  if ((separator < CURRENT)) && [[ $words[2] == ({}) ]]; then\n"
      "    shift $separator words\n    ((CURRENT -= separator))\n    _normal\n    return\n  fi\n"
      "  local -a commands=(\n{}  )\n"
      "  _arguments -C{} \\\n        '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n    command) _describe command commands; return ;;\n"
      "    argument) ;;\n    *) return ;;\n  esac\n"
      "  curcontext=\"${{curcontext%:*:*}}:yp-$line[1]:\"\n  case $line[1] in\n{}  esac\n}}\n\n"
      "_yp \"$@\"\n",
      WithUserCommand(commands), names, ZshSpecs(commands.front()), cases);
}

}  // namespace yp
