#ifndef YP_FORMAT_EXPORTERS_JSON_NUMBER_H_
#define YP_FORMAT_EXPORTERS_JSON_NUMBER_H_

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace yp {

// A count without ".0" when it is whole and every consumer's double holds it.
inline nlohmann::ordered_json JsonNumber(double value) {
  if (value == std::floor(value) && std::abs(value) <= 0x1p53) return static_cast<int64_t>(value);
  return value;
}

}  // namespace yp

#endif  // YP_FORMAT_EXPORTERS_JSON_NUMBER_H_
