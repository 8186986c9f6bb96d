#ifndef YP_BASE_SMALL_VECTOR_H_
#define YP_BASE_SMALL_VECTOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace yp {

// A vector that takes no memory from the heap up to `kInline` elements. What it has of std::vector
// means the same, but that moving the vector makes iterators invalid too.
template <typename T, uint32_t kInline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && kInline > 0);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() = default;
  SmallVector(std::initializer_list<T> elements) { Append(elements.begin(), elements.end()); }
  // NOLINTNEXTLINE(google-explicit-constructor): as a list of elements does.
  SmallVector(const std::vector<T>& elements) {
    Append(elements.data(), elements.data() + elements.size());
  }
  SmallVector(const SmallVector& other) { Append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { Swap(other); }
  SmallVector& operator=(SmallVector other) noexcept {
    Swap(other);
    return *this;
  }
  ~SmallVector() { delete[] outside_; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return outside_ == nullptr ? inline_ : outside_; }
  T* end() { return begin() + size_; }
  const T* begin() const { return outside_ == nullptr ? inline_ : outside_; }
  const T* end() const { return begin() + size_; }
  T& operator[](size_t i) { return begin()[i]; }
  const T& operator[](size_t i) const { return begin()[i]; }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }

  void clear() { size_ = 0; }
  void push_back(T element) {
    if (size_ == capacity_) Grow(2 * capacity_);
    begin()[size_++] = element;
  }
  void assign(size_t count, T element) {
    clear();
    for (size_t i = 0; i < count; ++i) push_back(element);
  }
  T* erase(T* at) {
    std::copy(at + 1, end(), at);
    --size_;
    return at;
  }

 private:
  void Append(const T* from, const T* to) {
    const auto count = static_cast<uint32_t>(to - from);
    if (count > capacity_) Grow(count);
    std::copy(from, to, begin());
    size_ = count;
  }
  void Grow(uint32_t capacity) {
    T* const larger = new T[capacity];
    std::copy(begin(), end(), larger);
    delete[] outside_;
    outside_ = larger;
    capacity_ = capacity;
  }
  void Swap(SmallVector& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(outside_, other.outside_);
    std::swap(inline_, other.inline_);
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = kInline;
  T* outside_ = nullptr;
  T inline_[kInline] = {};
};

}  // namespace yp

#endif  // YP_BASE_SMALL_VECTOR_H_
