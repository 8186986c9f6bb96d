#include "cli/factor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/names.h"

namespace yp {
namespace {

constexpr int kDigits = 3;
constexpr double kLeastNumber = 1e-6;

// So many digits that count, and no zeros behind the last of them.
std::string WithDigits(double number, int digits) {
  const int before_point = static_cast<int>(std::floor(std::log10(number))) + 1;
  std::string text = fmt::format("{:.{}f}", number, std::max(0, digits - before_point));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string FactorOf(double before, double after) {
  if (before <= 0) return after <= 0 ? "" : "new";
  if (after <= 0) return "gone";
  const bool is_more = after >= before;
  const double factor = is_more ? after / before : before / after;
  return (is_more ? "× " : "÷ ") + (factor >= 100 ? WithSeparators(factor) : WithDigits(factor, 2));
}

std::string ShortNumber(double number) {
  if (number <= 0) return "0";
  if (number < kLeastNumber) return "<0.000001";
  return number >= 1000 ? WithSeparators(number) : WithDigits(number, kDigits);
}

}  // namespace yp
