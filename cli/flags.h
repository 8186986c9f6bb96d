#ifndef YP_CLI_FLAGS_H_
#define YP_CLI_FLAGS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// What a command line may hold. CLI11 does the work, and flags.cc alone knows of it: its headers
// take the compiler longer than most of our files.
namespace yp {

// An option, flag or argument; copies are the same one.
class Flag {
 public:
  explicit Flag(CLI::Option* option) : option_(option) {}

  // What help calls the value, such as FILE; what is in the variable now, it shows as the default.
  Flag& Value(std::string_view name);
  Flag& ShowDefault();

  // Parsing fails without it; with another one besides; without another one.
  Flag& Required();
  Flag& Excludes(Flag other);
  Flag& Needs(Flag other);

  // Parsing fails for values beyond, in the type of the bounds.
  Flag& Range(int low, int high);
  Flag& Range(unsigned low, unsigned high);
  Flag& Range(double low, double high);
  // The same for all but whole numbers from 1 on.
  Flag& AboveZero();

  // Of a vector: one value each time it is given, and not all that follow. Help shows "..." or not.
  Flag& OneEachTime();
  Flag& OneEachTimeWithoutDots();

  // After parsing: whether it was given.
  bool Given() const;

 private:
  CLI::Option* option_;
};

// Where the value of an option goes; the variable must still be there when the line is parsed.
using FlagTarget =
    std::variant<std::string*, std::vector<std::string>*, int*, uint32_t*, uint64_t*, double*,
                 std::optional<uint32_t>*, std::optional<uint64_t>*, std::optional<double>*>;

// The options of a command, or a group of them; copies are the same one.
class Flags {
 public:
  explicit Flags(CLI::App* app) : app_(app) {}

  // `names` are such as "-o,--output"; without dashes, it is an argument that is given without its
  // name.
  Flag Option(const std::string& names, FlagTarget target, const std::string& help);
  // Without a value: true when given.
  Flag Switch(const std::string& names, bool* target, const std::string& help);
  // Options under a heading of their own in the help.
  Flags Group(const std::string& name, const std::string& description);
  // After parsing: whether the option of that name was given; not if there is none.
  bool Given(std::string_view name) const;

  // Of a command: what the help says at its end; that its usage ends in "-- COMMAND...", and what
  // to do when it is chosen.
  Flags& Footer(const std::string& text);
  Flags& ShowUserCommand();
  Flags& WhenChosen(std::function<void()> action);

 private:
  CLI::App* app_;
};

// What a command line may hold, for who writes it down elsewhere than in its help.
struct FlagDescription {
  std::vector<std::string> names;  // "-o", "--output"; of an argument one without dashes.
  std::string value;               // "FILE", or "exact|cbs"; empty: none is taken.
  std::string default_value;       // Empty: none that help shows.
  std::string help;
  bool is_argument = false;
  bool required = false;
  bool repeated = false;
};
struct FlagGroup {
  std::string name, description;
  std::vector<FlagDescription> flags;
};
struct CommandDescription {
  std::string name;  // Empty: the program itself.
  std::string description, footer;
  std::vector<FlagGroup> groups;  // The first has no name.
  bool takes_user_command = false;
};

class CommandLine {
 public:
  // Why there is nothing to run.
  struct Stop {
    enum class Reason {
      kShown,     // Help or version were asked for, and are on stdout.
      kLeftOver,  // Nothing takes these arguments.
      kInvalid,   // See the message.
    };
    Reason reason = Reason::kInvalid;
    std::string message;
    std::vector<std::string> left_over;
  };

  // With --help and --version, which says `version`.
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();

  // Those that take no command.
  Flags flags() { return Flags(app_.get()); }
  // At most one of them can be chosen.
  Flags Command(const std::string& name, const std::string& description);

  // The program itself, and its commands in the order in which they were added.
  std::vector<CommandDescription> Describe() const;

  // Fills the variables and calls what is to be called for the chosen command. Once only.
  std::optional<Stop> Parse(const std::vector<std::string>& arguments);
  // After parsing; empty: none.
  std::string ChosenCommand() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace yp

#endif  // YP_CLI_FLAGS_H_
