#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/profile/profile.h"
#include "format/spool/frame.h"
#include "format/spool/spool_reader.h"

namespace yp {
namespace {

// A spool of one frame, with a checksum that is right: it would hide all else.
std::vector<uint8_t> SpoolOf(const uint8_t* payload, size_t size) {
  std::vector<uint8_t> spool(spool::kFileHeaderBytes + spool::kFrameHeaderBytes);
  spool.insert(spool.end(), payload, payload + size);
  spool::PutFileHeader(spool.data());
  spool::PutFrameHeader(size, spool.data() + spool::kFileHeaderBytes);
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
  for (const yp::CallingContextTree::Node& node : profile->contexts.nodes()) {
    if (!yp::IsNumberOfCalls(node.weight)) __builtin_trap();
  }
  return 0;
}
