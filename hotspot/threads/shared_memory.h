#ifndef YP_HOTSPOT_THREADS_SHARED_MEMORY_H_
#define YP_HOTSPOT_THREADS_SHARED_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

// The memory that java.lang.YieldpointProbe and the agent share, laid out for both. The Java side
// reads and writes it with plain Unsafe accesses, which on x86-64 are single moves for aligned
// words; the agent's side uses relaxed atomics. Nothing here needs an order between two words: a
// thread's state is written by that thread alone, and the control block's words stand alone.
namespace yp::hotspot {

// One for the process.
struct alignas(64) ControlBlock {
  std::atomic<uint8_t> armed{0};  // Not 0: every check goes on to count down.
  std::atomic<uint32_t> tick{0};  // Number of the latest tick.
};

// How often one callee was called from one call site by one thread. Empty while method is 0.
struct SiteWay {
  std::atomic<int32_t> method;
  std::atomic<int64_t> count;  // Written by the owning thread only, read by the drain.
};
inline constexpr int kSiteWays = 4;
struct SiteCounts {
  SiteWay ways[kSiteWays];
};

// One for each Java platform thread that has met a probe.
struct alignas(64) JavaThreadState {
  std::atomic<int32_t> site;       // The call site announced last; 0 when a callee has taken it.
  std::atomic<uint32_t> tick;      // The tick whose window this thread has begun.
  std::atomic<int64_t> countdown;  // Calls until the slow path.
  std::atomic<int32_t> expected;   // The method that a receiver call says is next, or 0.
  // Counting by context: the node of the method that runs, and of its calls the latest.
  std::atomic<int32_t> context;
  std::atomic<int32_t> context_site;
  char unused[36];
  // Behind it, in exact mode: SiteCounts[kMaxSites], reserved and touched only where used.
  SiteCounts* sites() { return reinterpret_cast<SiteCounts*>(this + 1); }
};

// A larger site number has no counters: its calls take the slow path, and are as exact.
inline constexpr int kLog2MaxSites = 18;
inline constexpr int32_t kMaxSites = 1 << kLog2MaxSites;

// Fibonacci hashing's factor: 2^64 by the golden ratio, made odd. YieldpointProbe has the same.
inline constexpr uint64_t kHashFactor = 0x9e3779b97f4a7c15u;

// Finds a thread's state by its java.lang.Thread id. Two threads whose ids collide: the later one
// has no entry, and its calls take the slow path.
struct ThreadTableEntry {
  std::atomic<int64_t> thread_id;
  std::atomic<JavaThreadState*> state;
};
inline constexpr int kThreadTableLog2Size = 16;

// Which methods call sites call with receivers of a class, which is known by its identity hash
// code: two entries, 0 or kValid, kAnnounces or the method (0: nothing is to be announced), and a
// tag. An odd factor scrambles site and hash code one to one (modulo 2^49), so that the set's
// number and the tag name them exactly.
struct ReceiverSet {
  static constexpr int kHashBits = 31;
  static constexpr int kTagBits = 32;
  static constexpr size_t kSets = size_t{1} << (kLog2MaxSites + kHashBits - kTagBits);
  static constexpr uint64_t kTagMask = (uint64_t{1} << kTagBits) - 1;
  static constexpr uint64_t kValid = uint64_t{1} << 63;
  static constexpr uint64_t kAnnounces = uint64_t{1} << 62;
  std::atomic<uint64_t> entries[2];

