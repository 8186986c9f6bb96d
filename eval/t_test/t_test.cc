#include "eval/t_test/t_test.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/graph/distributions.h"

namespace yp {
namespace {

constexpr double kTail = 0.025;  // On each side of the 95 % interval.

struct Moments {
  double count = 0;
  double mean = 0;
  double variance = 0;  // Unbiased.
};

Moments MomentsOf(std::span<const double> values) {
  Moments moments;
  moments.count = static_cast<double>(values.size());
  for (const double value : values) moments.mean += value / moments.count;
  for (const double value : values) {
    const double deviation = value - moments.mean;
    moments.variance += deviation * deviation / (moments.count - 1);
  }
  return moments;
}

Status CheckSample(std::span<const double> values) {
  if (values.size() < 2) {
    return Status::Error("a t-test needs two values or more, there are " +
                         std::to_string(values.size()));
  }
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    return Status::Error("a value is not a finite number");
  return Status::Ok();
}

TTest TestOf(double difference, double standard_error, double degrees_of_freedom) {
  const double t = difference / standard_error;
  const double margin = StudentsTExceeded(kTail, degrees_of_freedom) * standard_error;
  return {.t = t,
          .degrees_of_freedom = degrees_of_freedom,
          .p = 2 * StudentsTAbove(std::abs(t), degrees_of_freedom),
          .difference = difference,
          .low = difference - margin,
          .high = difference + margin};
}

}  // namespace

Result<TTest> PairedTTest(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) {
    return Status::Error("pairs need as many values in b as in a: " + std::to_string(b.size()) +
                         " and " + std::to_string(a.size()));
  }
  for (const auto& sample : {a, b}) {
    if (Status status = CheckSample(sample); !status) return status;
  }
  std::vector<double> differences;
  for (size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  const Moments moments = MomentsOf(differences);
  if (!(moments.variance > 0)) return Status::Error("all differences are equal");
  return TestOf(moments.mean, std::sqrt(moments.variance / moments.count), moments.count - 1);
}

Result<TTest> WelchTTest(std::span<const double> a, std::span<const double> b) {
  for (const auto& sample : {a, b}) {
    if (Status status = CheckSample(sample); !status) return status;
  }
  const Moments of_a = MomentsOf(a);
  const Moments of_b = MomentsOf(b);
  const double square_a = of_a.variance / of_a.count;
  const double square_b = of_b.variance / of_b.count;
  const double sum = square_a + square_b;
  if (!(sum > 0)) return Status::Error("all values are equal");
  const double degrees_of_freedom =
      sum * sum / (square_a * square_a / (of_a.count - 1) + square_b * square_b / (of_b.count - 1));
  return TestOf(of_a.mean - of_b.mean, std::sqrt(sum), degrees_of_freedom);
}

}  // namespace yp
