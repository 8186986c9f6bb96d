#ifndef YP_BASE_RANDOM_H_
#define YP_BASE_RANDOM_H_

#include <cstdint>

namespace yp {

// Randomness as the libraries see it. Tests inject their own.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  // 64 uniform bits.
  virtual uint64_t Next() = 0;

  // Uniform in [1, n]; n >= 1. The bias of the multiply-shift is below n / 2^64.
  uint64_t UniformFromOneTo(uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return 1 + static_cast<uint64_t>((static_cast<Wide>(Next()) * n) >> 64);
  }
  // Uniform in (0, 1], never 0, so that a logarithm of it is finite.
  double UniformOpenClosed() { return (static_cast<double>(Next() >> 11) + 1.0) * 0x1.0p-53; }
};

// xoshiro256** by Blackman and Vigna (2018), seeded through splitmix64. Not for secrets.
// Async-signal-safe: plain arithmetic on its own state.
class Xoshiro256 final : public RandomSource {
 public:
  explicit Xoshiro256(uint64_t seed) {
    for (uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  uint64_t Next() override {
    const uint64_t result = Rotate(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

 private:
  static uint64_t Rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  uint64_t state_[4];
};

}  // namespace yp

#endif  // YP_BASE_RANDOM_H_
