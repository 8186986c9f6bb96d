#ifndef YP_CORE_OPTIONS_OPTION_TABLE_H_
#define YP_CORE_OPTIONS_OPTION_TABLE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "core/options/recording_options.h"

namespace yp {

// One word that an option takes, and the number of what it means.
struct OptionWord {
  std::string_view word;
  int meaning;
  bool is_taken = true;  // Else it is only told.

  template <typename T>
  constexpr OptionWord(std::string_view of, T what, bool taken = true)
      : word(of), meaning(static_cast<int>(what)), is_taken(taken) {}
};

// Where an option's value is; nothing for one that has words, or that only the command line knows.
using OptionField = std::variant<std::monostate, std::string*, std::vector<std::string>*, uint32_t*,
                                 uint64_t*, int64_t*, double*, std::optional<uint32_t>*,
                                 std::optional<uint64_t>*, std::optional<int64_t>*>;

// What is known of a recording that runs, for its description.
struct RecordingFacts {
  bool at_entries = false;  // The probe is one on compiled entries.
  bool has_budget = false;  // That says when ticks come.
};

// An option of a recording: everything that is known of it. From this the command line, the agent's
// option string (option_string.h) and the description in the profile are made.
struct RecordingOption {
  enum class Kind {
    kValue,   // A number, a text or texts.
    kWord,    // One of `words`.
    kSwitch,  // On the command line without a value; one of two words for the agent.
    kTime,    // On the command line with a unit ("4ms"), in `field` as ns.
    kBytes,   // A number of bytes, perhaps with a unit ("500m").
  };

  // On the command line; empty: the agent's alone.
  std::string_view flag = {};
  std::string_view short_flag = {};  // That yp attach has besides.
  Kind kind = Kind::kValue;
  std::string_view value_name = {};  // In the help; empty: the words.
  std::string_view help = {};
  std::string_view shown_default = {};  // In the help, where it is not the field's.
  bool shows_default = false;
  bool is_common = true;     // Also of yp selfcheck.
  bool is_of_start = false;  // Of yp start alone.
  // Also of yp aos, or of it alone.
  bool is_of_aos = false, is_of_aos_alone = false;
  bool is_advanced = false;  // Under a heading of its own.
  std::optional<double> flag_low = {},
                        flag_high = {};  // Else each number that the field holds; ns.
  int64_t bare_unit_ns = 0;              // Of a time without a unit; 0: an error.

  // In the agent's option string; empty: the command line's alone. `rank` is its place there.
  std::string_view key = {};
  int rank = 1000;
  std::span<const OptionWord> words = {};
  std::string_view unknown_word = {};  // Said of other words, in place of those there are.
  uint64_t low = 0, high = UINT64_MAX;
  double text_per_unit = 1;  // A double's, such as 1e4 for percent that are told in ppm.
  int64_t ns_per_text = 1;   // A time's, rounded up; the text may have another unit ("1h").
  bool is_pattern = false;   // In which "%" is followed by what stands for something.
  OptionField (*field)(RecordingOptions&) = nullptr;
  // In place of the field, with words; negative: no value.
  struct WordAccess {
    int (*get)(const RecordingOptions&) = nullptr;
    void (*set)(RecordingOptions&, int) = nullptr;
  };
  WordAccess word = {};
  bool* (*switched)(RecordingOptions&) = nullptr;
  void (*when_given)(RecordingOptions&) = nullptr;  // What else that says.
  // Whether the agent is told; without it: when it has a value.
  bool (*is_told)(const RecordingOptions&) = nullptr;

  // In the profile's configuration, in the agent's text: whether it is there. Lists are joined by
  // spaces.
  std::string_view described_as = {};
  bool (*is_described)(const RecordingOptions&, const RecordingFacts&) = nullptr;

  // What it works with, in words as well: "--delay works only with ...".
  bool (*works)(const RecordingOptions&) = nullptr;
  std::string_view needs = {};
};

// In the order of the help.
std::span<const RecordingOption> RecordingOptionTable();
// The one with that key in the agent's option string; null: there is none.
const RecordingOption* FindOption(std::string_view key);

// "exact|cbs|timer", or what else the help calls the value.
std::string ValueNameOf(const RecordingOption& option);
// The word of its value; empty: none.
std::string_view WordOf(const RecordingOption& option, const RecordingOptions& options);
// False: it takes no such word.
bool SetWord(const RecordingOption& option, std::string_view word, RecordingOptions* options);

// In the agent's units; several of a list. Nothing where the option has no value.
std::vector<std::string> TextsOf(const RecordingOption& option, RecordingOptions options);
// An error says what it takes, without the option's name.
Status SetFromText(const RecordingOption& option, const std::string& text,
                   RecordingOptions* options);

}  // namespace yp

#endif  // YP_CORE_OPTIONS_OPTION_TABLE_H_
