package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What rewritten methods call. The agent defines this class in java.base, so that every class loader
 * finds it and the compilers honour the annotations.
 *
 * <p>All state lies in the agent's native memory, at addresses that are constants for the compilers:
 * nothing here allocates, locks, or is moved by a collector, and the agent's threads read and write it
 * without being Java threads. hotspot/threads/shared_memory.h has the layout; the numbers here repeat
 * it and {@code layout()} checks them at start-up.
 *
 * <p>From JDK 21 on the agent renames {@code currentThread} to {@code currentCarrierThread} in this
 * class: state belongs to the platform thread, and none of these methods can be left by a virtual
 * thread half-way.
 */
public final class YieldpointProbe {
  static final Unsafe U = Unsafe.getUnsafe();

  // Control block.
  static final int ARMED = 0;
  private static final int TICK = 4;
  // Thread state; SITE_COUNTS is an array of WAYS pairs (int method, long count) for each call site.
  private static final int SITE = 0;
  private static final int THREAD_TICK = 4;
  private static final int COUNTDOWN = 8;
  private static final int EXPECTED = 16;
  static final int CONTEXT = 20;
  static final int CONTEXT_SITE = 24;
  private static final int SITE_COUNTS = 64;
  private static final int SITE_COUNTS_LOG2_SIZE = 6;
  private static final int WAY_SIZE = 16;
  private static final int WAY_COUNT = 8;
  // Thread table: pairs (long thread id, long state), indexed by the thread id's low bits.
  static final int TABLE_LOG2_SIZE = 16;
  static final int TABLE_ENTRY_LOG2_SIZE = 4;

  // Discovery tables: a byte for each call site, a byte for each method, pairs of both, and
  // sets of two entries by call site and receiver's class (63: there is one; 62: the site announces
  // itself; 32-52: method; 0-31: tag), an int for each call site.
  private static final int LOG2_MAX_SITES = 18;
  private static final int LOG2_MAX_METHODS = 21;
  private static final int PAIRS_LOG2_SIZE = 18;
  static final int SITE_FRESH = 1;
  private static final int METHOD_LOOKS = 2 + 8; // Whoever calls it: fresh or watched.
  static final int METHOD_OPEN = 4;
  private static final int LOG2_OFTEN = 12;
  static final long FACTOR = 0x9e3779b97f4a7c15L; // Fibonacci hashing.
  private static final int HASH_BITS = 31; // Of an identity hash code.
  private static final long KEY_MASK = (1L << HASH_BITS + LOG2_MAX_SITES) - 1;
  static final int TAG_BITS = 32;
  static final long TAG_MASK = (1L << TAG_BITS) - 1;
  static final long ENTRY = 1L << 63;
  private static final long ANNOUNCES = 1L << 62;

  // Context counts: an index of node numbers, and the nodes (int parent, site, method; long calls).
  static final int LOG2_CONTEXT_INDEX = 24;
  static final int LOG2_NODE_SIZE = 5;
  static final int NODE_CALLS = 16;

  static final long TID = U.objectFieldOffset(Thread.class, "tid");
  static final long CONTROL = controlAddress(layout());
  static final long TABLE = tableAddress();
  static final long SITES = discoveryAddress(discoveryLayout());
  static final long METHODS = SITES + (1 << LOG2_MAX_SITES);
  private static final long PAIRS = METHODS + (1 << LOG2_MAX_METHODS);
  static final long RECEIVERS = PAIRS + (8 << PAIRS_LOG2_SIZE);
  static final long ANNOUNCEMENTS =
      RECEIVERS + (16 << HASH_BITS + LOG2_MAX_SITES - TAG_BITS);

  static final long CONTEXT_INDEX = contextAddress(contextLayout());
  static final long NODES = CONTEXT_INDEX + (4L << LOG2_CONTEXT_INDEX);

  private YieldpointProbe() {}

  /**
   * At the entry of each probed method (counter-based sampling, timer).
   *
   * <p>C2 inlines it, as it is small. C1 must not: in its profiled
   * code every inlined copy would count in this method's one profile, whose cache line all threads
   * would fight for. It calls this method instead, which is compiled without a profile since
   * {@code prime}. What keeps it from inlining is that many words on the operand stack:
   * C1InlineStackLimit, 10.
   */
  public static void check(int method) {
    if (U.getByte(null, CONTROL + ARMED) != 0) {
      armed(method, 0, 0, 0, 0, 0);
    }
  }

