#include "hotspot/probes/patch/listeners.h"

#include <algorithm>
#include <new>

#include "base/zeroed_pages.h"

namespace yp::hotspot {
namespace {

// No program calls more often, in ps: a method is called no more often than that, whatever was
// taken off.
constexpr int64_t kMinCallPs = 1000;

}  // namespace

Listeners::Listeners(size_t capacity, uint32_t samples)
    : capacity_(capacity),
      samples_(samples),
      listeners_(static_cast<std::atomic<Listener*>*>(
          MapZeroedPages(capacity * sizeof(std::atomic<Listener*>)))) {
  if (listeners_ == nullptr) throw std::bad_alloc();
}

Listeners::~Listeners() {
  for (size_t i = 0; i < capacity_; ++i) delete listeners_[i].load(std::memory_order_relaxed);
  UnmapPages(listeners_, capacity_ * sizeof(std::atomic<Listener*>));
}

Listeners::Listener* Listeners::Of(uint32_t number) {
  std::atomic<Listener*>& slot = listeners_[number];
  Listener* listener = slot.load(std::memory_order_acquire);  // Partner: the exchange below.
  if (listener != nullptr) return listener;
  auto made = std::make_unique<Listener>(samples_);
  if (slot.compare_exchange_strong(listener, made.get(), std::memory_order_acq_rel)) {
    return made.release();
  }
  return listener;
}

bool Listeners::Record(uint32_t number, EdgeId edge, int64_t now_ns, int64_t own_ns) {
  if (number >= capacity_) return false;
  Listener& listener = *Of(number);
  const uint32_t call = listener.calls.fetch_add(1, std::memory_order_relaxed);
  if (call >= samples_) return false;
  if (call == 0) listener.first_ns.store(now_ns, std::memory_order_relaxed);
  listener.own_ns.fetch_add(own_ns, std::memory_order_relaxed);
  if (call + 1 == samples_) listener.last_ns.store(now_ns, std::memory_order_relaxed);
  listener.edges[call].store(ToIndex(edge) + 1, std::memory_order_release);  // Partner: Windows.
  return call + 1 < samples_;
}

std::vector<spool::Window> Listeners::Windows(int64_t start_ns, int64_t now_ns,
                                              ThreadId thread) const {
  std::vector<spool::Window> windows;
  for (size_t number = 0; number < capacity_; ++number) {
    const Listener* listener = listeners_[number].load(std::memory_order_acquire);
    if (listener == nullptr) continue;
    std::vector<uint32_t> edges;
    const uint32_t calls = std::min(samples_, listener->calls.load(std::memory_order_relaxed));
    for (uint32_t i = 0; i < calls; ++i) {
      const uint32_t edge = listener->edges[i].load(std::memory_order_acquire);  // Partner: Record.
      if (edge != 0) edges.push_back(edge - 1);
    }
    const int64_t first_ns = listener->first_ns.load(std::memory_order_relaxed);
    const int64_t last_ns = listener->last_ns.load(std::memory_order_relaxed);
    if (edges.empty() || first_ns == 0) continue;
    std::sort(edges.begin(), edges.end());
    spool::Window window;
    window.tick = number;
    window.thread = thread;
    window.start_ns = first_ns - start_ns;
    window.interval_ns = std::max(int64_t{0}, now_ns - first_ns);
    window.calls = edges.size();
    window.duration_ns = window.interval_ns;
    if (last_ns != 0) {
      const int64_t own_ns = listener->own_ns.load(std::memory_order_relaxed);
      const auto at_least = static_cast<int64_t>(window.calls) * kMinCallPs / 1000;
      window.duration_ns = std::clamp(last_ns - first_ns - own_ns,
                                      std::min(at_least, window.interval_ns), window.interval_ns);
    }
    for (const uint32_t edge : edges) {
      if (!window.samples.empty() && window.samples.back().first == EdgeId{edge}) {
        ++window.samples.back().second;
      } else {
        window.samples.emplace_back(EdgeId{edge}, 1);
      }
    }
    windows.push_back(std::move(window));
  }
  return windows;
}

}  // namespace yp::hotspot
