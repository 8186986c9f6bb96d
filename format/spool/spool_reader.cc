#include "format/spool/spool_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "format/spool/errno_text.h"
#include "format/spool/frame.h"

namespace yp::spool {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;

}  // namespace

std::string Damage::Describe() const {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (gaps > 0) {
    add("damaged in " + std::to_string(gaps) + (gaps == 1 ? " place" : " places"));
  }
  if (cut_off) add("cut off after frame " + std::to_string(frames_read));
  if (bytes_ignored > 0) text += ", " + std::to_string(bytes_ignored) + " bytes ignored";
  if (records_ignored > 0) {
    add(std::to_string(records_ignored) + " records ignored (written by another version?)");
  }
  if (!read_error.empty()) add("reading stopped: " + read_error);
  return text;
}

bool LooksLikeSpool(std::span<const uint8_t> head) {
  const size_t n = std::min(head.size(), kMagic.size());
  return n > 0 && std::equal(kMagic.begin(), kMagic.begin() + n, head.begin());
}

Result<std::unique_ptr<SpoolReader>> SpoolReader::Open(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return Status::Error("cannot read " + path + ": " + ErrnoText(errno) +
                         "; check the path and its permissions");
  }
  return Start(std::unique_ptr<SpoolReader>(new SpoolReader(fd, {})), path);
}

Result<std::unique_ptr<SpoolReader>> SpoolReader::FromBytes(std::vector<uint8_t> bytes,
                                                            const std::string& name) {
  return Start(std::unique_ptr<SpoolReader>(new SpoolReader(-1, std::move(bytes))), name);
}

SpoolReader::SpoolReader(int fd, std::vector<uint8_t> buffer)
    : fd_(fd), buffer_(std::move(buffer)), at_end_of_file_(fd < 0) {}

SpoolReader::~SpoolReader() {
  if (fd_ >= 0) close(fd_);
}

Result<std::unique_ptr<SpoolReader>> SpoolReader::Start(std::unique_ptr<SpoolReader> reader,
                                                        const std::string& name) {
  const bool whole = reader->Fill(kFileHeaderBytes);
  if (!reader->damage_.read_error.empty()) {
    return Status::Error("cannot read " + name + ": " + reader->damage_.read_error +
                         "; check the path and the disk");
  }
  if (reader->available() > 0 && !LooksLikeSpool({reader->current(), reader->available()})) {
    return Status::Error(name + " is not a Yieldpoint spool; give a file that `yp run` wrote");
  }
  if (!whole) {
    reader->damage_.cut_off = true;
    reader->damage_.bytes_ignored = reader->available();
    reader->position_ = reader->buffer_.size();
    return reader;
  }
  const uint32_t version = GetLittleEndian32(reader->current() + kMagic.size());
  if (version != kVersion) {
    return Status::Error(name + " is a spool of version " + std::to_string(version) +
                         ", this program reads version " + std::to_string(kVersion) +
                         "; use the version of Yieldpoint that wrote it");
  }
  reader->position_ += kFileHeaderBytes;
  return reader;
}

std::optional<Record> SpoolReader::Next() {
  for (;;) {
    while (!payload_.empty()) {
      const RecordType type{payload_.Unsigned()};
      const std::span<const uint8_t> body = payload_.Bytes(payload_.Unsigned());
      std::optional<Record> record;
      if (payload_.ok()) record = DecodeBody(type, body);
      if (record) return record;
      ++damage_.records_ignored;
    }
    position_ += payload_bytes_;
    payload_bytes_ = 0;
    if (!NextFrame()) return std::nullopt;
    payload_ = Decoder({current(), payload_bytes_});
  }
}

bool SpoolReader::NextFrame() {
  uint64_t skipped_bytes = 0;
  while (Fill(1)) {
    if (const std::optional<size_t> payload_bytes = GoodFrame()) {
      damage_.bytes_ignored += skipped_bytes;
      damage_.gaps += skipped_bytes > 0 ? 1 : 0;
      ++damage_.frames_read;
      position_ += kFrameHeaderBytes;
      payload_bytes_ = *payload_bytes;
      return true;
    }
    skipped_bytes += SkipToMarker();
  }
  damage_.bytes_ignored += skipped_bytes;
  if (skipped_bytes > 0) damage_.cut_off = true;
  return false;
}

std::optional<size_t> SpoolReader::GoodFrame() {
  if (!Fill(kFrameHeaderBytes) || !std::equal(kMarker.begin(), kMarker.end(), current())) {
    return std::nullopt;
  }
  const size_t payload_bytes = GetLittleEndian32(current() + kMarker.size());
  if (payload_bytes > kMaxPayloadBytes || !Fill(kFrameHeaderBytes + payload_bytes)) {
    return std::nullopt;
  }
  const uint8_t* const length = current() + kMarker.size();
  const uint32_t expected = GetLittleEndian32(length + 4);
  const uint32_t actual =
      Crc32c({current() + kFrameHeaderBytes, payload_bytes}, Crc32c({length, size_t{4}}));
  return actual == expected ? std::optional(payload_bytes) : std::nullopt;
}

uint64_t SpoolReader::SkipToMarker() {
  uint64_t skipped_bytes = 1;
  ++position_;
  while (Fill(kMarker.size())) {
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(position_);
    const auto found = std::search(begin, buffer_.end(), kMarker.begin(), kMarker.end());
    // Without a marker the last bytes may still be the beginning of one.
    const size_t step = found != buffer_.end() ? static_cast<size_t>(found - begin)
                                               : available() - (kMarker.size() - 1);
    position_ += step;
    skipped_bytes += step;
    if (found != buffer_.end()) return skipped_bytes;
  }
  skipped_bytes += available();
  position_ = buffer_.size();
  return skipped_bytes;
}

bool SpoolReader::Fill(size_t n) {
  while (available() < n && !at_end_of_file_) {
    if (position_ >= kReadBytes) {
      buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(position_));
      position_ = 0;
    }
    const size_t old_size = buffer_.size();
    buffer_.resize(old_size + kReadBytes);
    const ssize_t got = read(fd_, buffer_.data() + old_size, kReadBytes);
    const int error = got < 0 ? errno : 0;
    buffer_.resize(old_size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (error == EINTR) continue;
    if (error != 0) damage_.read_error = ErrnoText(error);
    at_end_of_file_ = got <= 0;
  }
  return available() >= n;
}

}  // namespace yp::spool
