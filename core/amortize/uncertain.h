#ifndef YP_CORE_AMORTIZE_UNCERTAIN_H_
#define YP_CORE_AMORTIZE_UNCERTAIN_H_

namespace yp {

// An estimate and its 95 % interval: low <= value <= high.
struct Uncertain {
  double value = 0;
  double low = 0;
  double high = 0;

  static Uncertain Exactly(double value) { return {value, value, value}; }
  bool operator==(const Uncertain&) const = default;
};

// What a count of independent events says of their expected number: the exact interval (Garwood,
// Biometrika 28, 1936), [chi2(0.025; 2n) / 2, chi2(0.975; 2n + 2) / 2]; [0, 3.7] of none.
// `count`: not negative.
Uncertain OfCount(double count);

Uncertain Times(const Uncertain& a, double factor);  // A factor that is not negative.

// Of independent estimates of what is not negative. Between logarithms the distances to the limits
// add up in squares (Donner and Zou, Statistical Methods in Medical Research 21, 2012, "MOVER-R"
// on the logarithmic scale); a product with 0 reaches up to the product of the upper limits.
Uncertain Product(const Uncertain& a, const Uncertain& b);
// a / b; b's value and low are not 0, or the result is [0, infinity).
Uncertain Ratio(const Uncertain& a, const Uncertain& b);
// a - b of independent estimates (Zou and Donner, Statistics in Medicine 27, 2008, "MOVER").
Uncertain Difference(const Uncertain& a, const Uncertain& b);
Uncertain Sum(const Uncertain& a, const Uncertain& b);  // Likewise.

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_UNCERTAIN_H_
