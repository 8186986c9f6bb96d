#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "format/spool/record_codec.h"
#include "format/spool/spool_reader.h"

namespace yp::spool {
namespace {

void CheckThatItSurvives(const Record& record) {
  std::vector<uint8_t> body;
  Encoder out(&body);
  const RecordType type = std::visit(
      [&out](const auto& r) {
        EncodeBody(r, &out);
        return TypeOf(r);
      },
      record);
  const auto again = DecodeBody(type, body);
  if (!again || again->index() != record.index()) __builtin_trap();
}

}  // namespace
}  // namespace yp::spool

// Any bytes: the reader ends, and a record that it gives survives being written and read again. The
// bytes are also taken for one record's type and body, past the checksums that hide most inputs.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace yp::spool;
  if (size > 0) {
    const auto record = DecodeBody(static_cast<RecordType>(data[0]), {data + 1, size - 1});
    if (record) CheckThatItSurvives(*record);
  }
  auto reader = SpoolReader::FromBytes({data, data + size}, "fuzz");
  if (!reader) return 0;
  while (const auto record = (*reader)->Next()) CheckThatItSurvives(*record);
  (void)(*reader)->damage().Describe();
  return 0;
}
