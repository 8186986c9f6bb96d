#include "compiler/bytecode/stack_effects.h"

#include <algorithm>
#include <array>

namespace yp::compiler {
namespace {

using Effects = std::array<const char*, 256>;

constexpr void Fill(Effects& effects, size_t first, size_t last, const char* effect) {
  for (size_t i = first; i <= last; ++i) effects[i] = effect;
}

// JVMS 6.5, in the order of the opcodes.
constexpr Effects MakeEffects() {
  Effects e{};
  e[0] = ">";             // nop
  e[1] = ">A";            // aconst_null
  Fill(e, 2, 8, ">I");    // iconst_m1 .. iconst_5
  Fill(e, 9, 10, ">J");   // lconst
  Fill(e, 11, 13, ">F");  // fconst
  Fill(e, 14, 15, ">D");  // dconst
  Fill(e, 16, 17, ">I");  // bipush, sipush
  e[46] = "AI>I";         // iaload
  e[47] = "AI>J";
  e[48] = "AI>F";
  e[49] = "AI>D";
  e[50] = "AI>A";
  Fill(e, 51, 53, "AI>I");  // baload, caload, saload
  e[79] = "AII>";           // iastore
  e[80] = "AIJ>";
  e[81] = "AIF>";
  e[82] = "AID>";
  e[83] = "AIA>";
  Fill(e, 84, 86, "AII>");                // bastore, castore, sastore
  for (size_t i = 96; i < 116; i += 4) {  // add, sub, mul, div, rem
    e[i] = "II>I";
    e[i + 1] = "JJ>J";
    e[i + 2] = "FF>F";
    e[i + 3] = "DD>D";
  }
  e[116] = "I>I";  // neg
  e[117] = "J>J";
  e[118] = "F>F";
  e[119] = "D>D";
  for (size_t i = 120; i < 126; i += 2) {  // shl, shr, ushr
    e[i] = "II>I";
    e[i + 1] = "JI>J";
  }
  for (size_t i = 126; i < 132; i += 2) {  // and, or, xor
    e[i] = "II>I";
    e[i + 1] = "JJ>J";
  }
  e[133] = "I>J";
  e[134] = "I>F";
  e[135] = "I>D";
  e[136] = "J>I";
  e[137] = "J>F";
  e[138] = "J>D";
  e[139] = "F>I";
  e[140] = "F>J";
  e[141] = "F>D";
  e[142] = "D>I";
  e[143] = "D>J";
  e[144] = "D>F";
  Fill(e, 145, 147, "I>I");   // i2b, i2c, i2s
  e[148] = "JJ>I";            // lcmp
  Fill(e, 149, 150, "FF>I");  // fcmpl, fcmpg
  Fill(e, 151, 152, "DD>I");  // dcmpl, dcmpg
  Fill(e, 153, 158, "I>");    // ifeq .. ifle
  Fill(e, 159, 164, "II>");   // if_icmpeq .. if_icmple
  Fill(e, 165, 166, "AA>");   // if_acmpeq, if_acmpne
  e[167] = ">";               // goto
  Fill(e, 170, 171, "I>");    // tableswitch, lookupswitch
  e[172] = "I>";              // ireturn
  e[173] = "J>";
  e[174] = "F>";
  e[175] = "D>";
  e[176] = "A>";
  e[177] = ">";              // return
  e[187] = ">A";             // new
  Fill(e, 188, 189, "I>A");  // newarray, anewarray
  e[190] = "A>I";            // arraylength
  e[191] = "A>";             // athrow
  e[192] = "A>A";            // checkcast
  e[193] = "A>I";            // instanceof
  Fill(e, 194, 195, "A>");   // monitorenter, monitorexit
  Fill(e, 198, 199, "A>");   // ifnull, ifnonnull
  e[200] = ">";              // goto_w
  return e;
}

constexpr Effects kEffects = MakeEffects();

}  // namespace

const char* StackEffect(uint8_t opcode) { return kEffects[opcode]; }

std::optional<StackShuffle> ShuffleOf(uint8_t opcode) {
  switch (opcode) {
    case 87:  // pop
      return StackShuffle{.popped = 1};
    case 88:  // pop2
      return StackShuffle{.popped = 2};
    case 89:  // dup
      return StackShuffle{.copied = 1};
    case 90:  // dup_x1
      return StackShuffle{.copied = 1, .skipped = 1};
    case 91:  // dup_x2
      return StackShuffle{.copied = 1, .skipped = 2};
    case 92:  // dup2
      return StackShuffle{.copied = 2};
    case 93:  // dup2_x1
      return StackShuffle{.copied = 2, .skipped = 1};
    case 94:  // dup2_x2
      return StackShuffle{.copied = 2, .skipped = 2};
    case 95:  // swap
      return StackShuffle{.swaps = true};
    default:
      return std::nullopt;
  }
}

bool Shuffle(const StackShuffle& shuffle, std::vector<Kind>& stack) {
  const size_t needed =
      shuffle.swaps ? 2 : std::max(shuffle.popped, shuffle.copied + shuffle.skipped);
  if (stack.size() < needed) return false;
  if (shuffle.swaps) {
    std::swap(stack[stack.size() - 1], stack[stack.size() - 2]);
    return true;
  }
  stack.resize(stack.size() - shuffle.popped);
  const std::vector<Kind> copied(stack.end() - static_cast<ptrdiff_t>(shuffle.copied), stack.end());
  stack.insert(stack.end() - static_cast<ptrdiff_t>(shuffle.copied + shuffle.skipped),
               copied.begin(), copied.end());
  return true;
}

}  // namespace yp::compiler
