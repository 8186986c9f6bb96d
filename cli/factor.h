#ifndef YP_CLI_FACTOR_H_
#define YP_CLI_FACTOR_H_

#include <string>

namespace yp {

// How a number changed, for a person: "÷ 4", "× 1.8", "× 150", "÷ 75,188", "new", "gone"; nothing
//  where there was and is none. Never a power of ten.
std::string FactorOf(double before, double after);

// A number that is not negative with three digits that count, or all before the point:
// "0.00123", "1.5", "12,345"; "<0.000001".
std::string ShortNumber(double number);

}  // namespace yp

#endif  // YP_CLI_FACTOR_H_
