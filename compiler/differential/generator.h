#ifndef YP_COMPILER_DIFFERENTIAL_GENERATOR_H_
#define YP_COMPILER_DIFFERENTIAL_GENERATOR_H_

#include <cstdint>
#include <string>
#include <vector>

namespace yp::compiler {

// How many methods a generated class has; they are called m0, m1, ...
inline constexpr int kGeneratedMethods = 6;

// yieldpoint/generated/G<seed>
std::string GeneratedName(uint64_t seed);

// A class file of random methods that pass the verifier, the same bytes for the same seed. It works
// on the classes of java/yieldpoint/generated. Each method
// - is static, some synchronized, and takes (int, long, double, float, Helper, int[]);
// - ends, normally or by an exception: its loops are short, and all calls together take fuel from
//   Helper.fuel;
// - has its bytecode indices as line numbers, so that stack traces tell where exactly they are.
// The version is 49: the verifier that infers types needs no stack maps, which the generator does
// not make. So there is no invokedynamic in it.
std::vector<uint8_t> GenerateClass(uint64_t seed);

}  // namespace yp::compiler

#endif  // YP_COMPILER_DIFFERENTIAL_GENERATOR_H_
