#ifndef YP_COMPILER_CTB_EXECUTABLE_MEMORY_H_
#define YP_COMPILER_CTB_EXECUTABLE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace yp::compiler {

// Pieces of machine code, each in a cache line's half of its own. Not thread-safe.
class ExecutableMemory {
 public:
  static constexpr size_t kPieceBytes = 32;

  ExecutableMemory() = default;
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  // Copies the code there; nullptr: there is no memory, or none that may be executed. Code of more
  // than kPieceBytes takes the rest of a page at most, and is never freed.
  uint8_t* Add(const std::vector<uint8_t>& code);
  // No thread is in it, and none comes to it any more.
  void Free(uint8_t* piece) { free_.push_back(piece); }

 private:
  static constexpr size_t kChunkBytes = 65536;
  uint8_t* Take(size_t bytes);

  std::vector<uint8_t*> chunks_;
  size_t used_ = kChunkBytes;  // Of the last one.
  std::vector<uint8_t*> free_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_CTB_EXECUTABLE_MEMORY_H_
