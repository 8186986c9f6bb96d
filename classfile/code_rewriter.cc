#include "classfile/code_rewriter.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "classfile/code_tables.h"
#include "classfile/instructions.h"

namespace yp::classfile {
namespace {

constexpr uint32_t kMaxCodeBytes = 65535;

// Bytecode 0 stays the start of what begins there, although the instruction there moved.
uint32_t MapStart(const BciMap& map, uint32_t bci) { return bci == 0 ? 0 : map.Target(bci); }

// Overwrites the offsets in a copy of a table.
class TableRelocator final : public OffsetVisitor {
 public:
  TableRelocator(const BciMap& map, uint8_t* copy) : map_(map), copy_(copy) {}

  bool Line(size_t position, uint32_t bci) override {
    StoreU2(copy_ + position, MapStart(map_, bci));
    return true;
  }
  bool Point(size_t position, uint32_t bci) override {
    StoreU2(copy_ + position, map_.Moved(bci));
    return true;
  }
  bool Range(size_t position, uint32_t start, uint32_t length) override {
    const uint32_t new_start = MapStart(map_, start);
    StoreU2(copy_ + position, new_start);
    // In the padding of a switch, which may have become shorter, a range can end before it starts.
    const uint32_t new_end = std::max(new_start, map_.Target(start + length));
    StoreU2(copy_ + position + 2, length == 0 ? 0 : new_end - new_start);
    return true;
  }

 private:
  const BciMap& map_;
  uint8_t* copy_;
};

// Writes the frames of a StackMapTable anew: a greater delta may need a longer form of a frame.
class StackMapWriter final : public StackMapVisitor {
 public:
  StackMapWriter(const BciMap& map, std::vector<uint8_t>& out) : map_(map), out_(out) {}

  bool Frame(uint8_t type, uint32_t bci) override {
    const uint32_t new_bci = map_.Target(bci);
    const uint32_t delta = new_bci - next_base_;
    next_base_ = new_bci + 1;
    const bool same = type < 64 || type == 251;
    const bool same_locals_1 = (type >= 64 && type < 128) || type == 247;
    if (delta < 64 && type < 128) {
      AppendU1(out_, (same ? 0 : 64) + delta);
    } else {
      AppendU1(out_, same ? 251u : same_locals_1 ? 247u : type);
      AppendU2(out_, delta);
    }
    return true;
  }
  void Count(uint16_t count) override { AppendU2(out_, count); }
  bool Type(VerificationType type) override {
    AppendU1(out_, type.tag);
    if (type.tag == VerificationType::kUninitialized) {
      AppendU2(out_, map_.Moved(type.operand));
    } else if (type.has_operand()) {
      AppendU2(out_, type.operand);
    }
    return true;
  }

