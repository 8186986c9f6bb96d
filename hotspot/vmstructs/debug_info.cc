#include "hotspot/vmstructs/debug_info.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "hotspot/arch/arch.h"
#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

const char* At(const void* base, int64_t offset) { return static_cast<const char*>(base) + offset; }

}  // namespace

Result<DebugInfo> DebugInfo::Create(const VmStructs& structs, int jdk_feature_version) {
  DebugInfo info{Unsigned5(jdk_feature_version)};
  FieldFinder find(structs);
  info.is_one_piece_ = structs.Find("nmethod", "_immutable_data") == nullptr;
  if (info.is_one_piece_) {
    info.method_ = find.Offset("CompiledMethod", "_method");
    info.scopes_data_begin_ = find.Offset("CompiledMethod", "_scopes_data_begin");
    info.code_begin_ = find.Offset("CodeBlob", "_code_begin");
    info.metadata_offset_ = find.Offset("nmethod", "_metadata_offset");
    info.dependencies_offset_ = find.Offset("nmethod", "_dependencies_offset");
  } else {
    info.method_ = find.Offset("nmethod", "_method");
    info.code_begin_ = find.Offset("CodeBlob", "_code_offset");
    info.mutable_data_ = find.Offset("CodeBlob", "_mutable_data");
    info.mutable_data_size_ = find.Offset("CodeBlob", "_mutable_data_size");
    info.relocation_size_ = find.Offset("CodeBlob", "_relocation_size");
    info.immutable_data_ = find.Offset("nmethod", "_immutable_data");
    info.immutable_data_size_ = find.Offset("nmethod", "_immutable_data_size");
    info.scopes_data_offset_ = find.Offset("nmethod", "_scopes_data_offset");
  }
  info.scopes_pcs_offset_ = find.Offset("nmethod", "_scopes_pcs_offset");
  info.pc_desc_size_ = find.Size("PcDesc");
  info.pc_offset_ = find.Offset("PcDesc", "_pc_offset");
  info.scope_decode_offset_ = find.Offset("PcDesc", "_scope_decode_offset");
  info.flags_ = find.Offset("PcDesc", "_flags");
  info.const_method_ = find.Offset("Method", "_constMethod");
  info.code_size_ = find.Offset("ConstMethod", "_code_size");
  if (Status found = find.status(); !found) return found;
  return info;
}

std::optional<DebugInfo::Tables> DebugInfo::TablesOf(const char* nmethod) const {
  Tables tables{};
  tables.method = Load<const void*>(nmethod, method_);
  const char* pcs_end = nullptr;
  const char* data = nullptr;
  const char* data_end = nullptr;
  const char* metadata = nullptr;
  const char* metadata_end = nullptr;
  if (is_one_piece_) {
    tables.code_begin = Load<const char*>(nmethod, code_begin_);
    data = Load<const char*>(nmethod, scopes_data_begin_);
    tables.pcs = At(nmethod, Load<int32_t>(nmethod, scopes_pcs_offset_));
    metadata = At(nmethod, Load<int32_t>(nmethod, metadata_offset_));
    pcs_end = At(nmethod, Load<int32_t>(nmethod, dependencies_offset_));
    data_end = tables.pcs;
    metadata_end = data;
  } else {
    const char* fixed = Load<const char*>(nmethod, immutable_data_);
    const char* changing = Load<const char*>(nmethod, mutable_data_);
    if (fixed == nullptr || changing == nullptr) return std::nullopt;
    tables.code_begin = At(nmethod, Load<int32_t>(nmethod, code_begin_));
    tables.pcs = At(fixed, Load<int32_t>(nmethod, scopes_pcs_offset_));
    pcs_end = At(fixed, Load<int32_t>(nmethod, scopes_data_offset_));
    data = pcs_end;
    data_end = At(fixed, Load<int32_t>(nmethod, immutable_data_size_));
    metadata = At(changing, Load<int32_t>(nmethod, relocation_size_));
    metadata_end = At(changing, Load<int32_t>(nmethod, mutable_data_size_));
  }
  if (tables.method == nullptr || pcs_end < tables.pcs || data_end < data ||
      metadata_end < metadata) {
    return std::nullopt;
  }
  tables.pc_count = static_cast<size_t>((pcs_end - tables.pcs) / pc_desc_size_);
  tables.data = {reinterpret_cast<const uint8_t*>(data), static_cast<size_t>(data_end - data)};
  tables.metadata = {reinterpret_cast<const void* const*>(metadata),
                     static_cast<size_t>(metadata_end - metadata) / sizeof(void*)};
  return tables;
}

