#ifndef YP_FORMAT_SPOOL_SPOOL_READER_H_
#define YP_FORMAT_SPOOL_SPOOL_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "format/spool/record_codec.h"

namespace yp::spool {

// What a reader could not use.
struct Damage {
  uint64_t frames_read = 0;      // Frames whose checksum was right.
  uint64_t gaps = 0;             // Damaged stretches between good frames, skipped.
  uint64_t bytes_ignored = 0;    // In gaps and after the last good frame.
  uint64_t records_ignored = 0;  // Malformed or of unknown type, within good frames.
  bool cut_off = false;          // Bytes that form no frame follow the last good one.
  std::string read_error;        // The file could not be read further; empty when it could.

  bool any() const { return gaps > 0 || records_ignored > 0 || cut_off || !read_error.empty(); }
  // One line for a person, for example "cut off after frame 12, 345 bytes ignored"; empty when
  // there is no damage.
  std::string Describe() const;
};

// Streams the records of a spool, which may be cut off or damaged anywhere.
// - Every record of every frame whose checksum is right is given, in order.
// - After damage it takes up again at the next good frame.
// - Its buffer is bounded by kMaxPayloadBytes and a few megabytes, whatever the input.
class SpoolReader {
 public:
  // Fails when the file cannot be read or does not begin like a spool of a known version. A file
  // that ends within its header is a spool without records.
  static Result<std::unique_ptr<SpoolReader>> Open(const std::string& path);
  // The same on bytes in memory; name stands for the path in messages.
  static Result<std::unique_ptr<SpoolReader>> FromBytes(std::vector<uint8_t> bytes,
                                                        const std::string& name);
  ~SpoolReader();
  SpoolReader(const SpoolReader&) = delete;
  SpoolReader& operator=(const SpoolReader&) = delete;

  // The next record; nothing at the end.
  std::optional<Record> Next();
  // Complete once Next() gave nothing.
  const Damage& damage() const { return damage_; }

 private:
  SpoolReader(int fd, std::vector<uint8_t> buffer);
  static Result<std::unique_ptr<SpoolReader>> Start(std::unique_ptr<SpoolReader> reader,
                                                    const std::string& name);
  // Makes n bytes from the current position available; false when the input ends before.
  bool Fill(size_t n);
  size_t available() const { return buffer_.size() - position_; }
  const uint8_t* current() const { return buffer_.data() + position_; }
  // Makes the payload of the next good frame current; false at the end.
  bool NextFrame();
  // The payload size of the good frame at the current position.
  std::optional<size_t> GoodFrame();
  // Moves to the next marker after the current position, to the end when there is none, and returns
  // the distance in bytes.
  uint64_t SkipToMarker();

  const int fd_;  // -1 when everything is in the buffer.
  std::vector<uint8_t> buffer_;
  size_t position_ = 0;
  bool at_end_of_file_;
  size_t payload_bytes_ = 0;  // Of the frame being read, from position_ on.
  Decoder payload_{std::span<const uint8_t>()};
  Damage damage_;
};

// Whether these first bytes of a file are a spool's, perhaps cut off within the magic.
bool LooksLikeSpool(std::span<const uint8_t> head);

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_SPOOL_READER_H_
