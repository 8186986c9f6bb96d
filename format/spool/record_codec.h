#ifndef YP_FORMAT_SPOOL_RECORD_CODEC_H_
#define YP_FORMAT_SPOOL_RECORD_CODEC_H_

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "format/spool/encoding.h"
#include "format/spool/record_fields.h"
#include "format/spool/records.h"

// The bytes of each record. A record on the wire is its type, the length of its body and the body;
// docs/formats.md has the fields. New fields are only ever appended to a body, and new types get
// new numbers, so that an older reader skips what it does not know.
namespace yp::spool {

using Record =
    std::variant<Config, MethodDefinition, EdgeDefinition, Counts, Window, Drops, ThreadDefinition,
                 End, Compilation, CompiledCall, CompiledSamples, MethodProfile, ContextDefinition,
                 ContextSamples, ContextCounts, EarlierCode, CompilerTimes, Tick, ThreadTimes, Part,
                 TestBegin, TestEnd, Reached, UnexecutedCalls, OwnCompilation, ControllerDecision,
                 InterpretedCalls, EntryCounts>;

template <typename R>
constexpr RecordType TypeOf(const R&) {
  return R::kType;
}

// Appends the body of a record.
template <typename R>
void EncodeBody(const R& record, Encoder* out) {
  FieldWriter writer(out);
  Fields(writer, record);
}

// The record of that type and body; nothing when the type is unknown or the body malformed.
std::optional<Record> DecodeBody(RecordType type, std::span<const uint8_t> body);

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_RECORD_CODEC_H_
