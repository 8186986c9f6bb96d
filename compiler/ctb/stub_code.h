#ifndef YP_COMPILER_CTB_STUB_CODE_H_
#define YP_COMPILER_CTB_STUB_CODE_H_

#include <cstdint>
#include <vector>

namespace yp::compiler {

// Called as a Java method, whose arguments it keeps: calls
//   uint64_t find(uint64_t receiver, const uint8_t* return_address)
// in C's calling convention, and goes on at what that gives, with the caller's return address.
std::vector<uint8_t> AssembleProfilingStub(uint64_t find);

// Goes on with the method to which the word at `entry` points. `compiled_entry`: where a Method has
// the address of its code.
std::vector<uint8_t> AssembleThunk(uint64_t entry, int32_t compiled_entry);

}  // namespace yp::compiler

#endif  // YP_COMPILER_CTB_STUB_CODE_H_