// Sorted by offset; the first and the last are sentinels.
const char* DebugInfo::FindPcDesc(const Tables& tables, int32_t pc_offset) const {
  size_t low = 0, high = tables.pc_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const char* desc = tables.pcs + middle * static_cast<size_t>(pc_desc_size_);
    const auto offset = Load<int32_t>(desc, pc_offset_);
    if (offset == pc_offset) return desc;
    if (offset < pc_offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return nullptr;
}

size_t DebugInfo::ScopesAt(const char* nmethod, uintptr_t pc, std::span<Scope> scopes) const {
  const std::optional<Tables> tables = TablesOf(nmethod);
  if (!tables) return 0;
  const auto pc_offset = static_cast<int32_t>(pc - reinterpret_cast<uintptr_t>(tables->code_begin));
  const char* desc = FindPcDesc(*tables, pc_offset);
  if (desc == nullptr) return 0;
  auto offset = static_cast<uint32_t>(Load<int32_t>(desc, scope_decode_offset_));
  size_t count = 0;
  while (offset != 0) {
    if (count == scopes.size()) return 0;
    const std::optional<RawScope> raw = ScopeAt(*tables, offset);
    if (!raw) return 0;
    scopes[count++] = raw->scope;
    offset = raw->sender;
  }
  return count > 0 && scopes[count - 1].method == tables->method ? count : 0;
}

std::optional<DebugInfo::RawScope> DebugInfo::ScopeAt(const Tables& tables, uint32_t offset) const {
  size_t at = offset;
  const std::optional<uint32_t> sender = numbers_.Read(tables.data, at);
  const std::optional<uint32_t> method = numbers_.Read(tables.data, at);
  const std::optional<uint32_t> bci = numbers_.Read(tables.data, at);
  if (!sender || !method || !bci || *method == 0 || *method > tables.metadata.size()) {
    return std::nullopt;
  }
  const RawScope raw{*sender, {tables.metadata[*method - 1], static_cast<int32_t>(*bci) - 1}};
  if (!IsBciOf(raw.scope)) return std::nullopt;
  return raw;
}

// Scopes share their senders, so that each is read once.
class DebugInfo::TreeBuilder {
 public:
  TreeBuilder(const DebugInfo& info, const Tables& tables)
      : info_(info), tables_(tables), positions_(tables.pc_count / 2) {
    AddNode({0, -1, tables.method});
  }

  // False when it makes no sense.
  bool Add(uint32_t offset, bool is_call) {
    // Of neighbours, many are of one instruction.
    if (offset != last_offset_) {
      const std::optional<Position> position = Find(offset);
      if (!position) return false;
      last_offset_ = offset;
      last_ = *position;
    }
    if (is_call) tree_.calls.push_back(last_);
    return true;
  }
  InlineTree Finish() {
    std::vector<Position>& calls = tree_.calls;
    std::sort(calls.begin(), calls.end());
    calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
    return std::move(tree_);
  }

 private:
  // The positions of the scopes at offsets: a hash table with linear probing, at most half full.
  class Positions {
   public:
    explicit Positions(size_t expected)
        : slots_(std::bit_ceil(std::clamp(expected, kFewest, kMost) * 2)) {}
    // Null when it is not there.
    const Position* Find(uint32_t offset) const {
      const Slot& slot = slots_[PlaceOf(offset)];
      return slot.offset == offset ? &slot.position : nullptr;
    }
    // It is not there.
    void Put(uint32_t offset, const Position& position) {
      if (2 * ++used_ > slots_.size()) Grow();
      slots_[PlaceOf(offset)] = {offset, position};
    }

   private:
    static constexpr size_t kFewest = 16, kMost = 1 << 20;
    struct Slot {
      uint32_t offset = 0;  // 0 is no scope's.
      Position position;
    };
    // Where it is, or would be.
    size_t PlaceOf(uint32_t offset) const {
      const size_t mask = slots_.size() - 1;
      size_t i = (offset * size_t{0x9e3779b97f4a7c15u} >> 32) & mask;
      while (slots_[i].offset != 0 && slots_[i].offset != offset) i = (i + 1) & mask;
      return i;
    }
    void Grow() {
      std::vector<Slot> old(2 * slots_.size());
      old.swap(slots_);
      for (const Slot& slot : old) {
        if (slot.offset != 0) slots_[PlaceOf(slot.offset)] = slot;
      }
    }

    std::vector<Slot> slots_;
    size_t used_ = 0;
  };

  std::optional<Position> Find(uint32_t offset) {
    if (const Position* known = positions_.Find(offset)) return *known;
    const std::optional<RawScope> raw = info_.ScopeAt(tables_, offset);
    // A sender is written before whom it calls.
    if (!raw || raw->sender >= offset) return std::nullopt;
    Position position{0, raw->scope.bci};
    if (raw->sender == 0) {
      if (raw->scope.method != tables_.method) return std::nullopt;
    } else {
      const std::optional<Position> caller = Find(raw->sender);
      if (!caller) return std::nullopt;
      position.node = NodeOf({caller->node, caller->bci, raw->scope.method});
    }
    positions_.Put(offset, position);
    return position;
  }
  uint32_t NodeOf(const InlinedMethod& node) {
    for (uint32_t child = first_child_[node.parent]; child != 0; child = next_sibling_[child]) {
      const InlinedMethod& known = tree_.nodes[child];
      if (known.bci == node.bci && known.method == node.method) return child;
    }
    const uint32_t index = AddNode(node);
    next_sibling_[index] = std::exchange(first_child_[node.parent], index);
    return index;
  }
  uint32_t AddNode(const InlinedMethod& node) {
    tree_.nodes.push_back(node);
    first_child_.push_back(0);
    next_sibling_.push_back(0);
    return static_cast<uint32_t>(tree_.nodes.size() - 1);
  }

  const DebugInfo& info_;
  const Tables& tables_;
  InlineTree tree_;
  Positions positions_;
  uint32_t last_offset_ = 0;
  Position last_;
  std::vector<uint32_t> first_child_, next_sibling_;  // By node; 0: none.
};

DebugInfo::InlineTree DebugInfo::TreeOf(const char* nmethod, const IsTrap& is_trap) const {
  const std::optional<Tables> tables = TablesOf(nmethod);
  if (!tables) return {};
  TreeBuilder builder(*this, *tables);
  for (size_t i = 0; i < tables->pc_count; ++i) {
    const char* desc = tables->pcs + i * static_cast<size_t>(pc_desc_size_);
    const auto offset = static_cast<uint32_t>(Load<int32_t>(desc, scope_decode_offset_));
    if (offset != 0 && !builder.Add(offset, IsCall(*tables, desc, is_trap))) return {};
  }
  return builder.Finish();
}

// The VM executes a bytecode again after most traps, but only those that it would not execute again
// after a call are marked so: an invocation whose receiver is null, or of another class than the
// compilation was made for, is not.
bool DebugInfo::IsCall(const Tables& tables, const char* pc_desc, const IsTrap& is_trap) const {
  constexpr int32_t kReexecute = 1;  // PcDesc::PCDESC_reexecute.
  const auto pc_offset = Load<int32_t>(pc_desc, pc_offset_);
  if (pc_offset < kCallBytes || (Load<int32_t>(pc_desc, flags_) & kReexecute) != 0) return false;
  const std::optional<uintptr_t> target = CallTarget(
      reinterpret_cast<uintptr_t>(tables.code_begin) + static_cast<uintptr_t>(pc_offset));
  return target && !is_trap(*target);
}

bool DebugInfo::IsBciOf(const Scope& scope) const {
  if (scope.method == nullptr) return false;
  const void* code = Load<const void*>(scope.method, const_method_);
  return code != nullptr && scope.bci >= -1 && scope.bci < Load<uint16_t>(code, code_size_);
}

}  // namespace yp::hotspot
