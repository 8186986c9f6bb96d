#include "hotspot/vmstructs/profile_records.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "hotspot/vmstructs/load.h"
#include "hotspot/vmstructs/vm_flags.h"

namespace yp::hotspot {
namespace {

using Record = ProfileLayout::Record;

// Above what the VM allows for TypeProfileWidth.
constexpr int32_t kMaxReceiverRows = 8;
// BciProfileWidth, which no build for use lets anyone change, rows of three cells.
constexpr size_t kRetCells = 1 + 2 * 3;

constexpr std::pair<const char*, Record> kTags[] = {
    {"DataLayout::bit_data_tag", Record::kBit},
    {"DataLayout::counter_data_tag", Record::kCounter},
    {"DataLayout::jump_data_tag", Record::kJump},
    {"DataLayout::receiver_type_data_tag", Record::kReceiverType},
    {"DataLayout::virtual_call_data_tag", Record::kVirtualCall},
    {"DataLayout::ret_data_tag", Record::kRet},
    {"DataLayout::branch_data_tag", Record::kBranch},
    {"DataLayout::multi_branch_data_tag", Record::kMultiBranch},
    {"DataLayout::call_type_data_tag", Record::kCallType},
    {"DataLayout::virtual_call_type_data_tag", Record::kVirtualCallType},
};

// The cells up to the one at `index`, and as many more as that one says; nothing when the record is
// cut off before.
std::optional<size_t> CountedCells(std::span<const uint64_t> cells, size_t index) {
  if (index >= cells.size() || cells[index] > cells.size()) return std::nullopt;
  return index + 1 + cells[index];
}

// How many of the cells are the record's; nothing when it is no record, or cut off.
std::optional<size_t> CellCount(Record record, const ProfileLayout& layout,
                                std::span<const uint64_t> cells) {
  const size_t receiver_cells = 1 + layout.cells_before_rows + 2 * layout.receiver_rows;
  switch (record) {
    case Record::kNone:
      return std::nullopt;
    case Record::kBit:
      return 0;
    case Record::kCounter:
      return 1;
    case Record::kJump:
      return 2;
    case Record::kReceiverType:
    case Record::kVirtualCall:
      return receiver_cells;
    case Record::kRet:
      return kRetCells;
    case Record::kBranch:
      return 3;
    case Record::kMultiBranch:
      return CountedCells(cells, 0);
    // What the count has, and then the types of arguments and of what is returned.
    case Record::kCallType:
      return CountedCells(cells, 1);
    case Record::kVirtualCallType:
      return CountedCells(cells, receiver_cells);
  }
  return std::nullopt;
}

// The rows of a virtual call. What its count has are the calls that found no room in a row.
void AddReceivers(const ProfileLayout& layout, std::span<const uint64_t> cells,
                  MethodProfile::CallSite& site, MethodProfile& profile) {
  site.is_virtual = true;
  site.first_receiver = static_cast<uint32_t>(profile.receivers.size());
  for (size_t row = 0; row < layout.receiver_rows; ++row) {
    const size_t at = 1 + layout.cells_before_rows + 2 * row;
    if (cells[at] == 0) continue;
    const int64_t calls = CountIn(cells[at + 1]);
    profile.receivers.push_back(
        {.klass = reinterpret_cast<const void*>(cells[at]), .calls = calls});
    site.calls += calls;
  }
  site.receiver_count = static_cast<uint32_t>(profile.receivers.size()) - site.first_receiver;
}

}  // namespace

Result<ProfileLayout> ProfileLayout::Create(const VmStructs& structs) {
  ProfileLayout layout;
  FieldFinder find(structs);
  layout.tag_offset = find.Offset("DataLayout", "_header._struct._tag");
  layout.bci_offset = find.Offset("DataLayout", "_header._struct._bci");
  const int64_t cells = find.Offset("DataLayout", "_cells[0]");
  const int64_t cell_size = find.Constant("DataLayout::cell_size");
  bool is_known = true;
  for (const auto& [name, record] : kTags) {
    const int64_t tag = find.Constant(name);
    is_known = is_known && tag >= 0 && tag < int64_t{kMaxTags};
    if (is_known) layout.record_of_tag[static_cast<size_t>(tag)] = record;
  }
  if (Status found = find.status(); !found) return found;
  const std::optional<int32_t> rows = ReadVmNumber(structs, "TypeProfileWidth");
  if (!rows) return Status::Error("this JVM does not tell its flag TypeProfileWidth");
  if (!is_known || cells != 8 || cell_size != 8 || layout.tag_offset >= 8 ||
      layout.bci_offset >= 7 || *rows < 0 || *rows > kMaxReceiverRows) {
    return Status::Error("this JVM's method profiles have a layout that is not known here");
  }
  layout.receiver_rows = static_cast<size_t>(*rows);
  return layout;
}

std::optional<ProfileRecord> NextRecord(std::span<const uint64_t>& words,
                                        const ProfileLayout& layout) {
  ProfileRecord record;
  const auto tag = Load<uint8_t>(words.data(), layout.tag_offset);
  if (tag >= ProfileLayout::kMaxTags) return std::nullopt;
  record.kind = layout.record_of_tag[tag];
  record.bci = Load<uint16_t>(words.data(), layout.bci_offset);
  const std::span<const uint64_t> rest = words.subspan(1);
  const std::optional<size_t> count = CellCount(record.kind, layout, rest);
  if (!count || *count > rest.size()) return std::nullopt;
  record.cells = rest.first(*count);
  words = rest.subspan(*count);
  return record;
}

int64_t CountIn(uint64_t cell) {
  constexpr int64_t kMaxCount = int64_t{1} << 48;
  return std::clamp<int64_t>(static_cast<int64_t>(cell), 0, kMaxCount);
}

bool ReadRecords(std::span<const uint64_t> words, const ProfileLayout& layout, int32_t code_size,
                 MethodProfile& profile) {
  profile.sites.clear();
  profile.receivers.clear();
  int32_t last_bci = -1;
  while (!words.empty()) {
    const std::optional<ProfileRecord> record = NextRecord(words, layout);
    if (!record || record->bci <= last_bci || record->bci >= code_size) return false;
    last_bci = record->bci;
    if (!record->IsCall()) continue;
    MethodProfile::CallSite site{.bci = record->bci, .calls = CountIn(record->cells[0])};
    if (record->IsVirtualCall()) AddReceivers(layout, record->cells, site, profile);
    profile.sites.push_back(site);
  }
  return true;
}

}  // namespace yp::hotspot
