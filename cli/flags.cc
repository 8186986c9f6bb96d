#include "cli/flags.h"

#include <CLI/CLI.hpp>
#include <charconv>

namespace yp {
namespace {

class UserCommandFormatter final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, name);
    usage.erase(usage.find_last_not_of(" \n") + 1);
    return usage + " -- COMMAND...\n";
  }
};

// What is wrong with the text; nothing: an empty one.
std::string CheckAboveZero(const std::string& text) {
  const char* const end = text.data() + text.size();
  int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number > 0) return "";
  return "\"" + text + "\" is no whole number above zero";
}

FlagDescription Describe(const CLI::Option& option) {
  FlagDescription flag;
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  flag.is_argument = option.get_positional();
  if (flag.is_argument) flag.names = {option.get_name(true)};
  const bool takes_value = option.get_items_expected_max() > 0;
  // What checks the value is told behind a colon.
  if (takes_value) flag.value = option.get_type_name().substr(0, option.get_type_name().find(':'));
  if (takes_value) flag.default_value = option.get_default_str();
  flag.help = option.get_description();
  flag.required = option.get_required();
  flag.repeated = takes_value && option.get_expected_max() > 1;
  return flag;
}

CommandDescription Describe(const std::string& name, const CLI::App& app) {
  CommandDescription command{.name = name,
                             .description = app.get_description(),
                             .footer = app.get_footer(),
                             .groups = {{}},
                             .takes_user_command = app.get_formatter() != nullptr &&
                                                   dynamic_cast<const UserCommandFormatter*>(
                                                       app.get_formatter().get()) != nullptr};
  const auto take = [&app](const CLI::App& from, FlagGroup& into) {
    for (const CLI::Option* option : from.get_options()) {
      // Each group has one of its own.
      if (&from == &app || option != from.get_help_ptr()) into.flags.push_back(Describe(*option));
    }
  };
  take(app, command.groups.front());
  // CLI11 keeps groups of options as commands without a name.
  for (const CLI::App* group : app.get_subcommands(nullptr)) {
    if (!group->get_name().empty()) continue;
    command.groups.push_back({group->get_group(), group->get_description(), {}});
    take(*group, command.groups.back());
  }
  return command;
}

}  // namespace

Flag& Flag::Value(std::string_view name) {
  option_->type_name(std::string(name));
  return *this;
}

Flag& Flag::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Flag& Flag::Required() {
  option_->required();
  return *this;
}

Flag& Flag::Excludes(Flag other) {
  option_->excludes(other.option_);
  return *this;
}

Flag& Flag::Needs(Flag other) {
  option_->needs(other.option_);
  return *this;
}

Flag& Flag::Range(int low, int high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Flag& Flag::Range(unsigned low, unsigned high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Flag& Flag::Range(double low, double high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Flag& Flag::AboveZero() {
  option_->check(CLI::Validator(CheckAboveZero, ""));
  return *this;
}

Flag& Flag::OneEachTime() {
  option_->allow_extra_args(false);
  return *this;
}

Flag& Flag::OneEachTimeWithoutDots() {
  option_->expected(1)->take_all();
  return *this;
}

bool Flag::Given() const { return option_->count() > 0; }

Flag Flags::Option(const std::string& names, FlagTarget target, const std::string& help) {
  return std::visit([&](auto* variable) { return Flag(app_->add_option(names, *variable, help)); },
                    target);
}

Flag Flags::Switch(const std::string& names, bool* target, const std::string& help) {
  return Flag(app_->add_flag(names, *target, help));
}

Flags Flags::Group(const std::string& name, const std::string& description) {
  return Flags(app_->add_option_group(name, description));
}

bool Flags::Given(std::string_view name) const {
  const CLI::Option* const option = app_->get_option_no_throw(std::string(name));
  return option != nullptr && option->count() > 0;
}

Flags& Flags::Footer(const std::string& text) {
  app_->footer(text);
  return *this;
}

Flags& Flags::ShowUserCommand() {
  app_->formatter(std::make_shared<UserCommandFormatter>());
  return *this;
}

Flags& Flags::WhenChosen(std::function<void()> action) {
  app_->callback(std::move(action));
  return *this;
}

CommandLine::CommandLine(const std::string& name, const std::string& description,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Flags CommandLine::Command(const std::string& name, const std::string& description) {
  return Flags(app_->add_subcommand(name, description));
}

std::vector<CommandDescription> CommandLine::Describe() const {
  std::vector<CommandDescription> commands = {yp::Describe("", *app_)};
  const CLI::App& program = *app_;
  for (const CLI::App* command : program.get_subcommands(nullptr)) {
    commands.push_back(yp::Describe(command->get_name(), *command));
  }
  return commands;
}

std::optional<CommandLine::Stop> CommandLine::Parse(const std::vector<std::string>& arguments) {
  try {
    // CLI11 takes the last argument first.
    app_->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& shown) {
    app_->exit(shown);
    return Stop{Stop::Reason::kShown, "", {}};
  } catch (const CLI::ExtrasError& error) {
    return Stop{Stop::Reason::kLeftOver, error.what(), app_->remaining(true)};
  } catch (const CLI::ParseError& error) {
    return Stop{Stop::Reason::kInvalid, error.what(), {}};
  }
  return std::nullopt;
}

std::string CommandLine::ChosenCommand() const {
  const std::vector<CLI::App*> chosen = app_->get_subcommands();
  return chosen.empty() ? "" : chosen.front()->get_name();
}

}  // namespace yp
