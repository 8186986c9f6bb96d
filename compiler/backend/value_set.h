#ifndef YP_COMPILER_BACKEND_VALUE_SET_H_
#define YP_COMPILER_BACKEND_VALUE_SET_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace yp::compiler {

// Numbers below a bound that all sets of a method have in common, 64 to a word: data flow joins
// such sets once for each edge.
class ValueSet {
 public:
  ValueSet() = default;
  explicit ValueSet(size_t bound) : words_((bound + 63) / 64) {}

  bool Has(size_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void Add(size_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  void Clear() { std::fill(words_.begin(), words_.end(), 0); }
  void Remove(size_t i) { words_[i / 64] &= ~(uint64_t{1} << i % 64); }

  // Adds what is in `other` and not in `without`. True where something is new.
  bool AddAll(const ValueSet& other, const ValueSet& without) {
    uint64_t added = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t word = other.words_[i] & ~without.words_[i] & ~words_[i];
      words_[i] |= word;
      added |= word;
    }
    return added != 0;
  }
  void AddAll(const ValueSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

  // Ascending.
  template <typename Visitor>
  void Visit(Visitor&& visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(64 * i + static_cast<size_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_VALUE_SET_H_
