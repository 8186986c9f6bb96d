#include "classfile/context_frames.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "classfile/code_tables.h"
#include "classfile/frame_locals.h"

namespace yp::classfile {
namespace {

class ContextFrameWriter final : public StackMapVisitor {
 public:
  ContextFrameWriter(const ClassFile& file, const Method& method, const BciMap& map,
                     size_t max_bytes, ClassConstants& constants, std::vector<uint8_t>& out)
      : pool_(file.pool()),
        new_local_(method.code->max_locals),
        map_(map),
        constants_(constants),
        out_(out),
        end_limit_(out.size() + max_bytes) {
    if (!locals_.SetToArguments(file, method)) Fail(ProbeOutcome::kMalformedCode);
    arguments_ = locals_.entries();
  }

  bool Frame(uint8_t type, uint32_t bci) override {
    if (!WriteFrame()) return false;
    has_frame_ = true;
    bci_ = bci;
    stack_.clear();
    counts_ = 0;
    types_are_locals_ = type >= 252 && type <= 254;
    for (int chopped = 251 - type; type >= 248 && chopped > 0; --chopped) {
      if (!locals_.entries().empty()) NoteChange(locals_.entries().back());
      if (!locals_.Pop()) return Fail(ProbeOutcome::kMalformedCode);
    }
    return true;
  }

  void Count(uint16_t count) override {
    if (++counts_ == 1) {
      last_ = locals_.entries();
      last_.resize(locals_.size_without_tops());
      locals_.Clear();
      types_are_locals_ = count != 0;
      locals_left_ = count;
    }
    if (locals_left_ == 0) EndLocals();
  }

  bool Type(VerificationType type) override {
    if (!types_are_locals_) {
      stack_.push_back(type);
      return true;
    }
    locals_.Push({type});
    if (counts_ == 0) {
      NoteChange(locals_.entries().back());
    } else if (--locals_left_ == 0) {
      EndLocals();
    }
    return locals_.slots() <= new_local_ || Fail(ProbeOutcome::kMalformedCode);
  }

  // After the last frame.
  ProbeOutcome Finish() {
    WriteFrame();
    return outcome_;
  }

 private:
  bool Fail(ProbeOutcome outcome) {
    outcome_ = outcome;
    return false;
  }

  // Beyond the last local all is Top, so another Top there, or one less, changes nothing.
  void NoteChange(const FrameLocal& local) { changed_ |= local.type.tag != VerificationType::kTop; }

  // Of a full frame.
  void EndLocals() {
    types_are_locals_ = false;
    if (counts_ != 1) return;
    const auto is_same = [this](const FrameLocal& a, const FrameLocal& b) {
      return IsSameType(pool_, a, b);
    };
    const auto begin = locals_.entries().begin();
    changed_ |=
        !std::equal(last_.begin(), last_.end(), begin,
                    begin + static_cast<std::ptrdiff_t>(locals_.size_without_tops()), is_same);
  }

  bool WriteFrame() {
    if (outcome_ != ProbeOutcome::kProbed || !has_frame_) return outcome_ == ProbeOutcome::kProbed;
    if (locals_.slots() > new_local_) return Fail(ProbeOutcome::kMalformedCode);
    const uint32_t tops = new_local_ - locals_.slots();
    const size_t types = locals_.entries().size() + tops + 1 + stack_.size();
    constexpr size_t kOtherBytes = 7;  // Its type, delta and counts.
    if (out_.size() + kOtherBytes + 3 * types > end_limit_)
      return Fail(ProbeOutcome::kFramesTooLarge);
    const uint32_t new_bci = map_.Target(bci_);
    const uint32_t delta = new_bci - next_base_;
    next_base_ = new_bci + 1;
    const bool is_first = !std::exchange(has_written_, true);
    const bool changed = std::exchange(changed_, false) || is_first;
    if (!changed && stack_.size() <= 1) {
      WriteSame(delta);
      return true;
    }
    const size_t appended = types - arguments_.size();
    if (is_first && stack_.empty() && StartsWithArguments() && appended <= 3) {
      AppendU1(out_, static_cast<uint32_t>(251 + appended));
      AppendU2(out_, delta);
      return WriteLocals(arguments_.size(), tops);
    }
    AppendU1(out_, 255);
    AppendU2(out_, delta);
    AppendU2(out_, static_cast<uint32_t>(types - stack_.size()));
    if (!WriteLocals(0, tops)) return false;
    AppendU2(out_, static_cast<uint32_t>(stack_.size()));
    WriteStack();
    return true;
  }

  bool StartsWithArguments() const {
    const std::vector<FrameLocal>& now = locals_.entries();
    return now.size() >= arguments_.size() &&
           std::equal(arguments_.begin(), arguments_.end(), now.begin(),
                      [this](const FrameLocal& a, const FrameLocal& b) {
                        return IsSameType(pool_, a, b);
                      });
  }

  void WriteSame(uint32_t delta) {
    if (delta < 64) {
      AppendU1(out_, (stack_.empty() ? 0 : 64) + delta);
    } else {
      AppendU1(out_, stack_.empty() ? 251 : 247);
      AppendU2(out_, delta);
    }
    WriteStack();
  }

  // From the local `first` on.
  bool WriteLocals(size_t first, uint32_t tops) {
    for (size_t i = first; i < locals_.entries().size(); ++i) {
      FrameLocal& local = locals_.entries()[i];
      if (!local.class_name.empty()) {
        local.type.operand = constants_.IndexOf(local.class_name);
        if (local.type.operand == 0) return Fail(ProbeOutcome::kPoolFull);
        local.class_name = {};
      }
      WriteType(local.type);
    }
    out_.insert(out_.end(), tops, VerificationType::kTop);
    AppendU1(out_, VerificationType::kInteger);
    return true;
  }

  void WriteStack() {
    for (const VerificationType type : stack_) WriteType(type);
  }

  void WriteType(VerificationType type) {
    AppendU1(out_, type.tag);
    if (type.tag == VerificationType::kUninitialized) {
      AppendU2(out_, map_.Moved(type.operand));
    } else if (type.has_operand()) {
      AppendU2(out_, type.operand);
    }
  }

  const ConstantPool& pool_;
  const uint32_t new_local_;
  const BciMap& map_;
  ClassConstants& constants_;
  std::vector<uint8_t>& out_;
  const size_t end_limit_;
  ProbeOutcome outcome_ = ProbeOutcome::kProbed;

  // The frame that is being read; it is written when the next one begins.
  bool has_frame_ = false;
  uint32_t bci_ = 0;
  FrameLocals locals_;
  std::vector<VerificationType> stack_;
  bool changed_ = false;  // Against the locals of the frame before.
  bool types_are_locals_ = false;
  int counts_ = 0;                // That a full frame has had.
  uint32_t locals_left_ = 0;      // That a full frame still has.
  std::vector<FrameLocal> last_;  // What a full frame replaced.

  std::vector<FrameLocal> arguments_;
  bool has_written_ = false;
  uint32_t next_base_ = 0;
};

}  // namespace

ProbeOutcome AppendContextFrames(const ClassFile& file, const Method& method, Bytes info,
                                 const BciMap& map, size_t max_bytes, ClassConstants& constants,
                                 std::vector<uint8_t>& out) {
  AppendBytes(out, info.first(2));
  ContextFrameWriter writer(file, method, map, max_bytes, constants, out);
  VisitStackMap(info, writer);
  return writer.Finish();
}

}  // namespace yp::classfile
