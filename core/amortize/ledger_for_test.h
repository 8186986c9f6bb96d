#ifndef YP_CORE_AMORTIZE_LEDGER_FOR_TEST_H_
#define YP_CORE_AMORTIZE_LEDGER_FOR_TEST_H_

#include <cstdint>

namespace yp {

// Of a run that a ledger is made of.
inline constexpr int64_t kRunNs = 1'000'000'000;
inline constexpr double kUnitNs = 10;  // So many samples that they leave no doubt.

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_LEDGER_FOR_TEST_H_
