#include "compiler/install/site_writer.h"

namespace yp::compiler {

void SiteWriter::SetPlan(const FramePlan& plan) {
  numbers_[0] = plan.frame_bytes;
  numbers_[1] = plan.rescue_slot;
}

VirtualFrame SiteWriter::AddFrame(const VirtualFramePlan& plan, const FrameState* caller) {
  Begin(Site::kFrame, 0);
  Add(plan.method ? static_cast<int64_t>(*plan.method) : -1);
  Add(plan.locals);
  Add(plan.stack);
  Add(plan.locks);
  Add(caller != nullptr ? 1 : 0);
  if (caller != nullptr) AddState(*caller);
  return frames_++;
}

void SiteWriter::Begin(Site site, size_t at) {
  Add(static_cast<int32_t>(site));
  Add(static_cast<int64_t>(at));
}

void SiteWriter::AddMark(size_t at, Mark mark) {
  if (vm_.MarkOf(mark) < 0) return;
  Begin(Site::kMark, at);
  Add(vm_.MarkOf(mark));
}

void SiteWriter::AddCall(size_t at, size_t bytes, MethodNumber callee, const SiteState& state) {
  Begin(Site::kCall, at);
  Add(static_cast<uint32_t>(callee));
  Add(static_cast<int64_t>(bytes));
  AddState(state);
}

void SiteWriter::AddForeign(size_t at, size_t bytes, uint64_t address, int32_t known) {
  Begin(Site::kForeign, at);
  Add(static_cast<int64_t>(address & UINT32_MAX));
  Add(static_cast<int64_t>(address >> 32));
  Add(static_cast<int64_t>(bytes));
  Add(known);
}

void SiteWriter::AddForeign(size_t at, size_t bytes, uint64_t address, const FrameState* state) {
  AddForeign(at, bytes, address, state != nullptr ? 1 : 0);
  if (state != nullptr) AddState(*state);
}

void SiteWriter::AddForeign(size_t at, size_t bytes, uint64_t address, const PlacedState& state) {
  AddForeign(at, bytes, address, 1);
  AddPlaced(state);
}

void SiteWriter::AddForeignFromStub(size_t at, size_t bytes, uint64_t address) {
  AddForeign(at, bytes, address, 2);
}

void SiteWriter::AddPoll(size_t at, const SiteState& state) {
  Begin(Site::kPoll, at);
  AddState(state);
}

void SiteWriter::AddConstant(size_t at, ConstantId constant) {
  Begin(Site::kConstant, at);
  Add(static_cast<uint32_t>(constant));
}

void SiteWriter::AddHandler(size_t call_end, size_t handler) {
  Begin(Site::kHandler, call_end);
  Add(static_cast<int64_t>(handler));
}

void SiteWriter::AddState(const SiteState& state) {
  if (state.plain() != nullptr) return AddPlain(*state.plain());
  AddPlaced(*state.placed());
}

void SiteWriter::AddPlaced(const PlacedState& state) {
  Add(-1);
  Add(static_cast<int64_t>(state.frames.size()));
  for (const PlacedFrame& frame : state.frames) {
    Add(frame.method ? static_cast<int64_t>(*frame.method) : -1);
    Add(frame.bci);
    Add((frame.during_call ? 1 : 0) | (frame.rethrow ? 2 : 0));
    Add(static_cast<int64_t>(frame.locals.size()));
    Add(static_cast<int64_t>(frame.stack.size()));
    Add(static_cast<int64_t>(frame.locks.size()));
    for (const std::vector<PlacedValue>* values : {&frame.locals, &frame.stack}) {
      for (const PlacedValue& value : *values) AddValue(value);
    }
    for (const int32_t lock : frame.locks) Add(lock);
  }
  Add(static_cast<int64_t>(state.references.size()));
  for (const PlacedValue& reference : state.references) AddValue(reference);
}

void SiteWriter::AddValue(const PlacedValue& value) {
  Add(static_cast<int32_t>(value.kind) | static_cast<int32_t>(value.place) << 4 |
      value.number << 8);
  if (value.place != PlacedValue::Place::kConstant) return;
  Add(value.bits & UINT32_MAX);
  Add(value.bits >> 32);
}

void SiteWriter::AddPlain(const FrameState& state) {
  Add(state.virtual_frame);
  Add(state.bci);
  Add((state.during_call ? 1 : 0) | (state.rethrow ? 2 : 0));
  Add(static_cast<int64_t>(state.frame.locals.size()));
  Add(static_cast<int64_t>(state.frame.stack.size()));
  Add(state.frame.locks);
  uint32_t packed = 0;
  uint32_t count = 0;
  for (const std::vector<Kind>* kinds : {&state.frame.locals, &state.frame.stack}) {
    for (const Kind kind : *kinds) {
      packed |= static_cast<uint32_t>(kind) << 4 * (count % 8);
      if (++count % 8 == 0) Add(std::exchange(packed, 0));
    }
  }
  if (count % 8 != 0) Add(packed);
}

}  // namespace yp::compiler