  // YieldpointProbe does the same.
  static uint64_t Key(int32_t site, uint32_t class_hash) {
    const uint64_t both = (static_cast<uint64_t>(site) << kHashBits) | class_hash;
    return (both * kHashFactor) & ((uint64_t{1} << (kHashBits + kLog2MaxSites)) - 1);
  }
  static size_t Number(uint64_t key) { return key >> kTagBits; }
  static uint64_t MakeEntry(uint64_t key, uint32_t method) {
    return kValid | (uint64_t{method} << kTagBits) | (key & kTagMask);
  }
};

// What is still to be found out (mode edges): a byte for each call site and for each method, and
// pairs of both that are known. Written by the agent, read by rewritten code, which does nothing
// more where the byte is 0.
struct DiscoveryTables {
  static constexpr int kLog2MaxMethods = 21;
  static constexpr uint32_t kMaxMethods = 1u << kLog2MaxMethods;
  static constexpr int kPairsLog2Size = 18;
  // Number 0 is no call site's: kReceiving there, while receiver calls are to look.
  static constexpr uint8_t kReceiving = 1;
  // Call sites: kSiteFresh until they have run, then kSiteAnnounces as long as their announcements
  // are of use; with kSiteProves when one proves who calls an open method.
  std::atomic<uint8_t> sites[kMaxSites];
  // Methods: the reasons to look at its calls, kMethod....
  std::atomic<uint8_t> methods[kMaxMethods];
  // As Pair makes them, each in its PairSlot; what does not fit overwrites.
  std::atomic<uint64_t> pairs[1 << kPairsLog2Size];
  // What call sites with a receiver call do, by the receiver's class.
  ReceiverSet receivers[ReceiverSet::kSets];
  // How often each call site has announced itself, up to 1 << kLog2Often.
  std::atomic<int32_t> announcements[kMaxSites];
  static constexpr int kLog2Often = 12;

  static uint64_t Pair(int32_t site, uint32_t method) {
    return (static_cast<uint64_t>(site) << 32) | method;
  }
  // YieldpointProbe does the same.
  static size_t PairSlot(uint64_t pair) { return (pair * kHashFactor) >> (64 - kPairsLog2Size); }
};

inline constexpr uint8_t kSiteFresh = 1;
inline constexpr uint8_t kSiteAnnounces = 2;
inline constexpr uint8_t kSiteProves = 4;
inline constexpr uint8_t kMethodAwaited = 1;  // A call site that has run can reach it and has not.
inline constexpr uint8_t kMethodFresh = 2;    // It has not run.
inline constexpr uint8_t kMethodOpen = 4;     // Code without probes can call it.
inline constexpr uint8_t kMethodWatched = 8;  // A call of it may be under way from a new call site.

static_assert(offsetof(ControlBlock, armed) == 0 && offsetof(ControlBlock, tick) == 4);
static_assert(offsetof(JavaThreadState, site) == 0 && offsetof(JavaThreadState, tick) == 4);
static_assert(offsetof(JavaThreadState, countdown) == 8 && sizeof(JavaThreadState) == 64);
static_assert(sizeof(SiteWay) == 16 && offsetof(SiteWay, count) == 8 && sizeof(SiteCounts) == 64);
static_assert(sizeof(ThreadTableEntry) == 16 && offsetof(ThreadTableEntry, state) == 8);
static_assert(std::atomic<int64_t>::is_always_lock_free);

static_assert(offsetof(DiscoveryTables, methods) == kMaxSites);
static_assert(offsetof(DiscoveryTables, pairs) == kMaxSites + DiscoveryTables::kMaxMethods);
static_assert(sizeof(ReceiverSet) == 16);
static_assert(offsetof(DiscoveryTables, receivers) ==
              offsetof(DiscoveryTables, pairs) + (8u << DiscoveryTables::kPairsLog2Size));
static_assert(offsetof(DiscoveryTables, announcements) ==
              offsetof(DiscoveryTables, receivers) + ReceiverSet::kSets * sizeof(ReceiverSet));

// YieldpointProbe.discoveryLayout() must say the same.
inline constexpr uint64_t kDiscoveryLayout =
    kLog2MaxSites + (uint64_t{DiscoveryTables::kLog2MaxMethods} << 8) +
    (uint64_t{DiscoveryTables::kPairsLog2Size} << 16) + (uint64_t{kSiteFresh} << 24) +
    (uint64_t{kMethodFresh | kMethodWatched} << 32) + (uint64_t{kMethodOpen} << 40) +
    (uint64_t{DiscoveryTables::kLog2Often} << 48) +
    (uint64_t{offsetof(JavaThreadState, expected)} << 56);

// YieldpointProbe.layout() must say the same.
inline constexpr uint64_t kSharedLayout =
    0 + (uint64_t{4} << 4) + (uint64_t{0} << 8) + (uint64_t{4} << 12) + (uint64_t{8} << 16) +
    (uint64_t{64} << 24) + (uint64_t{6} << 32) + (uint64_t{16} << 40) + (uint64_t{16} << 48) +
    (uint64_t{4} << 56);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_SHARED_MEMORY_H_
