#ifndef YP_FORMAT_JFR_JFR_FILE_H_
#define YP_FORMAT_JFR_JFR_FILE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "format/jfr/chunk.h"

namespace yp::jfr {

// Nanoseconds of a number of ticks, rounded down; the nearest int64_t where that does not hold
// them. ticks_per_second > 0.
int64_t TicksToNs(int64_t ticks, int64_t ticks_per_second);

// An event while the handler looks at it.
class Event {
 public:
  // A field by its name, or by the path through structures: event["method.type.name"].
  Value operator[](std::string_view path) const;

  // Which of the names that the caller wanted.
  size_t wanted_index() const { return wanted_index_; }
  // Since the first chunk's start, by the first chunk's clock of ticks; negative before it. An
  // event without a duration ends when it starts, one without a time starts at 0.
  int64_t start_ns() const;
  int64_t end_ns() const;
  // The number of the chunk that the event lies in, from 0. Constants' keys and types' ids hold
  // within it.
  int64_t chunk() const { return chunk_->number; }
  // The name of the type of that id, as jdk.ActiveSetting tells it; empty when there is none.
  std::string_view TypeName(int64_t type_id) const;

 private:
  friend class Reader;
  struct Clock {
    int64_t start_ticks = 0;
    int64_t ticks_per_second = 1;
  };
  int64_t NsOf(int64_t ticks) const;

  const Chunk* chunk_ = nullptr;
  const Clock* clock_ = nullptr;
  size_t wanted_index_ = 0;
  std::span<const Field> fields_;
  std::vector<size_t> positions_;  // Of the fields' values in the file.
};

// What is known of a recording once it was read.
struct FileInfo {
  int64_t start_unix_ns = 0;  // The first chunk's start by the wall clock, since 1970.
  int64_t chunks = 0;         // Those of which events were read.
  uint64_t events = 0;        // Of all types, without the format's own.
  // By index of the wanted names: whether the recording's JDK knows such events at all.
  std::vector<bool> is_known;
  // The virtual machine was killed, is still recording, or the file is not whole. What was written
  // before the last complete set of constants was read.
  bool cut_off = false;
  uint64_t cut_off_at = 0;  // Where reading ended, in bytes.
};

// Reads recordings of JDK Flight Recorder, chunk format 2, as the JDKs since 11 write it.
// - Gives the events of the wanted types ("jdk.Compilation"), in the file's order: that of a thread
//   is kept, that of all is not.
// - Events of other types are skipped by their size.
// - The file is mapped into memory. Beside it, memory is bounded by one chunk's constants, those
//   that the wanted types may refer to.
// - Any bytes end in an error that says what is malformed and at which byte, in FileInfo::cut_off,
//   or in success. Before an error, events may have been given.
// A file must not be made shorter meanwhile.
Result<FileInfo> ReadFile(const std::string& path, std::span<const std::string_view> wanted,
                          const std::function<void(const Event&)>& handler);
// The same of bytes in memory; name stands for the path in messages.
Result<FileInfo> ReadBytes(std::span<const uint8_t> bytes, const std::string& name,
                           std::span<const std::string_view> wanted,
                           const std::function<void(const Event&)>& handler);

// Whether these first bytes of a file are a recording's, perhaps cut off within the magic.
bool LooksLikeRecording(std::span<const uint8_t> head);

}  // namespace yp::jfr

#endif  // YP_FORMAT_JFR_JFR_FILE_H_
