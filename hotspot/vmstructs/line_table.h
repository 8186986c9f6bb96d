#ifndef YP_HOTSPOT_VMSTRUCTS_LINE_TABLE_H_
#define YP_HOTSPOT_VMSTRUCTS_LINE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/method.h"
#include "hotspot/vmstructs/unsigned5.h"

namespace yp::hotspot {

// The flag of a ConstMethod that has a table behind its bytecode: the same bit on all JDKs.
inline constexpr uint16_t kHasLineNumberTable = 1;

// The lines of a method with `code_size` bytes of bytecode, from the VM's table: a byte of two
// differences, 5 bits of the bci's and 3 of the line's, or 255 and two signed numbers; 0 ends it
// (HotSpot's CompressedLineNumberReadStream). What makes no sense ends it, too.
std::vector<Method::Line> ReadLineTable(std::span<const uint8_t> table, size_t code_size,
                                        Unsigned5 numbers);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_LINE_TABLE_H_
