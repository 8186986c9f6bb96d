#ifndef YP_FORMAT_SPOOL_RECORD_CODEC_H_
#define YP_FORMAT_SPOOL_RECORD_CODEC_H_

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "format/spool/encoding.h"
#include "format/spool/records.h"

// The bytes of each record. A record on the wire is its type, the length of its body and the body;
// docs/formats.md has the fields. New fields are only ever appended to a body, and new types get
// new numbers, so that an older reader skips what it does not know.
namespace yp::spool {

using Record = std::variant<Config, MethodDefinition, EdgeDefinition, Counts, Window, Drops,
                            ThreadDefinition, End, Compilation, CompiledCall, CompiledSamples,
                            MethodProfile, ContextDefinition, ContextSamples, ContextCounts,
                            EarlierCode, CompilerTimes, Tick, ThreadTimes, Part>;

// Type numbers on the wire: never reused, never changed.
enum class RecordType : uint64_t {
  kConfig = 1,
  kMethodDefinition = 2,
  kEdgeDefinition = 3,
  kCounts = 4,
  kWindow = 5,
  kDrops = 6,
  kThreadDefinition = 7,
  kEnd = 8,
  kCompilation = 9,
  kCompiledCall = 10,
  kCompiledSamples = 11,
  kMethodProfile = 12,
  kContextDefinition = 13,
  kContextSamples = 14,
  kContextCounts = 15,
  kEarlierCode = 16,
  kCompilerTimes = 17,
  kTick = 18,
  kThreadTimes = 19,
  kPart = 20,
};

constexpr RecordType TypeOf(const Config&) { return RecordType::kConfig; }
constexpr RecordType TypeOf(const MethodDefinition&) { return RecordType::kMethodDefinition; }
constexpr RecordType TypeOf(const EdgeDefinition&) { return RecordType::kEdgeDefinition; }
constexpr RecordType TypeOf(const Counts&) { return RecordType::kCounts; }
constexpr RecordType TypeOf(const Window&) { return RecordType::kWindow; }
constexpr RecordType TypeOf(const Drops&) { return RecordType::kDrops; }
constexpr RecordType TypeOf(const ThreadDefinition&) { return RecordType::kThreadDefinition; }
constexpr RecordType TypeOf(const End&) { return RecordType::kEnd; }
constexpr RecordType TypeOf(const Compilation&) { return RecordType::kCompilation; }
constexpr RecordType TypeOf(const CompiledCall&) { return RecordType::kCompiledCall; }
constexpr RecordType TypeOf(const CompiledSamples&) { return RecordType::kCompiledSamples; }
constexpr RecordType TypeOf(const MethodProfile&) { return RecordType::kMethodProfile; }
constexpr RecordType TypeOf(const ContextDefinition&) { return RecordType::kContextDefinition; }
constexpr RecordType TypeOf(const ContextSamples&) { return RecordType::kContextSamples; }
constexpr RecordType TypeOf(const ContextCounts&) { return RecordType::kContextCounts; }
constexpr RecordType TypeOf(const EarlierCode&) { return RecordType::kEarlierCode; }
constexpr RecordType TypeOf(const CompilerTimes&) { return RecordType::kCompilerTimes; }
constexpr RecordType TypeOf(const Tick&) { return RecordType::kTick; }
constexpr RecordType TypeOf(const Part&) { return RecordType::kPart; }
constexpr RecordType TypeOf(const ThreadTimes&) { return RecordType::kThreadTimes; }

// Appends the body of a record.
void EncodeBody(const Config& record, Encoder* out);
void EncodeBody(const MethodDefinition& record, Encoder* out);
void EncodeBody(const EdgeDefinition& record, Encoder* out);
void EncodeBody(const Counts& record, Encoder* out);
void EncodeBody(const Window& record, Encoder* out);
void EncodeBody(const Drops& record, Encoder* out);
void EncodeBody(const ThreadDefinition& record, Encoder* out);
void EncodeBody(const End& record, Encoder* out);
void EncodeBody(const Compilation& record, Encoder* out);
void EncodeBody(const CompiledCall& record, Encoder* out);
void EncodeBody(const CompiledSamples& record, Encoder* out);
void EncodeBody(const MethodProfile& record, Encoder* out);
void EncodeBody(const ContextDefinition& record, Encoder* out);
void EncodeBody(const ContextSamples& record, Encoder* out);
void EncodeBody(const ContextCounts& record, Encoder* out);
void EncodeBody(const EarlierCode& record, Encoder* out);
void EncodeBody(const CompilerTimes& record, Encoder* out);
void EncodeBody(const Tick& record, Encoder* out);
void EncodeBody(const Part& record, Encoder* out);
void EncodeBody(const ThreadTimes& record, Encoder* out);

// The record of that type and body; nothing when the type is unknown or the body malformed.
std::optional<Record> DecodeBody(RecordType type, std::span<const uint8_t> body);

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_RECORD_CODEC_H_
