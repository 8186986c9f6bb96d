#ifndef YP_COMPILER_BYTECODE_LEAF_FUNCTIONS_H_
#define YP_COMPILER_BYTECODE_LEAF_FUNCTIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace yp::compiler {

// Functions of the VM's and stubs of its machine code that do what a Java method does. Compiled
// code calls them in the method's place, as HotSpot's own compilers do, by a *leaf call*: as C
// calls functions (System V ABI). They throw nothing and stop at no safepoint, so that there is no
// frame state, no object moves meanwhile, and they may take addresses within objects. What the
// method itself would check, its callers have checked: they are of the class library.
// Intrinsics.java has the numbers.
enum class Leaf : uint8_t {
  kNanoTime,
  kCurrentTimeMillis,
  kSin,
  kCos,
  kTan,
  kTanh,
  kExp,
  kLog,
  kLog10,
  kPow,
  kCrc32,
  kCrc32OfMemory,
  kCrc32C,
  kCrc32COfMemory,
  kAdler32,
  kAdler32OfMemory,
  kMismatch,
  kShiftLeft,
  kShiftRight,
  kMd5,
  kSha1,
  kSha256,
  kSha512,
};
inline constexpr size_t kLeaves = 23;

// What a function takes, made of the method's next arguments.
enum class LeafArgument : uint8_t {
  kNone,
  kInt,
  kDouble,
  kElement,  // byte[], index: the element's address
  kInts,     // int[]: that of its first element
  kLongs,    // long[]
  kPlace,    // an object, or null, and an offset (long): the sum
  kMemory,   // an address (long), an int: the sum
  kLength,   // the end of a range (int): how far from the index or int that came last
};

struct LeafFunction {
  enum class Effect : uint8_t {
    kValue,  // It computes one, the same of the same arguments.
    kReads,  // It depends on memory, or on something else that changes.
    kWrites,
  };
  const char* name = "";  // In VmStore.
  Effect effect = Effect::kValue;
  std::array<LeafArgument, 5> arguments{};
  // Its last argument is an array in a field of the receiver (Intrinsic::offset), which itself is
  // no argument.
  bool takes_state = false;
};

constexpr std::array<LeafFunction, kLeaves> LeafFunctions() {
  using enum LeafArgument;
  using enum LeafFunction::Effect;
  const char* const crc32 = "StubRoutines::_updateBytesCRC32";
  const char* const crc32c = "StubRoutines::_updateBytesCRC32C";
  const char* const adler32 = "StubRoutines::_updateBytesAdler32";
  return {{
      {"os::javaTimeNanos", kReads, {}},
      {"os::javaTimeMillis", kReads, {}},
      {"CompilerToVM::Data::dsin", kValue, {kDouble}},
      {"CompilerToVM::Data::dcos", kValue, {kDouble}},
      {"CompilerToVM::Data::dtan", kValue, {kDouble}},
      {"CompilerToVM::Data::dtanh", kValue, {kDouble}},  // JDK 25
      {"CompilerToVM::Data::dexp", kValue, {kDouble}},
      {"CompilerToVM::Data::dlog", kValue, {kDouble}},
      {"CompilerToVM::Data::dlog10", kValue, {kDouble}},
      {"CompilerToVM::Data::dpow", kValue, {kDouble, kDouble}},
      {crc32, kReads, {kInt, kElement, kInt}},
      {crc32, kReads, {kInt, kMemory, kInt}},
      {crc32c, kReads, {kInt, kElement, kLength}},
      {crc32c, kReads, {kInt, kMemory, kLength}},
      {adler32, kReads, {kInt, kElement, kInt}},
      {adler32, kReads, {kInt, kMemory, kInt}},
      {"StubRoutines::_vectorizedMismatch", kReads, {kPlace, kPlace, kInt, kInt}},
      {"StubRoutines::_bigIntegerLeftShiftWorker", kWrites, {kInts, kInts, kInt, kInt, kInt}},
      {"StubRoutines::_bigIntegerRightShiftWorker", kWrites, {kInts, kInts, kInt, kInt, kInt}},
      {"StubRoutines::_md5_implCompress", kWrites, {kElement, kInts}, true},
      {"StubRoutines::_sha1_implCompress", kWrites, {kElement, kInts}, true},
      {"StubRoutines::_sha256_implCompress", kWrites, {kElement, kInts}, true},
      {"StubRoutines::_sha512_implCompress", kWrites, {kElement, kLongs}, true},
  }};
}
inline constexpr std::array<LeafFunction, kLeaves> kLeafFunctions = LeafFunctions();

constexpr const LeafFunction& FunctionOf(Leaf leaf) {
  return kLeafFunctions[static_cast<size_t>(leaf)];
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_LEAF_FUNCTIONS_H_
