#ifndef YP_HOTSPOT_VMSTRUCTS_SCOPES_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_SCOPES_FOR_TEST_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"

namespace yp::hotspot {

// A compilation's debug information as a compiler of a JDK records it, to be put where that JDK
// keeps it.
class FakeScopes {
 public:
  struct PcDesc {
    int32_t pc_offset;
    int32_t scope_decode_offset;
    int32_t unused;
    int32_t flags;
  };

  static void AddTables(LayoutTables& tables) {
    tables.AddType("PcDesc", sizeof(PcDesc));
    tables.AddField("PcDesc", "_pc_offset", offsetof(PcDesc, pc_offset));
    tables.AddField("PcDesc", "_scope_decode_offset", offsetof(PcDesc, scope_decode_offset));
    tables.AddField("PcDesc", "_flags", offsetof(PcDesc, flags));
  }

  explicit FakeScopes(int jdk) : jdk_(jdk) {}

  // Its index, from 1.
  uint32_t AddMethod(const void* method) {
    metadata_.push_back(method);
    return static_cast<uint32_t>(metadata_.size());
  }
  // A scope; where it is, for the scopes that it calls. `sender` 0: none, it is the outermost.
  int32_t AddScope(int32_t sender, uint32_t metadata_index, int32_t bci) {
    const auto at = static_cast<int32_t>(data_.size());
    AddNumber(static_cast<uint32_t>(sender));
    AddNumber(metadata_index);
    AddNumber(static_cast<uint32_t>(bci + 1));
    return at;
  }
  // In ascending order.
  void AddPc(int32_t pc_offset, int32_t scope, int32_t flags = 0) {
    pcs_.push_back({pc_offset, scope, 0, flags});
  }
  void AddByte(uint8_t byte) { data_.push_back(byte); }
  // HotSpot's UNSIGNED5, as CompressedWriteStream and unsigned5.hpp have it.
  void AddNumber(uint32_t number) {
    const uint32_t excluded = jdk_ >= 20 ? 1 : 0;
    const uint32_t low = 192 - excluded;
    for (int i = 0; i < 4 && number >= low; ++i) {
      const uint32_t rest = number - low;
      AddByte(static_cast<uint8_t>(excluded + low + rest % 64));
      number = rest / 64;
    }
    AddByte(static_cast<uint8_t>(excluded + number));
  }

  size_t data_size() const { return data_.size(); }
  const std::vector<uint8_t>& data() const { return data_; }
  const std::vector<const void*>& metadata() const { return metadata_; }
  // Between two sentinels.
  std::vector<PcDesc> pcs() const {
    std::vector<PcDesc> pcs = pcs_;
    pcs.insert(pcs.begin(), {-1, 0, 0, 0});
    pcs.push_back({INT32_MAX, 0, 0, 0});
    return pcs;
  }

 private:
  const int jdk_;
  std::vector<const void*> metadata_;
  std::vector<PcDesc> pcs_;
  std::vector<uint8_t> data_ = {0xff};  // No scope lies at 0.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_SCOPES_FOR_TEST_H_
