#ifndef YP_CORE_ADAPTIVE_DECAYING_WEIGHTS_H_
#define YP_CORE_ADAPTIVE_DECAYING_WEIGHTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <unordered_map>

namespace yp {

// Weights that halve in a half-life, so that what a program does now counts more than what it did:
//
//     weight(t) = sum over what was added of w * 2^-((t - t_added) / half_life)
//
// A weight is kept as what it would be at one common time, the epoch; to let all of them decay is
// to look at them later, and takes no pass over them. When the common factor gets large the epoch
// moves, and what is worth next to nothing then is forgotten.
//
// Times are in milliseconds from any start, and never go back: an earlier one is taken for the
// latest. A half-life of infinity is no decay.
template <typename Key, typename Hash = std::hash<Key>>
class DecayingWeights {
 public:
  // `seed`: what is in the total besides, from time 0 on.
  explicit DecayingWeights(double half_life_ms, double seed = 0)
      : half_life_ms_(half_life_ms), total_(seed) {}

  void Add(const Key& key, double weight, double now_ms) {
    Advance(now_ms);
    const double at_epoch = weight * Growth(now_ms_);
    weights_[key] += at_epoch;
    total_ += at_epoch;
  }
  void Forget(const Key& key) {
    const auto it = weights_.find(key);
    if (it == weights_.end()) return;
    total_ = std::max(0.0, total_ - it->second);
    weights_.erase(it);
  }

  // 0 for what is not there.
  double WeightOf(const Key& key, double now_ms) const {
    const auto it = weights_.find(key);
    return it == weights_.end() ? 0 : it->second / Growth(std::max(now_ms, now_ms_));
  }
  double Total(double now_ms) const { return total_ / Growth(std::max(now_ms, now_ms_)); }
  size_t size() const { return weights_.size(); }

  // visit(key, weight), in no order.
  template <typename Visit>
  void ForEach(double now_ms, Visit visit) const {
    const double growth = Growth(std::max(now_ms, now_ms_));
    for (const auto& [key, weight] : weights_) visit(key, weight / growth);
  }

 private:
  static constexpr double kMostHalfLives = 32;
  static constexpr double kLeastWeight = 0x1p-20;

  double Growth(double now_ms) const { return std::exp2((now_ms - epoch_ms_) / half_life_ms_); }

  void Advance(double now_ms) {
    now_ms_ = std::max(now_ms, now_ms_);
    if ((now_ms_ - epoch_ms_) / half_life_ms_ < kMostHalfLives) return;
    const double growth = Growth(now_ms_);
    total_ /= growth;
    for (auto it = weights_.begin(); it != weights_.end();) {
      it->second /= growth;
      if (it->second < kLeastWeight) {
        total_ = std::max(0.0, total_ - it->second);
        it = weights_.erase(it);
      } else {
        ++it;
      }
    }
    epoch_ms_ = now_ms_;
  }

  const double half_life_ms_;
  double epoch_ms_ = 0;
  double now_ms_ = 0;  // The latest that was told.
  double total_;
  std::unordered_map<Key, double, Hash> weights_;
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_DECAYING_WEIGHTS_H_
