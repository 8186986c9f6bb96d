#ifndef YP_HOTSPOT_PROBES_PATCH_LISTENERS_H_
#define YP_HOTSPOT_PROBES_PATCH_LISTENERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "format/spool/records.h"

namespace yp::hotspot {

// The listeners of Suganuma, Yasue and Nakatani (JVM'02), as Arnold and Grove (CGO 2005, section
// 3.2) describe them: one sits at the entry of each method that has been optimised, records who
// calls it, and takes itself out after a fixed number of calls. The time which these took tells how
// often the method is called.
//
// One is known by its trampoline's number. Any number of threads record at once; lock-free.
class Listeners {
 public:
  // `samples`: calls until a listener takes itself out; at least 1.
  Listeners(size_t capacity, uint32_t samples);
  ~Listeners();
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  // A call at `now_ns`, `own_ns` of which the listener has used itself. Whether it goes on
  // listening.
  bool Record(uint32_t number, EdgeId edge, int64_t now_ns, int64_t own_ns);

  // What all have heard so far, as windows that end at `now_ns`: of n calls in the time from the
  // first to the last, the listener's own left out, and with the time since the first for their
  // interval. A listener that is
  // still listening has heard all that there was. Times of spool::Window are those since
  // `start_ns`.
  std::vector<spool::Window> Windows(int64_t start_ns, int64_t now_ns, ThreadId thread) const;

 private:
  struct Listener {
    explicit Listener(uint32_t samples)
        : edges(std::make_unique<std::atomic<uint32_t>[]>(samples)) {}
    const std::unique_ptr<std::atomic<uint32_t>[]> edges;  // Edge ids and 1; 0 is none yet.
    std::atomic<uint32_t> calls{0};
    std::atomic<int64_t> first_ns{0}, last_ns{0};
    std::atomic<int64_t> own_ns{0};
  };
  Listener* Of(uint32_t number);

  const size_t capacity_;
  const uint32_t samples_;
  std::atomic<Listener*>* const listeners_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PATCH_LISTENERS_H_
