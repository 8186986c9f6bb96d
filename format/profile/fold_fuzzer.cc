#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "format/profile/profile.h"
#include "format/spool/encoding.h"
#include "format/spool/frame.h"
#include "format/spool/spool_reader.h"

namespace yp {
namespace {

// A spool of one frame, with a checksum that is right: it would hide all else.
std::vector<uint8_t> SpoolOf(const uint8_t* payload, size_t size) {
  std::vector<uint8_t> spool(spool::kMagic.begin(), spool::kMagic.end());
  spool.resize(spool::kFileHeaderBytes + spool::kFrameHeaderBytes);
  spool::PutLittleEndian32(spool::kVersion, &spool[spool::kMagic.size()]);
  uint8_t* frame = &spool[spool::kFileHeaderBytes];
  std::copy(spool::kMarker.begin(), spool::kMarker.end(), frame);
  uint8_t* length = frame + spool::kMarker.size();
  spool::PutLittleEndian32(static_cast<uint32_t>(size), length);
  const uint32_t crc = spool::Crc32c({payload, size}, spool::Crc32c({length, size_t{4}}));
  spool::PutLittleEndian32(crc, length + 4);
  spool.insert(spool.end(), payload, payload + size);
  return spool;
}

bool IsNumberOfCalls(double calls) { return std::isfinite(calls) && calls >= 0; }

}  // namespace
}  // namespace yp

// Any records, in whatever order: folding ends, and what it estimates and infers are numbers.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto reader = yp::spool::SpoolReader::FromBytes(yp::SpoolOf(data, size), "fuzz");
  if (!reader) return 0;
  const auto profile = yp::FoldSpool(**reader);
  if (!profile) return 0;
  for (const yp::EdgeStats& edge : profile->edges) {
    if (!yp::IsNumberOfCalls(edge.calls) || !yp::IsNumberOfCalls(edge.uncorrected) ||
        !yp::IsNumberOfCalls(edge.low) || !yp::IsNumberOfCalls(edge.high) || edge.low > edge.high ||
        !(edge.variance >= 0)) {
      __builtin_trap();
    }
  }
  return 0;
}
