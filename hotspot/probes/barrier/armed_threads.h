#ifndef YP_HOTSPOT_PROBES_BARRIER_ARMED_THREADS_H_
#define YP_HOTSPOT_PROBES_BARRIER_ARMED_THREADS_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_set>

namespace yp::hotspot {

// The VM's threads (JavaThread*), and the byte in each that sends its calls to the entry barrier's
// stub. Any thread.
//
// A thread is freed some time after its Ended returns, and whoever wrote to it later would write to
// anything: so its byte is only ever stored under the lock, to threads in the set. The lock is held
// for no longer than that; nothing of the VM is called under it, so that a thread in a hook may
// wait for it.
class ArmedThreads {
 public:
  // Called before the first byte of an Arm is stored that was not set before.
  using BeforeArming = void (*)();
  explicit ArmedThreads(BeforeArming before_arming) : before_arming_(before_arming) {}

  // Threads become known: from here on what starts and ends is told; then Listed gives those that
  // ran already, some of which may have ended meanwhile.
  void BeginListing();
  void Listed(std::span<const uintptr_t> threads);
  void Started(uintptr_t thread);
  void Ended(uintptr_t thread);

  // Whether the top byte of that word of each thread is 0, as far as the VM is concerned.
  bool TopBytesAreZero(size_t displacement) const;
  // From now on, Arm works on that word. Not 0.
  void SetDisplacement(size_t displacement);
  // Disarms, and forgets the displacement: Arm does nothing.
  void ForgetDisplacement();
  // Disarms and forgets the threads.
  void Clear();

  // Threads that start from now on are armed as well.
  void Arm();
  void Disarm();
  size_t size() const;

 private:
  void Store(uintptr_t thread, uint8_t byte);
  void DisarmLocked();

  const BeforeArming before_arming_;
  mutable std::mutex mutex_;
  std::unordered_set<uintptr_t> threads_;
  std::unordered_set<uintptr_t> ended_while_listing_;
  bool is_listing_ = false;
  bool is_armed_ = false;
  size_t displacement_ = 0;  // 0: none.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BARRIER_ARMED_THREADS_H_
