// Calls of methods that the VM's own compilers have instructions for.
#include "compiler/backend/code_emitter.h"
#include "compiler/runtime/leaf_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using ir::Node;
using ir::Op;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Mem;

bool CodeEmitter::EmitIntrinsic(const Node& node) {
  switch (node.op) {
    case Op::kSquareRoot:
      a_.SquareRoot(OutXmm(node), InXmm(node, 0));
      return true;
    case Op::kBits:
      if (IsFloatingPoint(node.kind)) {
        a_.MovBits(WidthOf(node.in[0]->kind), OutXmm(node), InReg(node, 0));
      } else {
        a_.MovBits(WidthOf(node.kind), OutReg(node), InXmm(node, 0));
      }
      return true;
    case Op::kGetClass:
      heap_.LoadClass(OutReg(node), InReg(node, 0));
      return true;
    case Op::kIsInstanceOf: {
      const Label no = a_.NewLabel();
      heap_.CheckInstance(InReg(node, 0), InReg(node, 1), no);
      SetTruth(node, true, no);
      return true;
    }
    case Op::kCurrentThread:
      a_.Load(k64, OutReg(node), HeapCode::Thread(vm_.current_thread));
      a_.Load(k64, OutReg(node), At(OutReg(node)));
      return true;
    case Op::kLoadPlace:
      EmitLoad(node.type, node, At(InReg(node, 0), InReg(node, 1), 0, 0));
      if (node.type == 'L') KeepReferent(node);
      return true;
    case Op::kStorePlace:
      EmitStorePlace(node);
      if (node.bits != 0) a_.Fence();
      return true;
    case Op::kCompareAndSet:
      if (node.type == 'L') {
        CompareAndSetOop(node);
        return true;
      }
      a_.LockedCompareExchange(node.type == 'J' ? k64 : k32,
                               At(InReg(node, 0), InReg(node, 1), 0, 0), InReg(node, 3));
      a_.Set(Condition::kEqual, rax);
      a_.ZeroExtend(k8, rax, rax);
      return true;
    case Op::kCopyArray:
      heap_.CallLeaf(vm_.array_copy);
      return true;
    case Op::kLeafValue:
    case Op::kLeafCall:
      EmitLeafCall(a_, heap_, vm_, static_cast<Leaf>(node.bits), node.kind);
      return true;
    default:
      return false;
  }
}

// Bytes are those of byte fields and arrays: booleans are stored by other methods.
void CodeEmitter::EmitStorePlace(const Node& node) {
  const Mem to = At(InReg(node, 0), InReg(node, 1), 0, 0);
  if (node.type == 'L') return StoreOop(node, to, InReg(node, 2));
  const Kind kind = KindOf(node.type);
  if (IsFloatingPoint(kind)) return a_.Store(PrecisionOf(kind), to, InXmm(node, 2));
  const x64::Width width = node.type == 'B'                       ? k8
                           : node.type == 'C' || node.type == 'S' ? k16
                                                                  : WidthOf(kind);
  a_.Store(width, to, InReg(node, 2));
}

}  // namespace yp::compiler
