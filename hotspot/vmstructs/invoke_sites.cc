#include "hotspot/vmstructs/invoke_sites.h"

#include <array>
#include <cstring>

#include "classfile/instructions.h"

namespace yp::hotspot {
namespace {

namespace op = classfile::op;

constexpr uint8_t kUnknown = 0xff;
constexpr uint8_t kInvokeHandle = 233;

// Of the interpreter's own opcodes from 202 on, the class file's (HotSpot's bytecodes.hpp, the same
// on JDK 11 to 25). Each has the length of its original: where one stands for a pair, the second of
// the pair is still there.
constexpr std::array<uint8_t, 36> kOriginals = {
    kUnknown,  // breakpoint
    180,
    180,
    180,
    180,  // fast_agetfield .. of all types
    180,
    180,
    180,
    180,
    181,
    181,
    181,
    181,
    181,  // fast_aputfield ..
    181,
    181,
    181,
    181,
    42,
    42,
    42,
    42,  // fast_aload_0, fast_iaccess_0 and its like
    21,
    21,
    21,                  // fast_iload, fast_iload2, fast_icaload
    op::kInvokevirtual,  // fast_invokevfinal
    op::kLookupswitch,
    op::kLookupswitch,
    op::kLdc,
    op::kLdcW,
    op::kReturn,         // return_register_finalizer
    op::kInvokevirtual,  // invokehandle
    180,
    181,
    42,
    21,  // nofast_getfield, _putfield, _aload_0, _iload
};
constexpr uint8_t kFirstOwn = 202;

InvokeSite::Kind KindOf(uint8_t vm_opcode) {
  switch (vm_opcode) {
    case op::kInvokespecial:
      return InvokeSite::Kind::kSpecial;
    case op::kInvokestatic:
      return InvokeSite::Kind::kStatic;
    case op::kInvokeinterface:
      return InvokeSite::Kind::kInterface;
    case op::kInvokedynamic:
      return InvokeSite::Kind::kDynamic;
    case kInvokeHandle:
      return InvokeSite::Kind::kHandle;
    default:
      return InvokeSite::Kind::kVirtual;
  }
}

}  // namespace

uint8_t JavaOpcode(uint8_t vm_opcode) {
  if (vm_opcode < kFirstOwn) return vm_opcode;
  const size_t own = size_t{vm_opcode} - kFirstOwn;
  return own < kOriginals.size() ? kOriginals[own] : kUnknown;
}

std::optional<InvokeSite> InvokeSiteAt(std::span<const uint8_t> code, int32_t bci) {
  InvokeSite site{.bci = bci};
  const auto at = static_cast<size_t>(bci);
  const size_t index_at = at + 1;
  if (bci < 0 || index_at + sizeof(site.cache_index) > code.size()) return std::nullopt;
  if (!classfile::IsInvoke(JavaOpcode(code[at]))) return std::nullopt;
  site.kind = KindOf(code[at]);
  std::memcpy(&site.cache_index, &code[index_at], sizeof(site.cache_index));  // In native order.
  return site;
}

std::optional<std::vector<InvokeSite>> FindInvokeSites(std::span<const uint8_t> code) {
  std::vector<uint8_t> java(code.begin(), code.end());
  std::vector<InvokeSite> sites;
  for (uint32_t bci = 0; bci < code.size();) {
    java[bci] = JavaOpcode(code[bci]);
    const std::optional<classfile::Instruction> at = classfile::DecodeInstruction(java, bci);
    if (!at) return std::nullopt;
    if (const auto site = InvokeSiteAt(code, static_cast<int32_t>(bci))) sites.push_back(*site);
    bci += at->length;
  }
  return sites;
}

}  // namespace yp::hotspot
