#include "core/graph/shrinkage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace yp {
namespace {

constexpr EdgeId kDense{0}, kSparse{1}, kRare{2};

// A program that calls kDense `ratio` times as densely as kSparse, half of the time each, and now
// and then kRare; its densities are measured with an error of `noise` in the logarithm.
struct Recording {
  std::vector<WindowSamples> corrected, plain;

  Recording(int windows, double ratio, double noise, uint64_t seed) {
    Xoshiro256 random(seed);
    for (int w = 0; w < windows; ++w) {
      const bool is_dense = random.UniformOpenClosed() <= 0.5;
      // Sum of twelve uniform numbers: about normal.
      double error = -6;
      for (int i = 0; i < 12; ++i) error += random.UniformOpenClosed();
      const uint32_t rare = random.UniformOpenClosed() <= 0.2 ? 3 : 0;
      WindowSamples window;
      window.samples = {{is_dense ? kDense : kSparse, 32 - rare}};
      if (rare > 0) window.samples.emplace_back(kRare, rare);
      plain.push_back(window);
      window.weight = (is_dense ? ratio : 1) * std::exp(noise * error);
      corrected.push_back(window);
    }
  }
  double Share() const { return CorrectionShare(corrected, plain); }

  // The squared error of the mean of both with so much of the corrected, of kDense's share.
  double SquaredError(double share, double truth) const {
    const auto share_of_dense = [](const std::vector<WindowSamples>& windows) {
      double dense = 0, all = 0;
      for (const WindowSamples& window : windows) {
        for (const auto& [edge, count] : window.samples) {
          all += window.weight * count;
          if (edge == kDense) dense += window.weight * count;
        }
      }
      return dense / all;
    };
    const double error =
        share * share_of_dense(corrected) + (1 - share) * share_of_dense(plain) - truth;
    return error * error;
  }
};

TEST(CorrectionShareTest, AGreatBiasIsCorrected) {
  EXPECT_GT(Recording(500, 10, 0.5, 1).Share(), 0.95);
}

TEST(CorrectionShareTest, NoiseWithoutBiasIsNotBelieved) {
  EXPECT_LT(Recording(500, 1, 1.5, 2).Share(), 0.3);
}

TEST(CorrectionShareTest, FewWindowsShowNoSmallBias) {
  EXPECT_LT(Recording(40, 1.3, 1.5, 3).Share(), Recording(20'000, 1.3, 1.5, 3).Share());
}

TEST(CorrectionShareTest, IsNearTheBetterOfBothWhicheverThatIs) {
  for (const double ratio : {1.0, 1.3, 2.0, 4.0}) {
    double blended = 0, corrected = 0, plain = 0;
    for (uint64_t seed = 1; seed <= 400; ++seed) {
      const Recording recording(100, ratio, 1.0, seed);
      const double truth = ratio / (ratio + 1) * (1 - 0.2 * 3 / 32);
      blended += recording.SquaredError(recording.Share(), truth);
      corrected += recording.SquaredError(1, truth);
      plain += recording.SquaredError(0, truth);
    }
    EXPECT_LT(blended, 1.8 * std::min(corrected, plain)) << ratio;
    EXPECT_LT(blended, std::max(corrected, plain)) << ratio;
  }
}

TEST(CorrectionShareTest, WindowsOfOneUnitAreOne) {
  Recording recording(500, 1.2, 1.0, 4);
  const double alone = recording.Share();
  // Each ten times: nothing new is known, unless it is taken for that.
  Recording repeated = recording;
  for (auto* windows : {&repeated.corrected, &repeated.plain}) {
    const std::vector<WindowSamples> once = *windows;
    windows->clear();
    for (int copy = 0; copy < 10; ++copy) {
      for (size_t w = 0; w < once.size(); ++w) {
        windows->push_back(once[w]);
        windows->back().unit = static_cast<int64_t>(w);
      }
    }
  }
  EXPECT_NEAR(repeated.Share(), alone, 1e-9);
}

TEST(CorrectionShareTest, WithNothingToCompareTheCorrectionIsTaken) {
  EXPECT_EQ(CorrectionShare({}, {}), 1);
  EXPECT_EQ(Recording(1, 2, 0, 5).Share(), 1);
  const Recording same(30, 1, 0, 6);
  EXPECT_EQ(same.Share(), 1);
}

}  // namespace
}  // namespace yp
