#include "format/spool/record_codec.h"

#include <array>
#include <cstddef>

namespace yp::spool {
namespace {

template <typename... R>
constexpr bool TypesDiffer(const std::variant<R...>*) {
  constexpr std::array kTypes = {R::kType...};
  for (size_t i = 0; i < kTypes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (kTypes[i] == kTypes[j]) return false;
    }
  }
  return true;
}
static_assert(TypesDiffer(static_cast<const Record*>(nullptr)));

template <typename R>
Record Decoded(Decoder* in) {
  R record;
  FieldReader reader(in);
  Fields(reader, record);
  return record;
}

// By the type, among those of Record.
template <typename... R>
std::optional<Record> Decode(RecordType type, Decoder* in, const std::variant<R...>*) {
  std::optional<Record> record;
  (void)((R::kType == type && (record = Decoded<R>(in), true)) || ...);
  return record;
}

}  // namespace

std::optional<Record> DecodeBody(RecordType type, std::span<const uint8_t> body) {
  Decoder in(body);
  std::optional<Record> record = Decode(type, &in, static_cast<const Record*>(nullptr));
  if (!in.ok()) return std::nullopt;
  return record;
}

}  // namespace yp::spool
