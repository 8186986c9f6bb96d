#include "hotspot/vmstructs/method_data_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "hotspot/vmstructs/load.h"
#include "hotspot/vmstructs/uncounted_calls.h"

namespace yp::hotspot {
namespace {

// The counters are not in the tables, but lie before a field that is: two counters, what they were
// when profiling began, and that field (methodData.hpp, JDK 11 to 25).
constexpr int64_t kInvocationsBeforeTraps = 16, kBackedgesBeforeTraps = 12;
// No code of 64 KB has a profile that is larger.
constexpr int32_t kMaxRecordBytes = 8 << 20;
// Methods that are read together: their pieces are read by a few system calls.
constexpr size_t kProfilesAtOnce = 256;
constexpr size_t kCandidates = 2;  // For ProfileLayout::cells_before_rows.

using Piece = GuardedMemory::Piece;

}  // namespace

Result<MethodDataReader> MethodDataReader::Create(const VmStructs& structs, GuardedBlocks& memory) {
  MethodDataReader reader(memory);
  FieldFinder find(structs);
  reader.const_method_ = find.Offset("Method", "_constMethod");
  reader.method_data_ = find.Offset("Method", "_method_data");
  reader.counters_ = find.Offset("Method", "_method_counters");
  reader.method_words_ =
      static_cast<size_t>(std::max({reader.const_method_, reader.method_data_, reader.counters_})) /
          8 +
      1;
  reader.interpreted_ = find.Offset("MethodCounters", "_invocation_counter") +
                        find.Offset("InvocationCounter", "_counter");
  reader.code_size_ = find.Offset("ConstMethod", "_code_size");
  reader.owner_ = find.Offset("MethodData", "_method");
  reader.size_ = find.Offset("MethodData", "_size");
  reader.records_size_ = find.Offset("MethodData", "_data_size");
  const int64_t records = find.Offset("MethodData", "_data[0]");
  reader.fixed_bytes_ = static_cast<size_t>(records);
  const int64_t traps = find.Offset("MethodData", "_tenure_traps");
  reader.invocations_ = traps - kInvocationsBeforeTraps;
  reader.backedges_ = traps - kBackedgesBeforeTraps;
  reader.count_shift_ = find.Constant("InvocationCounter::count_shift");
  if (Status found = find.status(); !found) return found;
  Result<ProfileLayout> layout = ProfileLayout::Create(structs);
  if (!layout) return layout.status();
  reader.layout_ = *layout;
  if (records % 8 != 0 || traps < kInvocationsBeforeTraps ||
      std::max({reader.owner_ + 4, reader.size_, reader.records_size_, traps}) + 4 > records ||
      reader.count_shift_ < 0 || reader.count_shift_ > 31) {
    return Status::Error("this JVM's method profiles have a layout that is not known here");
  }
  return reader;
}

int64_t MethodDataReader::CountAt(const void* data, int64_t offset) const {
  return Load<uint32_t>(data, offset) >> count_shift_;
}

size_t MethodDataReader::BytesOf(const void* fixed, const void* method) const {
  const auto all = Load<int32_t>(fixed, size_);
  const auto records = Load<int32_t>(fixed, records_size_);
  if (Load<const void*>(fixed, owner_) != method || records < 0 || records > kMaxRecordBytes ||
      records % 8 != 0) {
    return 0;
  }
  const size_t bytes = fixed_bytes_ + static_cast<size_t>(records);
  return std::cmp_less_equal(bytes, all) ? bytes : 0;
}

std::vector<MethodDataReader::Found> MethodDataReader::FindData(
    std::span<const void* const> methods) const {
  std::vector<uint64_t> words(methods.size() * method_words_);
  std::vector<Piece> pieces;
  for (size_t i = 0; i < methods.size(); ++i) {
    pieces.push_back(
        {.from = methods[i], .to = &words[i * method_words_], .bytes = method_words_ * 8});
  }
  memory_->ReadEach(pieces);
  std::vector<Found> found;
  for (size_t i = 0; i < methods.size(); ++i) {
    if (!pieces[i].is_read) continue;
    const void* data = Load<const void*>(pieces[i].to, method_data_);
    if (data == nullptr) continue;
    found.push_back({.method = methods[i],
                     .index = i,
                     .const_method = Load<const void*>(pieces[i].to, const_method_),
                     .data = data,
                     .counters = Load<const void*>(pieces[i].to, counters_)});
  }
  return found;
}

void MethodDataReader::Measure(std::vector<Found>& found) const {
  std::vector<uint64_t> words(found.size() * fixed_bytes_ / 8);
  std::vector<Piece> pieces;
  for (size_t i = 0; i < found.size(); ++i) {
    pieces.push_back(
        {.from = found[i].data, .to = &words[i * fixed_bytes_ / 8], .bytes = fixed_bytes_});
    pieces.push_back({.from = GuardedMemory::At(found[i].const_method, code_size_),
                      .to = &found[i].code_size,
                      .bytes = sizeof(found[i].code_size)});
  }
  for (Found& one : found) {
    if (one.counters == nullptr) continue;
    pieces.push_back({.from = GuardedMemory::At(one.counters, interpreted_),
                      .to = &one.interpreted,
                      .bytes = sizeof(one.interpreted)});
  }
  memory_->ReadEach(pieces);
  for (size_t i = 0; i < found.size(); ++i) {
    if (!pieces[2 * i].is_read || !pieces[2 * i + 1].is_read) continue;
    found[i].bytes = BytesOf(pieces[2 * i].to, found[i].method);
  }
  std::erase_if(found, [](const Found& one) { return one.bytes == 0; });
}

// Reads the fixed parts again: what was seen of them may be no longer so.
void MethodDataReader::CopyData(std::span<const Found> found, const RawVisitor& visit) const {
  size_t bytes = 0;
  for (const Found& one : found) bytes += one.bytes;
  std::vector<uint64_t> words(bytes / 8);
  std::vector<Piece> pieces;
  uint64_t* to = words.data();
  for (const Found& one : found) {
    pieces.push_back({.from = one.data, .to = to, .bytes = one.bytes});
    to += one.bytes / 8;
  }
  memory_->ReadEach(pieces);
  for (size_t i = 0; i < found.size(); ++i) {
    const auto* fixed = static_cast<const uint64_t*>(pieces[i].to);
    if (!pieces[i].is_read || BytesOf(fixed, found[i].method) != found[i].bytes) continue;
    visit(found[i].index, {.const_method = found[i].const_method,
                           .code_size = found[i].code_size,
                           .invocations = CountAt(fixed, invocations_),
                           .backedges = CountAt(fixed, backedges_),
                           .interpreted = found[i].interpreted >> count_shift_,
                           .records = {fixed + fixed_bytes_ / 8, fixed + found[i].bytes / 8}});
  }
}

void MethodDataReader::VisitRaw(std::span<const void* const> methods,
                                const RawVisitor& visit) const {
  for (size_t first = 0; first < methods.size(); first += kProfilesAtOnce) {
    std::vector<Found> found =
        FindData(methods.subspan(first, std::min(kProfilesAtOnce, methods.size() - first)));
    Measure(found);
    CopyData(found, [&](size_t index, const Raw& raw) { visit(first + index, raw); });
  }
}

std::optional<size_t> MethodDataReader::UsualCells(int jdk_feature_version) {
  if (jdk_feature_version <= 17) return 1;
  return jdk_feature_version >= 21 ? std::optional<size_t>(0) : std::nullopt;
}

Status MethodDataReader::ChooseLayout(std::span<const void* const> methods,
                                      std::optional<size_t> usual) {
  std::array<ProfileLayout, kCandidates> layouts;
  for (size_t i = 0; i < kCandidates; ++i) {
    layouts[i] = layout_;
    layouts[i].cells_before_rows = i;
  }
  size_t profiles = 0;
  std::array<size_t, kCandidates> fit{}, fit_alone{};
  MethodProfile profile;
  VisitRaw(methods, [&](size_t, const Raw& raw) {
    ++profiles;
    std::array<bool, kCandidates> fits;
    for (size_t i = 0; i < kCandidates; ++i) {
      fits[i] = ReadRecords(raw.records, layouts[i], raw.code_size, profile);
    }
    const auto count = std::ranges::count(fits, true);
    for (size_t i = 0; i < kCandidates; ++i) {
      fit[i] += fits[i] ? 1 : 0;
      fit_alone[i] += fits[i] && count == 1 ? 1 : 0;
    }
  });
  const auto best = static_cast<size_t>(std::ranges::max_element(fit_alone) - fit_alone.begin());
  if (fit[best] != profiles) {
    return Status::Error("this JVM's method profiles fit no layout that is known here: at best " +
                         std::to_string(fit[best]) + " of " + std::to_string(profiles));
  }
  const size_t least = usual == best ? 1 : kMinVoters;
  if (fit_alone[best] < least) {
    return Status::Error("too few method profiles to tell their layout: " +
                         std::to_string(fit_alone[best]) + " of " + std::to_string(least));
  }
  layout_ = layouts[best];
  has_layout_ = true;
  return Status::Ok();
}

std::optional<MethodProfile> MethodDataReader::Read(const void* method) const {
  return std::move(ReadAll({&method, 1}).front());
}

std::vector<std::optional<MethodProfile>> MethodDataReader::ReadAll(
    std::span<const void* const> methods) const {
  std::vector<std::optional<MethodProfile>> profiles(methods.size());
  if (!has_layout_) return profiles;
  UncountedCalls uncounted(layout_);
  VisitRaw(methods, [&](size_t index, const Raw& raw) {
    MethodProfile profile;
    if (!ReadRecords(raw.records, layout_, raw.code_size, profile)) return;
    uncounted.Add(raw.records, profile);
    profile.const_method = raw.const_method;
    profile.invocations = raw.invocations;
    profile.backedges = raw.backedges;
    profile.interpreted = raw.interpreted;
    profiles[index] = std::move(profile);
  });
  return profiles;
}

}  // namespace yp::hotspot
