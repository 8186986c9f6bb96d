#include "format/bytes/gzip.h"

#include <zlib.h>

#include <limits>
#include <utility>

namespace yp {
namespace {

constexpr int kGzipFormat = 15 + 16;

// zlib's interface is older than const.
Bytef* BytesOf(const char* bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes)); }

constexpr int kMemoryLevel = 8;

}  // namespace

struct GzipStream::State {
  z_stream stream{};
  bool has_started = false;
  std::string out = std::string(size_t{1} << 16, '\0');

  // All that is there to be taken, and with Z_FINISH the end.
  Status Deflate(int flush, const ByteSink& sink) {
    if (!has_started) {
      return Status::Error("cannot compress: zlib does not start, perhaps out of memory");
    }
    int code = Z_OK;
    do {
      stream.next_out = BytesOf(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      code = deflate(&stream, flush);
      const size_t made = out.size() - stream.avail_out;
      if (made == 0) continue;
      if (Status taken = sink({out.data(), made}); !taken) return taken;
    } while (stream.avail_out == 0);
    const bool is_done = flush == Z_FINISH ? code == Z_STREAM_END : stream.avail_in == 0;
    return is_done ? Status::Ok() : Status::Error("cannot compress: zlib has stopped");
  }
};

GzipStream::GzipStream(ByteSink sink, GzipEffort effort)
    : sink_(std::move(sink)), state_(std::make_unique<State>()) {
  state_->has_started = deflateInit2(&state_->stream, static_cast<int>(effort), Z_DEFLATED,
                                     kGzipFormat, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
}

GzipStream::~GzipStream() {
  if (state_->has_started) deflateEnd(&state_->stream);
}

Status GzipStream::Write(std::string_view bytes) {
  constexpr size_t kMost = std::numeric_limits<uInt>::max();
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kMost);
    bytes.remove_prefix(part.size());
    state_->stream.next_in = BytesOf(part.data());
    state_->stream.avail_in = static_cast<uInt>(part.size());
    if (Status status = state_->Deflate(Z_NO_FLUSH, sink_); !status) return status;
  }
  return Status::Ok();
}

Status GzipStream::Finish() { return state_->Deflate(Z_FINISH, sink_); }

Result<std::string> Gzip(std::string_view bytes, GzipEffort effort) {
  z_stream stream{};
  if (deflateInit2(&stream, static_cast<int>(effort), Z_DEFLATED, kGzipFormat, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return Status::Error("cannot compress: zlib does not start, perhaps out of memory");
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  constexpr size_t kMost = std::numeric_limits<uInt>::max();
  const bool fits = bytes.size() <= kMost && out.size() <= kMost;
  int code = Z_BUF_ERROR;
  if (fits) {
    stream.next_in = BytesOf(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = BytesOf(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    code = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
  }
  deflateEnd(&stream);
  if (code != Z_STREAM_END) return Status::Error("cannot compress what is larger than 4 GiB");
  return out;
}

Result<std::string> Gunzip(std::string_view bytes, size_t at_most) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipFormat) != Z_OK) {
    return Status::Error("cannot decompress: zlib does not start, perhaps out of memory");
  }
  std::string out(at_most, '\0');
  stream.next_in = BytesOf(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = BytesOf(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  if (code != Z_STREAM_END) return Status::Error("cannot decompress: damaged, or too large");
  return out;
}

}  // namespace yp
