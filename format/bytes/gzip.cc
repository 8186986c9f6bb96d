#include "format/bytes/gzip.h"

#include <zlib.h>

#include <limits>

namespace yp {
namespace {

constexpr int kGzipFormat = 15 + 16;

// zlib's interface is older than const.
Bytef* BytesOf(const char* bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes)); }

}  // namespace

Result<std::string> Gzip(std::string_view bytes, GzipEffort effort) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;
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
