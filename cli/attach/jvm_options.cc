#include "cli/attach/jvm_options.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "cli/attach/launcher_options.h"

namespace yp {
namespace {

constexpr std::string_view kFlag = "-XX:";
// Files of options that name others, or themselves.
constexpr int kMaxDepth = 8;

template <size_t n>
bool IsOneOf(std::string_view option, const char* const (&options)[n]) {
  return std::ranges::find(options, option) != std::end(options);
}

// Words as JAVA_TOOL_OPTIONS and the JVM's files have them: quotes may begin and end anywhere.
// Argument files have comments and escapes as well (java.1, "java Command-Line Argument Files").
std::vector<std::string> SplitWords(std::string_view text, bool is_argument_file) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  const auto end_word = [&] {
    if (in_word) words.push_back(word);
    word.clear();
    in_word = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escapes = is_argument_file && c == '\\' && i + 1 < text.size();
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (escapes && text[i + 1] == '\n') {
      // The line goes on, behind its blanks.
      for (++i; i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\t'); ++i) {
      }
    } else if (escapes && quote != 0) {
      word += text[++i];
    } else if (quote != 0) {
      word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      end_word();
    } else if (is_argument_file && c == '#' && !in_word) {
      i = std::min(text.find('\n', i), text.size());
    } else {
      word += c;
      in_word = true;
    }
  }
  end_word();
  return words;
}

class Expander {
 public:
  explicit Expander(const JvmOptionSources& sources) : sources_(sources) {}

  std::vector<std::string> Run() {
    AddWords(SplitWords(sources_.java_tool_options, false), false);
    AddWords(SplitWords(sources_.jdk_java_options, true), true);
    const bool is_launcher = !sources_.arguments.empty() &&
                             std::filesystem::path(sources_.arguments.front()).filename() == "java";
    has_started_ = false;
    skips_ = false;
    for (size_t i = 1; i < sources_.arguments.size() && !has_started_; ++i) {
      const std::string& argument = sources_.arguments[i];
      if (!skips_ && argument.size() > 1 && argument.front() == '@') {
        AddFile(argument.substr(1), is_launcher);
      } else {
        AddArgument(argument, is_launcher);
      }
    }
    AddWords(SplitWords(sources_.java_options, false), false);
    return std::move(options_);
  }

 private:
  void AddWords(const std::vector<std::string>& words, bool with_files) {
    for (const std::string& word : words) {
      if (with_files && word.size() > 1 && word.front() == '@') {
        AddFile(word.substr(1), false);
      } else {
        Add(word, 0);
      }
    }
  }

  void AddArgument(const std::string& argument, bool is_launcher) {
    if (skips_) {
      skips_ = false;
    } else if (is_launcher && (IsOneOf(argument, kLauncherStarts) || !argument.starts_with("-"))) {
      has_started_ = true;
    } else {
      skips_ = is_launcher && IsOneOf(argument, kLauncherOptionsWithValue);
      // javac and others: for the JVM that they run in.
      Add(argument.starts_with("-J-") ? argument.substr(2) : argument, 0);
    }
  }

  // Such files name no others.
  void AddFile(const std::string& path, bool is_launcher) {
    const std::optional<std::string> text = sources_.read_file(path);
    if (!text) return;
    for (const std::string& word : SplitWords(*text, true)) {
      if (!has_started_) AddArgument(word, is_launcher);
    }
  }

  void Add(const std::string& option, int depth) {
    constexpr std::string_view kFile = "-XX:VMOptionsFile=", kFlags = "-XX:Flags=";
    options_.push_back(option);
    const bool is_flags = option.starts_with(kFlags);
    if (depth >= kMaxDepth || !(is_flags || option.starts_with(kFile))) return;
    const size_t begin = (is_flags ? kFlags : kFile).size();
    const std::optional<std::string> text = sources_.read_file(option.substr(begin));
    if (!text) return;
    for (const std::string& word : SplitWords(*text, false)) {
      Add((is_flags ? std::string(kFlag) : "") + word, depth + 1);
    }
  }

  const JvmOptionSources& sources_;
  std::vector<std::string> options_;
  bool has_started_ = false;
  bool skips_ = false;
};

}  // namespace

std::vector<std::string> ExpandJvmOptions(const JvmOptionSources& sources) {
  return Expander(sources).Run();
}

std::optional<bool> FlagOf(const std::vector<std::string>& options, std::string_view name) {
  for (auto option = options.rbegin(); option != options.rend(); ++option) {
    const std::string_view text = *option;
    const bool is_it = text.size() == kFlag.size() + 1 + name.size() && text.starts_with(kFlag) &&
                       text.ends_with(name);
    if (is_it && (text[kFlag.size()] == '+' || text[kFlag.size()] == '-')) {
      return text[kFlag.size()] == '+';
    }
  }
  return std::nullopt;
}

std::string OptionThatRefusesAgents(const std::vector<std::string>& options) {
  for (const char* name : kFlagsThatRefuseAgents) {
    if (FlagOf(options, name).value_or(false)) return std::string(kFlag) + "+" + name;
  }
  for (const std::string& option : options) {
    if (option == kOptionThatRefusesAgents) return option;
    constexpr std::string_view kAtExit = kArchiveAtExit;
    if (option.starts_with(kAtExit) && option.size() > kAtExit.size()) {
      return std::string(kAtExit.substr(0, kAtExit.size() - 1));
    }
  }
  return "";
}

}  // namespace yp
