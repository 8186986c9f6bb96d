#ifndef YP_FORMAT_SPOOL_SPOOL_WRITER_H_
#define YP_FORMAT_SPOOL_SPOOL_WRITER_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "format/spool/encoding.h"
#include "format/spool/record_codec.h"
#include "format/spool/records.h"

namespace yp::spool {

// Writes a spool from within a user's JVM, which must never suffer from it.
// - A record is in the file once Flush() returned success after it; what was flushed survives
//   kill -9 (it is in the kernel's page cache), though not a power cut.
// - Append() flushes by itself when about kFrameTargetBytes have come together.
// - The first failure to write is returned once, as one line for the log. From then on every call
//   drops its records, returns success and adds to bytes_lost().
// - A record longer than a frame can be (64 MiB) is refused with an error; the rest goes on.
// - After a fork the child's calls write nothing, so that a file has one writer.
// - Never throws, exits, raises a signal or touches the locale. (A file-size limit raises SIGXFSZ;
//   HotSpot handles that signal, the write then fails with EFBIG.)
// Not thread-safe: one thread drains and writes.
class SpoolWriter {
 public:
  enum class Mode {
    kCreateNew,  // Fails when the file exists.
    kTruncate,   // Replaces what is there.
  };
  static constexpr size_t kFrameTargetBytes = size_t{64} << 10;

  static Result<std::unique_ptr<SpoolWriter>> Open(const std::string& path, Mode mode) noexcept;
  // Flushes, without a word if that fails, and closes.
  ~SpoolWriter();
  SpoolWriter(const SpoolWriter&) = delete;
  SpoolWriter& operator=(const SpoolWriter&) = delete;

  // Any record of record_codec.h's list.
  template <typename R>
  Status Append(const R& record) noexcept {
    return AppendRecord(R::kType, &record, [](const void* any, Encoder* out) {
      EncodeBody(*static_cast<const R*>(any), out);
    });
  }
  // Hands everything appended so far to the kernel, as one frame.
  Status Flush() noexcept;

  // Bytes of records that were appended and did not reach the file, whole or in part.
  uint64_t bytes_lost() const { return bytes_lost_; }
  // Bytes in the file, its header included.
  uint64_t bytes_written() const { return bytes_written_; }
  bool failed() const { return failed_; }

 private:
  SpoolWriter(int fd, std::string path);
  Status AppendRecord(RecordType type, const void* record,
                      void (*encode)(const void*, Encoder*)) noexcept;
  Status FlushOrThrow();
  Status OutOfMemory(size_t lost_bytes) noexcept;
  // Starts an empty frame, keeping the memory of the last one.
  void StartFrame();
  size_t pending_bytes() const;
  // Returns 0 or an errno.
  int WriteAll(const uint8_t* data, size_t size);

  const int fd_;
  const pid_t owner_;
  const std::string path_;
  std::vector<uint8_t> frame_;  // Header space and the payload so far.
  std::vector<uint8_t> body_;   // The record being encoded.
  uint64_t bytes_written_ = 0;
  uint64_t bytes_lost_ = 0;
  bool failed_ = false;
};

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_SPOOL_WRITER_H_
