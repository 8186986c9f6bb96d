#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "format/spool/record_codec.h"
#include "format/spool/spool_reader.h"

// Any bytes: the reader ends, and a record that it gives survives being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace yp::spool;
  auto reader = SpoolReader::FromBytes({data, data + size}, "fuzz");
  if (!reader) return 0;
  while (const auto record = (*reader)->Next()) {
    std::vector<uint8_t> body;
    Encoder out(&body);
    const RecordType type = std::visit(
        [&out](const auto& r) {
          EncodeBody(r, &out);
          return TypeOf(r);
        },
        *record);
    const auto again = DecodeBody(type, body);
    if (!again || again->index() != record->index()) __builtin_trap();
  }
  (void)(*reader)->damage().Describe();
  return 0;
}
