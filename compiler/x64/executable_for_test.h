#ifndef YP_COMPILER_X64_EXECUTABLE_FOR_TEST_H_
#define YP_COMPILER_X64_EXECUTABLE_FOR_TEST_H_

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace yp::x64 {

template <typename Function>
class Executable;

// Code that was assembled, called as C calls functions, such as Executable<int64_t(void*)>.
template <typename Result, typename... Arguments>
class Executable<Result(Arguments...)> {
 public:
  explicit Executable(const std::vector<uint8_t>& code) : bytes_(code.size()) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory_, MAP_FAILED);
    std::memcpy(memory_, code.data(), bytes_);
    mprotect(memory_, bytes_, PROT_READ | PROT_EXEC);
  }
  ~Executable() { munmap(memory_, bytes_); }
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  Result operator()(Arguments... arguments) const {
    Result (*function)(Arguments...);
    std::memcpy(&function, &memory_, sizeof function);
    return function(arguments...);
  }

 private:
  const size_t bytes_;
  void* memory_;
};

}  // namespace yp::x64

#endif  // YP_COMPILER_X64_EXECUTABLE_FOR_TEST_H_
