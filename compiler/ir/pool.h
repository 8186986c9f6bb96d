#ifndef YP_COMPILER_IR_POOL_H_
#define YP_COMPILER_IR_POOL_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace yp::compiler::ir {

// Owns objects that stay where they are until all go. As std::deque, but many in one piece of
// memory: that of libstdc++ has 512 bytes, which are two nodes.
template <typename T>
class Pool {
 public:
  T& Add() {
    if (size_ % kEach == 0) pieces_.push_back(std::make_unique<T[]>(kEach));
    return pieces_.back()[size_++ % kEach];
  }
  T& Add(T object) {
    T& added = Add();
    added = std::move(object);
    return added;
  }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kEach = 32;
  std::vector<std::unique_ptr<T[]>> pieces_;
  size_t size_ = 0;
};

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_POOL_H_
