#include "hotspot/vmstructs/uncounted_calls.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace yp::hotspot {
namespace {

using Record = ProfileLayout::Record;

// JumpData, and BranchData, which goes on where that ends.
constexpr size_t kTaken = 0, kDisplacement = 1, kNotTaken = 2;

// Of cells that may be anything.
int64_t Sum(int64_t a, int64_t b) {
  constexpr int64_t kMost = int64_t{1} << 50;
  return std::min(a + b, kMost);
}

bool IsBranch(Record kind) {
  return kind == Record::kJump || kind == Record::kBranch || kind == Record::kMultiBranch;
}

// Of a branch, how often it came there.
int64_t ArrivedAt(const ProfileRecord& record) {
  if (record.kind == Record::kBranch) {
    return CountIn(record.cells[kTaken]) + CountIn(record.cells[kNotTaken]);
  }
  if (record.kind == Record::kJump) return CountIn(record.cells[kTaken]);
  int64_t arrived = 0;  // Of a switch: an array of counts and displacements.
  for (size_t i = 1; i + 1 < record.cells.size(); i += 2) {
    arrived = Sum(arrived, CountIn(record.cells[i]));
  }
  return arrived;
}

// But for what was under way while they were read, and what threads lost as they count without a
// lock.
bool AreSame(int64_t a, int64_t b) {
  constexpr int64_t kUnderWay = 2, kPart = 1000;
  return std::abs(a - b) <= kUnderWay + std::max(a, b) / kPart;
}

void Raise(int64_t calls, MethodProfile::CallSite& site, MethodProfile& profile) {
  const auto receivers =
      std::span(profile.receivers).subspan(site.first_receiver, site.receiver_count);
  // A receiver may be there before its first call is counted.
  const double times =
      site.calls > 0 ? static_cast<double>(calls) / static_cast<double>(site.calls) : 0;
  for (MethodProfile::Receiver& receiver : receivers) {
    receiver.calls = static_cast<int64_t>(static_cast<double>(receiver.calls) * times);
  }
  site.calls = calls;
}

}  // namespace

bool UncountedCalls::ReadSteps(std::span<const uint64_t> words) {
  steps_.clear();
  const size_t size = words.size();
  bool has_branch = false;
  while (!words.empty()) {
    const size_t position = size - words.size();
    const std::optional<ProfileRecord> record = NextRecord(words, layout_);
    if (!record) return false;
    has_branch = has_branch || IsBranch(record->kind);
    steps_.push_back({.record = *record, .position = position});
  }
  return has_branch;
}

// A displacement is in bytes, to the first record at the target or behind it.
void UncountedCalls::Join(const Step& from, uint64_t displacement, int64_t count) {
  const int64_t target =
      static_cast<int64_t>(from.position) + static_cast<int64_t>(displacement) / 8;
  const auto found = std::ranges::lower_bound(
      steps_, target, {}, [](const Step& step) { return static_cast<int64_t>(step.position); });
  if (found != steps_.end()) found->joining = Sum(found->joining, count);
}

void UncountedCalls::JoinAll() {
  for (const Step& step : steps_) {
    const std::span<const uint64_t> cells = step.record.cells;
    if (step.record.kind == Record::kJump || step.record.kind == Record::kBranch) {
      Join(step, cells[kDisplacement], CountIn(cells[kTaken]));
    } else if (step.record.kind == Record::kMultiBranch) {
      for (size_t i = 1; i + 1 < cells.size(); i += 2) {
        Join(step, cells[i + 1], CountIn(cells[i]));
      }
    }
  }
}

void UncountedCalls::Add(std::span<const uint64_t> words, MethodProfile& profile) {
  if (profile.sites.empty() || !ReadSteps(words)) return;
  JoinAll();
  constexpr int64_t kUnknown = -1;
  int64_t flow = kUnknown;  // From the step before.
  size_t site = 0, first_of_part = 0;
  flows_.assign(profile.sites.size(), 0);
  for (const Step& step : steps_) {
    if (flow != kUnknown) flow = Sum(flow, step.joining);
    if (step.record.IsCall()) {
      flows_[site++] = std::max<int64_t>(flow, 0);
      continue;
    }
    if (step.record.kind == Record::kRet) flow = kUnknown;
    if (!IsBranch(step.record.kind)) continue;
    const bool is_known = flow != kUnknown && AreSame(flow, ArrivedAt(step.record));
    for (size_t i = first_of_part; i < site; ++i) {
      MethodProfile::CallSite& of = profile.sites[i];
      const bool is_less = of.calls < flows_[i] && !AreSame(of.calls, flows_[i]);
      if (is_known && is_less) Raise(flows_[i], of, profile);
    }
    first_of_part = site;
    flow = step.record.kind == Record::kBranch ? CountIn(step.record.cells[kNotTaken]) : 0;
  }
}

}  // namespace yp::hotspot
