#include "classfile/rewriter.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "classfile/context_call.h"
#include "classfile/instructions.h"

namespace yp::classfile {
namespace {

constexpr size_t kPoolCountOffset = 8;

}  // namespace

Rewriter::Rewriter(const ClassFile& file, RewriteOptions options)
    : file_(file),
      options_(std::move(options)),
      pool_(file.pool()),
      class_constants_(file.pool(), pool_),
      code_rewriter_(file, class_constants_, options_.huge_method_limit) {}

void Rewriter::AddEntryCall(uint32_t method, int32_t id) {
  requests_.push_back({method, 0, Kind::kEntry, id});
}

void Rewriter::AddArgumentCall(uint32_t method) {
  requests_.push_back({method, 0, Kind::kArgument, 0});
}

void Rewriter::AddSiteCall(uint32_t method, uint32_t bci, int32_t id) {
  requests_.push_back({method, bci, Kind::kSite, id});
}

bool Rewriter::AddReceiverCall(uint32_t method, uint32_t bci, std::string_view descriptor,
                               int32_t id) {
  const bool has_code = method < file_.methods().size() && file_.methods()[method].code;
  const uint16_t max_locals = has_code ? file_.methods()[method].code->max_locals : 0;
  if (!MakeReceiverCode(descriptor, max_locals, {}, 0)) return false;
  requests_.push_back({method, bci, Kind::kReceiver, id, descriptor});
  return true;
}

void Rewriter::AddContextCalls(uint32_t method, int32_t id, std::span<const ContextSite> sites) {
  requests_.push_back({method, 0, Kind::kEnterContext, id});
  for (const ContextSite& site : sites) {
    requests_.push_back({method, site.bci, Kind::kSiteContext, site.site});
  }
  if (method >= file_.methods().size() || !file_.methods()[method].code) return;
  const Bytes code = file_.methods()[method].code->bytecode;
  uint32_t bci = 0;
  for (std::optional<Instruction> at; (at = DecodeInstruction(code, bci)); bci += at->length) {
    if (IsReturn(at->opcode)) requests_.push_back({method, bci, Kind::kLeaveContext, 0});
  }
}

RewriteResult Rewriter::Finish() {
  std::stable_sort(requests_.begin(), requests_.end(), [](const Request& a, const Request& b) {
    return std::tuple(a.method, !IsAtEntry(a.kind), a.bci) <
           std::tuple(b.method, !IsAtEntry(b.kind), b.bci);
  });
  const Bytes original = file_.bytes();
  RewriteResult result;
  // Everything after the constants; those follow when all methods have added theirs.
  std::vector<uint8_t> rest;
  rest.reserve(original.size() + requests_.size() * 16);
  size_t copied = file_.pool_end_offset();
  const Request* const end = requests_.data() + requests_.size();
  for (const Request* first = requests_.data(); first != end;) {
    const Request* last =
        std::find_if(first, end, [&](const Request& r) { return r.method != first->method; });
    MethodOutcome outcome;
    outcome.method = first->method;
    const bool has_code =
        first->method < file_.methods().size() && file_.methods()[first->method].code;
    if (!has_code) {
      outcome.outcome = ProbeOutcome::kNoCode;
    } else {
      const Code& code = *file_.methods()[first->method].code;
      AppendBytes(rest, original.subspan(copied, code.begin_offset - copied));
      copied = code.begin_offset;
      const size_t size_before = rest.size();
      outcome.outcome = RewriteMethod(first, last, rest, outcome.map);
      if (outcome.outcome == ProbeOutcome::kProbed) {
        copied = code.end_offset;
        ++result.probed;
      } else {
        rest.resize(size_before);
        outcome.map.clear();
      }
    }
    result.methods.push_back(std::move(outcome));
    first = last;
  }
  AppendBytes(rest, original.subspan(copied));

  const Bytes head = original.first(file_.pool_end_offset());
  result.bytes.reserve(head.size() + pool_.bytes().size() + rest.size());
  AppendBytes(result.bytes, head);
  StoreU2(&result.bytes[kPoolCountOffset], pool_.count());
  AppendBytes(result.bytes, pool_.bytes());
  AppendBytes(result.bytes, rest);
  return result;
}

ProbeOutcome Rewriter::RewriteMethod(const Request* begin, const Request* end,
                                     std::vector<uint8_t>& out, BciMap& map) {
  const PoolExtension::Mark mark = pool_.mark();
  ProbeOutcome outcome = MakeInsertions(begin, end);
  if (outcome == ProbeOutcome::kProbed) {
    outcome = code_rewriter_.Rewrite(file_.methods()[begin->method], insertions_, out, map);
  }
  if (outcome != ProbeOutcome::kProbed) {
    UndoConstants(mark);
  }
  return outcome;
}

ProbeOutcome Rewriter::MakeInsertions(const Request* begin, const Request* end) {
  insertions_.all.clear();
  insertions_.has_context =
      std::any_of(begin, end, [](const Request& r) { return r.kind == Kind::kEnterContext; });
  const uint16_t max_locals = file_.methods()[begin->method].code->max_locals;
  if (insertions_.has_context && max_locals == 0xffff) return ProbeOutcome::kTooManyLocals;
  for (const Request* r = begin; r != end; ++r) {
    const std::optional<ProbeCode> code = MakeCode(*r, max_locals);
    if (!code) return ProbeOutcome::kTooManyLocals;
    insertions_.all.push_back({r->bci, PlaceOf(r->kind), *code});
  }
  return pool_.full() ? ProbeOutcome::kPoolFull : ProbeOutcome::kProbed;
}

std::optional<ProbeCode> Rewriter::MakeCode(const Request& request, uint16_t max_locals) {
  const uint16_t callee = Callee(request.kind);
  if (request.kind == Kind::kArgument) return MakeArgumentCode(callee);
  if (request.kind == Kind::kLeaveContext) return MakeLeaveContextCode(max_locals, callee);
  PushedId id{!FitsSipush(request.id), static_cast<uint16_t>(request.id)};
  if (id.in_pool) id.operand = pool_.AddInteger(request.id);
  if (request.kind == Kind::kEnterContext) return MakeEnterContextCode(id, max_locals, callee);
  if (request.kind == Kind::kSiteContext) return MakeSiteContextCode(id, max_locals, callee);
  if (request.kind != Kind::kReceiver) {
    return MakeProbeCode(request.kind == Kind::kEntry, id, callee);
  }
  // Behind the context's local.
  const uint16_t context_locals = insertions_.has_context ? 1 : 0;
  std::optional<ProbeCode> code = MakeReceiverCode(
      request.descriptor, static_cast<uint16_t>(max_locals + context_locals), id, callee);
  if (code) code->locals = static_cast<uint16_t>(code->locals + context_locals);
  return code;
}

Insertion::Place Rewriter::PlaceOf(Kind kind) {
  switch (kind) {
    case Kind::kEntry:
    case Kind::kArgument:
    case Kind::kEnterContext:
      return Insertion::Place::kEntry;
    case Kind::kLeaveContext:
      return Insertion::Place::kReturn;
    case Kind::kSite:
    case Kind::kReceiver:
    case Kind::kSiteContext:
      break;
  }
  return Insertion::Place::kInvoke;
}

const std::string& Rewriter::NameOf(Kind kind) const {
  switch (kind) {
    case Kind::kEntry:
      return options_.owner.entry_method;
    case Kind::kArgument:
      return options_.owner.argument_method;
    case Kind::kReceiver:
      return options_.owner.receiver_method;
    case Kind::kEnterContext:
      return options_.owner.enter_context_method;
    case Kind::kSiteContext:
      return options_.owner.site_context_method;
    case Kind::kLeaveContext:
      return options_.owner.leave_context_method;
    case Kind::kSite:
      break;
  }
  return options_.owner.site_method;
}

std::string_view Rewriter::DescriptorOf(Kind kind) {
  switch (kind) {
    case Kind::kArgument:
      return "(Ljava/lang/Object;)V";
    case Kind::kReceiver:
      return "(Ljava/lang/Object;I)V";
    case Kind::kEnterContext:
      return "(I)I";
    case Kind::kSiteContext:
      return "(II)V";
    case Kind::kEntry:
    case Kind::kSite:
    case Kind::kLeaveContext:
      break;
  }
  return "(I)V";
}

uint16_t Rewriter::Callee(Kind kind) {
  if (owner_class_ == 0) {
    owner_class_ = pool_.AddClass(options_.owner.class_name);
  }
  uint16_t& callee = callees_[static_cast<size_t>(kind)];
  if (callee == 0) {
    callee = pool_.AddMethodref(owner_class_, NameOf(kind), DescriptorOf(kind));
  }
  return callee;
}

void Rewriter::UndoConstants(PoolExtension::Mark mark) {
  pool_.Reset(mark);
  class_constants_.Reset(mark);
  if (owner_class_ >= mark.next_index) owner_class_ = 0;
  for (uint16_t& index : callees_) {
    if (index >= mark.next_index) index = 0;
  }
}

}  // namespace yp::classfile
