// Vectors: 16 bytes of elements. xmm15 is free.
#include <utility>

#include "compiler/backend/code_emitter.h"

namespace yp::compiler {

using enum x64::Width;
using ir::Node;
using ir::Op;
using x64::Packed;
using x64::Sse;
using x64::Xmm;

bool CodeEmitter::EmitVector(const Node& node) {
  if (node.op == Op::kStoreVector) {
    a_.StoreVector(ElementOf(node), InXmm(node, 2));
    return true;
  }
  if (node.kind != Kind::kVector) return false;
  switch (node.op) {
    case Op::kLoadVector:
      a_.LoadVector(OutXmm(node), ElementOf(node));
      return true;
    case Op::kBroadcast:
      EmitBroadcast(node);
      return true;
    default:
      EmitVectorArithmetic(node);
      return true;
  }
}

void CodeEmitter::EmitBroadcast(const Node& node) {
  const Kind kind = KindOf(node.type);
  const Xmm out = OutXmm(node);
  if (IsFloatingPoint(kind)) {
    if (out != InXmm(node, 0)) a_.Mov(out, InXmm(node, 0));
    return a_.Broadcast(PrecisionOf(kind), out);
  }
  a_.MovBits(WidthOf(kind), out, InReg(node, 0));
  a_.Broadcast(WidthOf(kind), out);
}

namespace {

Packed PackedOf(Op op, Kind kind) {
  const bool is_long = kind == Kind::kLong;
  switch (op) {
    case Op::kAdd:
      return is_long ? Packed::kAddLongs : Packed::kAddInts;
    case Op::kSub:
      return is_long ? Packed::kSubLongs : Packed::kSubInts;
    case Op::kAnd:
      return Packed::kAnd;
    case Op::kOr:
      return Packed::kOr;
    default:
      return Packed::kXor;
  }
}

}  // namespace

void CodeEmitter::EmitVectorArithmetic(const Node& node) {
  const Kind kind = KindOf(node.type);
  const Xmm out = OutXmm(node);
  Xmm left = InXmm(node, 0);
  const bool shifts = node.op == Op::kShl || node.op == Op::kShr || node.op == Op::kUshr;
  if (shifts) {
    if (out != left) a_.Mov(out, left);
    const uint8_t count = ShiftCount(*node.in[1], WidthOf(kind));
    return a_.ShiftVector(ShiftOf(node.op), WidthOf(kind), out, count);
  }
  Xmm right = InXmm(node, 1);
  if (right == out && left != out) {
    if (node.op == Op::kSub || node.op == Op::kDiv) {
      a_.Mov(kScratchXmm, right);
      right = kScratchXmm;
    } else {
      std::swap(left, right);
    }
  }
  if (out != left) a_.Mov(out, left);
  if (IsFloatingPoint(kind)) {
    a_.DoVector(SseOf(node.op), PrecisionOf(kind), out, right);
  } else {
    a_.DoVector(PackedOf(node.op, kind), out, right);
  }
}

}  // namespace yp::compiler