  /** At the entry of each probed method (exact mode): counts one call from the announced site. */
  @ForceInline
  public static void enter(int method) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    if (U.getLong(null, entry) == tid) {
      long state = U.getLong(null, entry + 8);
      int site = U.getInt(null, state + SITE);
      U.putInt(null, state + SITE, 0);
      long way = state + SITE_COUNTS + ((long) site << SITE_COUNTS_LOG2_SIZE);
      if (U.getInt(null, way) == method) {
        U.putLong(null, way + WAY_COUNT, U.getLong(null, way + WAY_COUNT) + 1);
      } else {
        enterOther(method, site, way, tid);
      }
    } else {
      enterUnknown(method, tid);
    }
  }

  /** Before each call of a probed method's body (exact mode): announces the call site. */
  @ForceInline
  public static void site(int site) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    if (U.getLong(null, entry) == tid) {
      U.putInt(null, U.getLong(null, entry + 8) + SITE, site);
    }
  }

  /**
   * At the entry of each probed method (exact mode by context): counts one call in the context of the
   * latest announced call site, and returns the method's own context.
   */
  @DontInline
  public static int enterContext(int method) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    if (U.getLong(null, entry) != tid) {
      return newContext(method, tid);
    }
    long state = U.getLong(null, entry + 8);
    int parent = U.getInt(null, state + CONTEXT);
    int site = U.getInt(null, state + CONTEXT_SITE);
    long mixed = (((long) site << 32) | method) * FACTOR ^ parent;
    int place = (int) (mixed * FACTOR >>> (64 - LOG2_CONTEXT_INDEX));
    while (true) {
      int node = U.getIntAcquire(null, CONTEXT_INDEX + ((long) place << 2));
      if (node == 0) {
        return newContext(method, tid);
      }
      long at = NODES + ((long) node << LOG2_NODE_SIZE);
      if (U.getInt(null, at) == parent
          && U.getInt(null, at + 4) == site
          && U.getInt(null, at + 8) == method) {
        U.getAndAddLong(null, at + NODE_CALLS, 1);
        U.putInt(null, state + CONTEXT, node);
        return node;
      }
      place = (place + 1) & ((1 << LOG2_CONTEXT_INDEX) - 1);
    }
  }

  /** Before each call of a probed method's body (exact mode by context): who calls next, and where. */
  @ForceInline
  public static void siteContext(int context, int site) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    if (U.getLong(null, entry) == tid) {
      long state = U.getLong(null, entry + 8);
      U.putInt(null, state + CONTEXT, context);
      U.putInt(null, state + CONTEXT_SITE, site);
    }
  }

  /**
   * Before each return of a probed method (exact mode by context): its caller runs again. That one
   * announces its own calls; but it may be code without probes, which calls more methods with them.
   */
  @ForceInline
  public static void leaveContext(int context) {
    long node = NODES + ((long) context << LOG2_NODE_SIZE);
    siteContext(U.getInt(null, node), U.getInt(null, node + 4));
  }

  /** Before a call (mode edges): a call site that has yet to run, or may reach methods it has not. */
  public static void announce(int site) {
    if (U.getByte(null, SITES + site) != 0) {
      announceSlowly(site, 0, 0, 0, 0, 0); // The longs as in check.
    }
  }

  /** At the entry of each probed method (mode edges): one that something may call which has not. */
  public static void discover(int method) {
    if (U.getByte(null, METHODS + method) != 0) {
      discoverSlowly(method, 0, 0, 0, 0, 0);
    }
  }

  /**
   * Before a virtual call that would often announce itself, or be looked at (mode edges). What it
   * calls with a receiver of that class is known; where other code may call that as well, announces
   * it. Nothing can lie between, since the receiver's class is initialised.
   */
  @DontInline
  public static void receive(Object receiver, int site) {
    if (receiver == null || U.getByte(null, SITES) == 0) {
      return; // The call throws; or the recording has ended.
    }
    long key = receiverKey(receiver, site);
    long set = RECEIVERS + ((key >>> TAG_BITS) << 4);
    long tag = ENTRY | (key & TAG_MASK);
    long entry = U.getLong(null, set);
    if ((entry & (ENTRY | TAG_MASK)) != tag) {
      entry = U.getLong(null, set + 8);
      if ((entry & (ENTRY | TAG_MASK)) != tag) {
        received(receiver, site, U.getLong(Thread.currentThread(), TID));
        return;
      }
    }
    if ((entry & ANNOUNCES) != 0) {
      announce(site);
      return;
    }
    int method = (int) (entry >>> TAG_BITS) & ((1 << LOG2_MAX_METHODS) - 1);
    if (method != 0 && (U.getByte(null, METHODS + method) & METHOD_OPEN) != 0) {
      long tid = U.getLong(Thread.currentThread(), TID);
      long at = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
      if (U.getLong(null, at) == tid) {
        U.putInt(null, U.getLong(null, at + 8) + EXPECTED, method);
      }
    }
  }

  /** Counts an announcement, which may be lost beside another thread's. True once, or nearly so. */
  @ForceInline
  private static boolean isOften(int site) {
    long count = ANNOUNCEMENTS + ((long) site << 2);
    int before = U.getInt(null, count);
    if (before == 1 << LOG2_OFTEN) {
      return false;
    }
    U.putInt(null, count, before + 1);
    return before + 1 == 1 << LOG2_OFTEN;
  }

  @ForceInline
  static long receiverKey(Object receiver, int site) {
    long both = ((long) site << HASH_BITS) | System.identityHashCode(receiver.getClass());
    return (both * FACTOR) & KEY_MASK;
  }

  @DontInline
  private static void announceSlowly(int site, long a, long b, long c, long d, long e) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    if (U.getLong(null, entry) == tid) {
      long state = U.getLong(null, entry + 8);
      U.putInt(null, state + SITE, site);
      U.putInt(null, state + EXPECTED, 0);
      if ((U.getByte(null, SITES + site) & SITE_FRESH) == 0 && !isOften(site)) {
        return;
      }
    }
    reached(site, tid);
  }

  // Without an announcement a method is called by call sites that are done; an open one by others.
  @DontInline
  private static void discoverSlowly(int method, long a, long b, long c, long d, long e) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    int site = 0;
    if (U.getLong(null, entry) == tid) {
      long state = U.getLong(null, entry + 8);
      int expected = U.getInt(null, state + EXPECTED);
      if (expected != 0) {
        U.putInt(null, state + EXPECTED, 0);
        if (expected == method) {
          U.putInt(null, state + SITE, 0);
          return;
        }
      }
      site = U.getInt(null, state + SITE);
      U.putInt(null, state + SITE, 0);
      int flags = U.getByte(null, METHODS + method);
      if ((flags & METHOD_LOOKS) == 0) {
        long pair = ((long) site << 32) | method;
        long slot = (pair * FACTOR) >>> (64 - PAIRS_LOG2_SIZE);
        if (site == 0
            ? (flags & METHOD_OPEN) == 0
            : U.getLong(null, PAIRS + (slot << 3)) == pair) {
          return;
        }
      }
    }
    discovered(method, site, tid);
  }

  // The longs are there for check's operand stack.
  @DontInline
  static void armed(int method, long a, long b, long c, long d, long e) {
    if (method == 0) {
      return; // Priming.
    }
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    if (U.getLong(null, entry) == tid) {
      long state = U.getLong(null, entry + 8);
      if (U.getInt(null, state + THREAD_TICK) == U.getInt(null, CONTROL + TICK)) {
        long left = U.getLong(null, state + COUNTDOWN) - 1;
        U.putLong(null, state + COUNTDOWN, left);
        if (left > 0) {
          return;
        }
      }
    }
    sample(method, tid);
  }

  // The site's second to last way: a polymorphic call.
  @DontInline
  private static void enterOther(int method, int site, long way, long tid) {
    for (int i = 1; i < 1 << (SITE_COUNTS_LOG2_SIZE - TABLE_ENTRY_LOG2_SIZE); i++) {
      way += WAY_SIZE;
      if (U.getInt(null, way) == method) {
        U.putLong(null, way + WAY_COUNT, U.getLong(null, way + WAY_COUNT) + 1);
        return;
      }
    }
    if (method > 0) {
      count(method, site, tid);
    }
  }

  @DontInline
  private static void enterUnknown(int method, long tid) {
    if (method > 0) {
      count(method, 0, tid);
    }
  }

  private static long discoveryLayout() {
    return LOG2_MAX_SITES + (LOG2_MAX_METHODS << 8) + (PAIRS_LOG2_SIZE << 16)
        + ((long) SITE_FRESH << 24) + ((long) METHOD_LOOKS << 32) + ((long) METHOD_OPEN << 40)
        + ((long) LOG2_OFTEN << 48) + ((long) EXPECTED << 56);
  }

  private static long contextLayout() {
    return LOG2_CONTEXT_INDEX + (LOG2_NODE_SIZE << 8) + (NODE_CALLS << 16) + ((long) CONTEXT << 24)
        + ((long) CONTEXT_SITE << 32);
  }

  private static long layout() {
    return ARMED + (TICK << 4) + ((long) SITE << 8) + ((long) THREAD_TICK << 12)
        + ((long) COUNTDOWN << 16) + ((long) SITE_COUNTS << 24)
        + ((long) SITE_COUNTS_LOG2_SIZE << 32) + ((long) WAY_SIZE << 40)
        + ((long) TABLE_LOG2_SIZE << 48) + ((long) TABLE_ENTRY_LOG2_SIZE << 56);
  }

  private static native long controlAddress(long layout);

  private static native long tableAddress();

  private static native long discoveryAddress(long layout);

  private static native long contextAddress(long layout);

  static native int newContext(int method, long tid);

  static native void sample(int method, long tid);

  static native void count(int method, int site, long tid);

  static native void reached(int site, long tid);

  static native void discovered(int method, int site, long tid);

  static native void received(Object receiver, int site, long tid);

  /** Reflection is about to make what calls a method or constructor (mode edges). */
  public static native void reflect(Object member);
}
