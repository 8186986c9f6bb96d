// The values of options, as words and texts.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <type_traits>

#include "core/options/option_table.h"

namespace yp {
namespace {

using Texts = std::vector<std::string>;

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
Texts TextsOfField(const RecordingOption& option, const T& value) {
  if constexpr (kIsOptional<T>) {
    return value ? TextsOfField(option, *value) : Texts{};
  } else if constexpr (std::same_as<T, Texts>) {
    return value;
  } else if constexpr (std::same_as<T, std::string>) {
    return {value};
  } else if constexpr (std::same_as<T, double>) {
    return {std::to_string(std::lround(value * option.text_per_unit))};
  } else {
    const auto unit = static_cast<T>(option.ns_per_text);
    return {std::to_string(value / unit + (value % unit != 0 ? 1 : 0))};
  }
}

template <typename T>
void SetField(const RecordingOption& option, uint64_t number, T* field) {
  if constexpr (kIsOptional<T>) {
    SetField(option, number, &field->emplace());
  } else if constexpr (std::same_as<T, double>) {
    *field = static_cast<double>(number) / option.text_per_unit;
  } else {
    *field = static_cast<T>(number * static_cast<uint64_t>(option.ns_per_text));
  }
}

int MeaningOf(const RecordingOption& option, const RecordingOptions& options) {
  if (option.word.get != nullptr) return option.word.get(options);
  RecordingOptions copy = options;  // Only read.
  return option.switched != nullptr ? *option.switched(copy) : -1;
}

// What a unit behind a number stands for: so many of the texts' own; nothing for no such unit.
std::optional<uint64_t> UnitOf(const RecordingOption& option, std::string_view unit) {
  using Kind = RecordingOption::Kind;
  struct Unit {
    Kind kind;
    std::string_view name;
    uint64_t size;
  };
  constexpr Unit kUnits[] = {
      {Kind::kTime, "ms", 1'000'000},         {Kind::kTime, "s", 1'000'000'000},
      {Kind::kTime, "m", 60'000'000'000},     {Kind::kTime, "h", 3'600'000'000'000},
      {Kind::kTime, "d", 86'400'000'000'000}, {Kind::kBytes, "k", 1 << 10},
      {Kind::kBytes, "m", 1 << 20},           {Kind::kBytes, "g", 1 << 30}};
  if (unit.empty()) return 1;
  std::string lower(unit);
  if (option.kind == Kind::kBytes) lower[0] = static_cast<char>(lower[0] | 0x20);
  for (const Unit& known : kUnits) {
    if (known.kind != option.kind || known.name != lower) continue;
    const auto own = static_cast<uint64_t>(option.ns_per_text);
    if (known.size % own == 0) return known.size / own;
  }
  return std::nullopt;
}

std::string ExampleOf(const RecordingOption& option) {
  if (option.kind == RecordingOption::Kind::kTime) return ", or one with s, m, h or d behind it";
  return option.kind == RecordingOption::Kind::kBytes ? ", or one with k, m or g behind it" : "";
}

Status SetNumber(const RecordingOption& option, const std::string& text,
                 RecordingOptions* options) {
  uint64_t number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  const std::optional<uint64_t> unit = UnitOf(option, {end, static_cast<size_t>(text_end - end)});
  const bool is_number = error == std::errc() && unit && number <= UINT64_MAX / *unit;
  if (is_number) number *= *unit;
  if (!is_number || number < option.low || number > option.high) {
    return Status::Error("takes a whole number from " + std::to_string(option.low) + " to " +
                         std::to_string(option.high) + ExampleOf(option) + ", not '" + text + "'");
  }
  std::visit(
      [&](auto field) {
        using T = std::remove_pointer_t<decltype(field)>;
        if constexpr (!std::same_as<T, std::monostate> && !std::same_as<T, std::string> &&
                      !std::same_as<T, Texts>) {
          SetField(option, number, field);
        }
      },
      option.field(*options));
  return Status::Ok();
}

}  // namespace

const RecordingOption* FindOption(std::string_view key) {
  const std::span<const RecordingOption> all = RecordingOptionTable();
  const auto option = std::ranges::find(all, key, &RecordingOption::key);
  return key.empty() || option == all.end() ? nullptr : &*option;
}

std::string ValueNameOf(const RecordingOption& option) {
  if (!option.value_name.empty() || option.kind == RecordingOption::Kind::kSwitch) {
    return std::string(option.value_name);
  }
  std::string name;
  for (const OptionWord& word : option.words) {
    if (word.is_taken) name += (name.empty() ? "" : "|") + std::string(word.word);
  }
  return name;
}

std::string_view WordOf(const RecordingOption& option, const RecordingOptions& options) {
  const auto found =
      std::ranges::find(option.words, MeaningOf(option, options), &OptionWord::meaning);
  return found == option.words.end() ? "" : found->word;
}

bool SetWord(const RecordingOption& option, std::string_view word, RecordingOptions* options) {
  for (const OptionWord& known : option.words) {
    if (!known.is_taken || known.word != word) continue;
    if (option.word.set != nullptr) option.word.set(*options, known.meaning);
    if (option.switched != nullptr) *option.switched(*options) = known.meaning != 0;
    return true;
  }
  return false;
}

Texts TextsOf(const RecordingOption& option, RecordingOptions options) {
  if (!option.words.empty()) {
    const std::string_view word = WordOf(option, options);
    return word.empty() ? Texts{} : Texts{std::string(word)};
  }
  return std::visit(
      [&](auto field) -> Texts {
        if constexpr (std::is_pointer_v<decltype(field)>) {
          return TextsOfField(option, *field);
        } else {
          return {};
        }
      },
      option.field(options));
}

Status SetFromText(const RecordingOption& option, const std::string& text,
                   RecordingOptions* options) {
  if (option.when_given != nullptr) option.when_given(*options);
  if (!option.words.empty()) {
    if (SetWord(option, text, options)) return Status::Ok();
    std::string refusal(option.unknown_word);
    if (!refusal.empty()) return Status::Error(refusal + " '" + text + "'");
    for (const OptionWord& word : option.words) {
      if (word.is_taken) refusal += (refusal.empty() ? "takes " : " or ") + std::string(word.word);
    }
    return Status::Error(refusal + ", not '" + text + "'");
  }
  const OptionField field = option.field(*options);
  if (auto* const* one = std::get_if<std::string*>(&field)) {
    **one = text;
  } else if (auto* const* list = std::get_if<Texts*>(&field)) {
    (*list)->push_back(text);
  } else {
    return SetNumber(option, text, options);
  }
  return Status::Ok();
}

}  // namespace yp
