#ifndef YP_CORE_OPTIONS_CONFIG_NUMBER_H_
#define YP_CORE_OPTIONS_CONFIG_NUMBER_H_

#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

namespace yp {

// A recording's configuration: texts by the keys of config_keys.h.
using ConfigEntries = std::map<std::string, std::string>;

// Of a key; the fallback where it is not there.
inline std::string_view ConfigText(const ConfigEntries& config, std::string_view key,
                                   std::string_view fallback = "") {
  const auto known = config.find(std::string(key));
  return known == config.end() ? fallback : std::string_view(known->second);
}

// What a text begins with; 0 where that is no number, or one that the type has not. Finite.
template <typename Number>
Number NumberIn(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  if constexpr (std::is_floating_point_v<Number>) return std::isfinite(number) ? number : 0;
  return number;
}

// Of a key; 0 where the configuration has no such number.
template <typename Number>
Number ConfigNumber(const ConfigEntries& config, std::string_view key) {
  return NumberIn<Number>(ConfigText(config, key));
}

}  // namespace yp

#endif  // YP_CORE_OPTIONS_CONFIG_NUMBER_H_
