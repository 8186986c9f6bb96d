#ifndef YP_EVAL_T_TEST_T_TEST_H_
#define YP_EVAL_T_TEST_T_TEST_H_

#include <span>

#include "base/status.h"

namespace yp {

// What a two-sided t-test says of the difference of two means, first minus second.
struct TTest {
  double t = 0;
  double degrees_of_freedom = 0;
  double p = 1;           // Of a |t| this large or larger, were the true means equal.
  double difference = 0;  // In the units of the samples.
  double low = 0;         // 95 % confidence interval of the difference.
  double high = 0;
};

// Student's test of pairs: of the differences a[i] - b[i]. Student, "The probable error of a mean",
// Biometrika 6(1), 1908. An error unless both have the same number of values, which is two or more,
// all of them finite, and the differences vary.
Result<TTest> PairedTTest(std::span<const double> a, std::span<const double> b);

// Welch's test of two independent samples whose variances may differ, with the degrees of freedom
// of Welch and Satterthwaite. Welch, "The generalization of 'Student's' problem when several
// different population variances are involved", Biometrika 34, 1947. An error unless each has two
// finite values or more and one of them varies.
Result<TTest> WelchTTest(std::span<const double> a, std::span<const double> b);

}  // namespace yp

#endif  // YP_EVAL_T_TEST_T_TEST_H_
