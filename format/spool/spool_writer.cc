#include "format/spool/spool_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

#include "base/descriptor.h"
#include "format/spool/encoding.h"
#include "format/spool/errno_text.h"
#include "format/spool/frame.h"
#include "format/spool/record_codec.h"

namespace yp::spool {
namespace {

// All that containers throw here. Short enough for std::string's own buffer, so that telling of it
// needs no memory.
constexpr char kOutOfMemory[] = "out of memory";

std::string WriteError(const std::string& path, int error) {
  return "cannot write the spool " + path + ": " + ErrnoText(error) + "; " + ErrnoAdvice(error) +
         " (recording has stopped, the program goes on)";
}

}  // namespace

Result<std::unique_ptr<SpoolWriter>> SpoolWriter::Open(const std::string& path, Mode mode) noexcept
    try {
  const int exclusive = mode == Mode::kCreateNew ? O_EXCL : O_TRUNC;
  int fd;
  do {
    fd = AboveStandardStreams(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | exclusive, 0644));
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    const int error = errno;
    return Status::Error("cannot create the spool " + path + ": " + ErrnoText(error) + "; " +
                         ErrnoAdvice(error));
  }
  std::unique_ptr<SpoolWriter> writer(new SpoolWriter(fd, path));
  uint8_t header[kFileHeaderBytes];
  PutFileHeader(header);
  if (const int error = writer->WriteAll(header, sizeof header); error != 0) {
    return Status::Error(WriteError(path, error));
  }
  return writer;
} catch (const std::exception&) {
  return Status::Error(kOutOfMemory);
}

SpoolWriter::SpoolWriter(int fd, std::string path)
    : fd_(fd), owner_(getpid()), path_(std::move(path)) {
  frame_.reserve(2 * kFrameTargetBytes);
  StartFrame();
}

SpoolWriter::~SpoolWriter() {
  (void)Flush();
  close(fd_);
}

void SpoolWriter::StartFrame() { frame_.resize(kFrameHeaderBytes); }

size_t SpoolWriter::pending_bytes() const { return frame_.size() - kFrameHeaderBytes; }

Status SpoolWriter::AppendRecord(RecordType type, const void* record,
                                 void (*encode)(const void*, Encoder*)) noexcept {
  const size_t size_before = frame_.size();
  try {
    body_.clear();
    Encoder body(&body_);
    encode(record, &body);
    if (failed_ || getpid() != owner_) {
      bytes_lost_ += body_.size();
      return Status::Ok();
    }
    // A type and a length take at most 20 bytes.
    const size_t record_bytes = body_.size() + 20;
    if (record_bytes > kMaxPayloadBytes) {
      bytes_lost_ += body_.size();
      return Status::Error("a record of " + std::to_string(body_.size()) +
                           " bytes is too long for the spool " + path_ +
                           " and was left out; narrow the scope with --include");
    }
    Status status;
    if (pending_bytes() > 0 && pending_bytes() + record_bytes > kMaxPayloadBytes) {
      status = FlushOrThrow();
    }
    Encoder frame(&frame_);
    frame.Unsigned(static_cast<uint64_t>(type));
    frame.Unsigned(body_.size());
    frame_.insert(frame_.end(), body_.begin(), body_.end());
    if (status.ok() && pending_bytes() >= kFrameTargetBytes) status = FlushOrThrow();
    return status;
  } catch (const std::exception&) {
    frame_.resize(std::min(size_before, frame_.size()));
    return OutOfMemory(body_.size());
  }
}

Status SpoolWriter::Flush() noexcept {
  try {
    return FlushOrThrow();
  } catch (const std::exception&) {
    return OutOfMemory(0);
  }
}

Status SpoolWriter::FlushOrThrow() {
  const size_t pending = pending_bytes();
  if (pending == 0) return Status::Ok();
  if (failed_ || getpid() != owner_) {
    bytes_lost_ += pending;
    StartFrame();
    return Status::Ok();
  }
  PutFrameHeader(pending, frame_.data());
  const int error = WriteAll(frame_.data(), frame_.size());
  StartFrame();
  if (error == 0) return Status::Ok();
  bytes_lost_ += pending;
  Status status = Status::Error(WriteError(path_, error));
  failed_ = true;
  return status;
}

Status SpoolWriter::OutOfMemory(size_t lost_bytes) noexcept {
  bytes_lost_ += lost_bytes;
  if (failed_) return Status::Ok();
  failed_ = true;
  return Status::Error(kOutOfMemory);
}

int SpoolWriter::WriteAll(const uint8_t* data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd_, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes_written_ += static_cast<uint64_t>(written);
    data += written;
    size -= static_cast<size_t>(written);
  }
  return 0;
}

}  // namespace yp::spool
