#include "hotspot/vmstructs/line_table.h"

#include <optional>

namespace yp::hotspot {

std::vector<Method::Line> ReadLineTable(std::span<const uint8_t> table, size_t code_size,
                                        Unsigned5 numbers) {
  std::vector<Method::Line> lines;
  int64_t bci = 0, line = 0;
  for (size_t at = 0; at < table.size() && table[at] != 0;) {
    const uint8_t byte = table[at++];
    if (byte == 0xff) {
      const std::optional<int32_t> bci_delta = numbers.ReadSigned(table, at);
      const std::optional<int32_t> line_delta = numbers.ReadSigned(table, at);
      if (!bci_delta || !line_delta) break;
      bci += *bci_delta;
      line += *line_delta;
    } else {
      bci += byte >> 3;
      line += byte & 7;
    }
    if (bci < 0 || static_cast<uint64_t>(bci) >= code_size || line < 0 || line > 0xffff) break;
    lines.push_back({static_cast<uint16_t>(bci), static_cast<uint16_t>(line)});
  }
  return lines;
}

}  // namespace yp::hotspot
