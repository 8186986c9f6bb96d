#ifndef YP_COMPILER_BYTECODE_STACK_EFFECTS_H_
#define YP_COMPILER_BYTECODE_STACK_EFFECTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/bytecode/kinds.h"

namespace yp::compiler {

// What an instruction takes from the stack and puts there, for example "II>I"; the last letter of
// each side is the top. nullptr where it depends on operands or moves whatever there is.
const char* StackEffect(uint8_t opcode);

// Of a letter in a stack effect: I, J, F, D or A.
constexpr Kind EffectKind(char letter) { return letter == 'A' ? Kind::kReference : KindOf(letter); }

// pop, dup, swap and their kin, in slots: `copied` ones from the top are put below `skipped`
// others.
struct StackShuffle {
  uint32_t popped = 0;
  uint32_t copied = 0;
  uint32_t skipped = 0;
  bool swaps = false;
};
std::optional<StackShuffle> ShuffleOf(uint8_t opcode);
// False when there are too few slots.
bool Shuffle(const StackShuffle& shuffle, std::vector<Kind>& stack);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_STACK_EFFECTS_H_
