#include "hotspot/probes/barrier/armed_threads.h"

namespace yp::hotspot {
namespace {

// No guard has a top byte, so that this one differs from all. Its lower bits would be visible in
// JDK 17's ZGC, whose word is the upper half of the mask of bad addresses; no address has this one.
constexpr uint8_t kArmed = 0x40;

// Little endian: of the 32 bits at the displacement.
uint8_t* TopByte(uintptr_t thread, size_t displacement) {
  return reinterpret_cast<uint8_t*>(thread + displacement + 3);
}

}  // namespace

void ArmedThreads::BeginListing() {
  const std::lock_guard lock(mutex_);
  is_listing_ = true;
  ended_while_listing_.clear();
}

void ArmedThreads::Listed(std::span<const uintptr_t> threads) {
  const std::lock_guard lock(mutex_);
  for (const uintptr_t thread : threads) {
    if (thread != 0 && !ended_while_listing_.contains(thread)) threads_.insert(thread);
  }
  is_listing_ = false;
  ended_while_listing_.clear();
}

void ArmedThreads::Started(uintptr_t thread) {
  if (thread == 0) return;
  const std::lock_guard lock(mutex_);
  threads_.insert(thread);
  if (is_armed_) Store(thread, kArmed);
}

void ArmedThreads::Ended(uintptr_t thread) {
  const std::lock_guard lock(mutex_);
  // Its last calls are the VM's.
  if (threads_.erase(thread) != 0 && is_armed_) Store(thread, 0);
  if (is_listing_) ended_while_listing_.insert(thread);
}

bool ArmedThreads::TopBytesAreZero(size_t displacement) const {
  const std::lock_guard lock(mutex_);
  for (const uintptr_t thread : threads_) {
    if (__atomic_load_n(TopByte(thread, displacement), __ATOMIC_RELAXED) != 0) return false;
  }
  return true;
}

void ArmedThreads::SetDisplacement(size_t displacement) {
  const std::lock_guard lock(mutex_);
  displacement_ = displacement;
}

void ArmedThreads::ForgetDisplacement() {
  const std::lock_guard lock(mutex_);
  DisarmLocked();
  displacement_ = 0;
}

void ArmedThreads::Clear() {
  const std::lock_guard lock(mutex_);
  DisarmLocked();
  threads_.clear();
}

void ArmedThreads::Arm() {
  const std::lock_guard lock(mutex_);
  if (displacement_ == 0) return;
  is_armed_ = true;
  bool is_told = false;
  for (const uintptr_t thread : threads_) {
    if (__atomic_load_n(TopByte(thread, displacement_), __ATOMIC_RELAXED) == kArmed) continue;
    if (!is_told) before_arming_();
    is_told = true;
    Store(thread, kArmed);
  }
}

void ArmedThreads::Disarm() {
  const std::lock_guard lock(mutex_);
  DisarmLocked();
}

size_t ArmedThreads::size() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

void ArmedThreads::Store(uintptr_t thread, uint8_t byte) {
  if (displacement_ == 0) return;
  __atomic_store_n(TopByte(thread, displacement_), byte, __ATOMIC_RELEASE);
}

void ArmedThreads::DisarmLocked() {
  if (!is_armed_) return;
  is_armed_ = false;
  for (const uintptr_t thread : threads_) Store(thread, 0);
}

}  // namespace yp::hotspot