 private:
  const BciMap& map_;
  std::vector<uint8_t>& out_;
  uint32_t next_base_ = 0;
};

}  // namespace

ProbeOutcome CodeRewriter::Rewrite(const Method& method, const Insertions& to_insert,
                                   std::vector<uint8_t>& out, BciMap& map) {
  const std::span<const Insertion> insertions = to_insert.all;
  if (!method.code) {
    return ProbeOutcome::kNoCode;
  }
  const Code& code = *method.code;
  if (method.name == "finalize" && method.descriptor == "()V" && code.bytecode.size() == 1) {
    return ProbeOutcome::kEmptyFinalizer;
  }
  if (!CheckCode(file_, method, starts_)) {
    return ProbeOutcome::kMalformedCode;
  }
  if (const ProbeOutcome outcome = Layout(code, insertions, map);
      outcome != ProbeOutcome::kProbed) {
    return outcome;
  }
  const bool has_sites = !insertions.empty() && !insertions.back().is_entry();
  uint32_t max_stack = code.max_stack;
  uint32_t max_locals = code.max_locals;
  for (const Insertion& insertion : insertions) {
    // An entry call runs on an empty stack, others on top of the arguments or what is returned.
    max_stack = std::max<uint32_t>(
        max_stack, insertion.code.stack + (insertion.is_entry() ? 0u : code.max_stack));
    max_locals = std::max<uint32_t>(max_locals, uint32_t{code.max_locals} + insertion.code.locals);
  }
  if (max_stack > 0xffff) {
    return ProbeOutcome::kStackTooDeep;
  }
  if (max_locals > 0xffff) {
    return ProbeOutcome::kTooManyLocals;
  }

  const size_t begin = out.size();
  AppendBytes(out, file_.bytes().subspan(code.begin_offset, 6));
  AppendU2(out, max_stack);
  AppendU2(out, max_locals);
  AppendU4(out, new_size_);
  const size_t bytecode_begin = out.size();
  CopyBytecode(code, insertions, map, out);
  // Everything moves as one when only entry calls are added, and relative jumps stay.
  if (has_sites && !RelocateJumps(code.bytecode, map, &out[bytecode_begin])) {
    return ProbeOutcome::kJumpTooFar;
  }
  AppendU2(out, static_cast<uint32_t>(code.exception_table.size() / 8));
  for (size_t i = 0; i < code.exception_table.size(); i += 8) {
    for (size_t j = 0; j < 6; j += 2) {
      AppendU2(out, map.Target(LoadU2(&code.exception_table[i + j])));
    }
    AppendBytes(out, code.exception_table.subspan(i + 6, 2));
  }
  AppendU2(out, code.attribute_count);
  if (const ProbeOutcome outcome = CopyAttributes(method, to_insert.has_context, map, out);
      outcome != ProbeOutcome::kProbed) {
    return outcome;
  }
  StoreU4(&out[begin + 2], static_cast<uint32_t>(out.size() - begin - 6));
  return ProbeOutcome::kProbed;
}

ProbeOutcome CodeRewriter::Layout(const Code& code, std::span<const Insertion> insertions,
                                  BciMap& map) {
  const Bytes bytecode = code.bytecode;
  const auto size = static_cast<uint32_t>(bytecode.size());
  map.clear();
  uint32_t shift = 0;
  size_t next = 0;
  for (; next < insertions.size() && insertions[next].is_entry(); ++next) {
    shift += insertions[next].code.size;
  }
  // False when the method no longer fits; only then could 16 bits be too few for a segment.
  const auto add = [&](uint32_t original, uint32_t target) {
    map.Add({static_cast<uint16_t>(original), static_cast<uint16_t>(target),
             static_cast<uint16_t>(original + shift)});
    return size + shift <= kMaxCodeBytes;
  };
  const bool has_sites = next < insertions.size();
  if (!has_sites && !add(0, shift)) {
    return ProbeOutcome::kCodeTooLarge;
  }
  for (uint32_t bci = 0; has_sites && bci < size;) {
    const Instruction at = *DecodeInstruction(bytecode, bci);
    const uint32_t target = bci + shift;
    for (; next < insertions.size() && insertions[next].bci == bci; ++next) {
      const bool is_return = insertions[next].place == Insertion::Place::kReturn;
      if (is_return ? !IsReturn(at.opcode) : !IsInvoke(at.opcode)) {
        return ProbeOutcome::kNoSuchInvoke;
      }
      shift += insertions[next].code.size;
    }
    if ((bci == 0 || bci + shift != target) && !add(bci, target)) {
      return ProbeOutcome::kCodeTooLarge;
    }
    if (IsSwitch(at.opcode) && SwitchPadding(bci) != SwitchPadding(bci + shift)) {
      const uint32_t operands = bci + 1 + SwitchPadding(bci);
      // Never below 0: operands are aligned before and after, so this rounds the shift up.
      shift = bci + shift + 1 + SwitchPadding(bci + shift) - operands;
      if (!add(operands, operands + shift)) {
        return ProbeOutcome::kCodeTooLarge;
      }
    }
    bci += at.length;
  }
  if (next != insertions.size()) {
    return ProbeOutcome::kNoSuchInvoke;
  }
  new_size_ = size + shift;
  if (huge_method_limit_ != 0 && size <= huge_method_limit_ && new_size_ > huge_method_limit_) {
    return ProbeOutcome::kCompileLimit;
  }
  return ProbeOutcome::kProbed;
}

void CodeRewriter::CopyBytecode(const Code& code, std::span<const Insertion> insertions,
                                const BciMap& map, std::vector<uint8_t>& out) const {
  const size_t begin = out.size();
  out.resize(begin + new_size_);
  uint8_t* to = &out[begin];
  const std::vector<BciMap::Segment>& segments = map.segments();
  for (size_t i = 0; i < segments.size(); ++i) {
    const bool last = i + 1 == segments.size();
    const uint32_t old_end =
        last ? static_cast<uint32_t>(code.bytecode.size()) : segments[i + 1].original;
    const uint32_t new_end = last ? new_size_ : segments[i + 1].target;
    // They differ in front of a switch's operands: padding is cut off, or grows by zeros.
    const uint32_t size = std::min(old_end - segments[i].original, new_end - segments[i].moved);
    std::memcpy(to + segments[i].moved, &code.bytecode[segments[i].original], size);
  }
  // Insertions come in the order of their places, so a call follows the last one of the same place.
  uint32_t position = 0;
  for (size_t i = 0; i < insertions.size(); ++i) {
    const bool same_place = i > 0 && insertions[i - 1].bci == insertions[i].bci &&
                            insertions[i - 1].is_entry() == insertions[i].is_entry();
    if (!insertions[i].is_entry() && !same_place) {
      position = map.Target(insertions[i].bci);
    }
    std::memcpy(to + position, insertions[i].code.bytes.data(), insertions[i].code.size);
    position += insertions[i].code.size;
  }
}

bool CodeRewriter::RelocateJumps(Bytes code, const BciMap& map, uint8_t* new_code) const {
  for (uint32_t bci = 0; bci < code.size();) {
    const Instruction at = *DecodeInstruction(code, bci);
    const int64_t new_bci = map.Moved(bci);
    const bool fits = VisitJumps(code, at, [&](uint32_t position, bool wide, int64_t target) {
      const int64_t offset = int64_t{map.Target(static_cast<uint32_t>(target))} - new_bci;
      uint8_t* operand = new_code + map.Moved(position);
      if (wide) {
        StoreU4(operand, static_cast<uint32_t>(offset));
        return true;
      }
      StoreU2(operand, static_cast<uint32_t>(offset));
      return offset == static_cast<int16_t>(offset);
    });
    if (!fits) {
      return false;
    }
    bci += at.length;
  }
  return true;
}

ProbeOutcome CodeRewriter::CopyAttributes(const Method& method, bool has_context, const BciMap& map,
                                          std::vector<uint8_t>& out) {
  AttributeCursor cursor(file_.pool(), method.code->attributes);
  for (Attribute attribute; cursor.Next(attribute);) {
    AppendU2(out, attribute.name_index);
    const size_t length_position = out.size();
    AppendU4(out, static_cast<uint32_t>(attribute.info.size()));
    const size_t begin = out.size();
    const CodeTable table = CodeTableOf(attribute.name);
    // The JVM does not use one that is not sound; in a class where it would, CheckCode refuses it.
    if (table == CodeTable::kStackMap && IsSoundStackMap(method, attribute.info, starts_)) {
      if (has_context) {
        const ProbeOutcome outcome = AppendContextFrames(file_, method, attribute.info, map,
                                                         frame_bytes_left_, constants_, out);
        if (outcome != ProbeOutcome::kProbed) return outcome;
        frame_bytes_left_ -= std::min(frame_bytes_left_, out.size() - begin);
      } else {
        AppendBytes(out, attribute.info.first(2));
        StackMapWriter writer(map, out);
        VisitStackMap(attribute.info, writer);
      }
      StoreU4(&out[length_position], static_cast<uint32_t>(out.size() - begin));
      continue;
    }
    AppendBytes(out, attribute.info);
    if (table != CodeTable::kNone && table != CodeTable::kStackMap) {
      TableRelocator relocator(map, &out[begin]);
      VisitOffsets(table, attribute.info, relocator);
    }
  }
  return ProbeOutcome::kProbed;
}

}  // namespace yp::classfile
