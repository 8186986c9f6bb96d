#include "compiler/runtime/leaf_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::At;
using x64::Reg;

// An argument is made of those at its place or behind it, so that none is overwritten before it is
// read. The stubs take some ints for longs.
void EmitLeafCall(x64::Assembler& a, HeapCode& heap, const VmLayout& vm, Leaf leaf, Kind result) {
  size_t in = 0, out = 0;
  Reg last_int = rdi;
  const auto first_element = [&](Reg to, char type) {
    a.Lea(to, At(kLeafInputs[in++], vm.ArrayBase(type)));
  };
  for (const LeafArgument argument : FunctionOf(leaf).arguments) {
    if (argument == LeafArgument::kNone || argument == LeafArgument::kDouble) continue;
    const Reg to = kLeafInputs[out++];
    switch (argument) {
      case LeafArgument::kInts:
        first_element(to, 'I');
        break;
      case LeafArgument::kLongs:
        first_element(to, 'J');
        break;
      case LeafArgument::kPlace:
        a.Lea(to, At(kLeafInputs[in], kLeafInputs[in + 1], 0, 0));
        in += 2;
        break;
      case LeafArgument::kElement:
      case LeafArgument::kMemory:
        last_int = kLeafInputs[in + 1];
        a.SignExtend(k32, last_int, last_int);
        a.Lea(to, At(kLeafInputs[in], last_int, 0,
                     argument == LeafArgument::kElement ? vm.ArrayBase('B') : 0));
        in += 2;
        break;
      case LeafArgument::kLength:
        a.Do(x64::Alu::kSub, k32, kLeafInputs[in], last_int);
        [[fallthrough]];
      default:
        a.Mov(k32, to, kLeafInputs[in++]);
    }
  }
  heap.CallLeaf(vm.LeafAddress(leaf));
  if (result == Kind::kInt) a.Mov(k32, rax, rax);
}

}  // namespace yp::compiler
