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
  private static final Unsafe U = Unsafe.getUnsafe();

  // Control block.
  private static final int ARMED = 0;
  private static final int TICK = 4;
  // Thread state; SITE_COUNTS is an array of WAYS pairs (int method, long count) for each call site.
  private static final int SITE = 0;
  private static final int THREAD_TICK = 4;
  private static final int COUNTDOWN = 8;
  private static final int EXPECTED = 16;
  private static final int CONTEXT = 20;
  private static final int CONTEXT_SITE = 24;
  private static final int SITE_COUNTS = 64;
  private static final int SITE_COUNTS_LOG2_SIZE = 6;
  private static final int WAY_SIZE = 16;
  private static final int WAY_COUNT = 8;
  // Thread table: pairs (long thread id, long state), indexed by the thread id's low bits.
  private static final int TABLE_LOG2_SIZE = 16;
  private static final int TABLE_ENTRY_LOG2_SIZE = 4;

  // Discovery tables: a byte for each call site, a byte for each method, pairs of both, and
  // sets of two entries by call site and receiver's class (63: there is one; 62: the site announces
  // itself; 32-52: method; 0-31: tag), an int for each call site.
  private static final int LOG2_MAX_SITES = 18;
  private static final int LOG2_MAX_METHODS = 21;
  private static final int PAIRS_LOG2_SIZE = 18;
  private static final int SITE_FRESH = 1;
  private static final int METHOD_LOOKS = 2 + 8; // Whoever calls it: fresh or watched.
  private static final int METHOD_OPEN = 4;
  private static final int LOG2_OFTEN = 12;
  private static final long FACTOR = 0x9e3779b97f4a7c15L; // Fibonacci hashing.
  private static final int HASH_BITS = 31; // Of an identity hash code.
  private static final long KEY_MASK = (1L << HASH_BITS + LOG2_MAX_SITES) - 1;
  private static final int TAG_BITS = 32;
  private static final long TAG_MASK = (1L << TAG_BITS) - 1;
  private static final long ENTRY = 1L << 63;
  private static final long ANNOUNCES = 1L << 62;

  // Context counts: an index of node numbers, and the nodes (int parent, site, method; long calls).
  private static final int LOG2_CONTEXT_INDEX = 24;
  private static final int LOG2_NODE_SIZE = 5;
  private static final int NODE_CALLS = 16;
  private static final int LOST_NODE = 1; // Of calls for which there was no room.

  private static final int CALIBRATION_CALLS = 5000;
  private static final int SLOW_CALIBRATION_CALLS = 500;
  private static final int EXACT = 0;
  private static final int CONTEXTS = 1;
  private static final int EDGES = 2;
  private static final int FIBONACCI = 16;
  private static final int FIBONACCI_CALLS = 3193; // That it takes to compute that number.

  private static final long TID = U.objectFieldOffset(Thread.class, "tid");
  private static final long CONTROL = controlAddress(layout());
  private static final long TABLE = tableAddress();
  private static final long SITES = discoveryAddress(discoveryLayout());
  private static final long METHODS = SITES + (1 << LOG2_MAX_SITES);
  private static final long PAIRS = METHODS + (1 << LOG2_MAX_METHODS);
  private static final long RECEIVERS = PAIRS + (8 << PAIRS_LOG2_SIZE);
  private static final long ANNOUNCEMENTS =
      RECEIVERS + (16 << HASH_BITS + LOG2_MAX_SITES - TAG_BITS);

  private static final long CONTEXT_INDEX = contextAddress(contextLayout());
  private static final long NODES = CONTEXT_INDEX + (4L << LOG2_CONTEXT_INDEX);

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
  private static long receiverKey(Object receiver, int site) {
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
  private static void armed(int method, long a, long b, long c, long d, long e) {
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

  /**
   * Runs the checks often enough, both ways, for the interpreter and C1 to record that
   * every branch is taken: otherwise C2 prunes the armed branch from every method that
   * it inlines a check into, and the first armed tick deoptimises them all. Armed is the exception, as
   * it will be: the compiler puts that branch out of line and spills no register for it elsewhere.
   */
  private static void prime(int rounds) {
    for (int i = 0; i < rounds; i++) {
      U.putByte(null, CONTROL + ARMED, (byte) ((i & 63) == 0 ? 1 : 0));
      check(0);
    }
    U.putByte(null, CONTROL + ARMED, (byte) 0);
    // Links the native method: the VM looks it up by Java code, which may have the probe itself. And
    // gives this thread a countdown without an end.
    sample(0, U.getLong(Thread.currentThread(), TID));
  }

  /**
   * How long it takes to count one armed call down, in ps: the shortest of the measurements that fit
   * into {@code budgetNanos}, since all that disturbs one makes it longer. Code that has just been
   * loaded is slow at first: the budget has to outlast its compilation.
   */
  private static long armedCallPicoseconds(long budgetNanos) {
    long best = Long.MAX_VALUE;
    long begin = System.nanoTime();
    long end = begin + budgetNanos;
    do {
      for (int i = 0; i < CALIBRATION_CALLS; i++) {
        armed(1, 0, 0, 0, 0, 0);
      }
      long now = System.nanoTime();
      best = Math.min(best, now - begin);
      begin = now;
    } while (begin - end < 0);
    return best * 1000 / CALIBRATION_CALLS;
  }

  /**
   * How long it takes a call to get to the agent and back, in ps: the same measurement, with a call
   * of no method, of which the agent makes nothing.
   */
  private static long slowPathPicoseconds(long budgetNanos) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long best = Long.MAX_VALUE;
    long begin = System.nanoTime();
    long end = begin + budgetNanos;
    do {
      for (int i = 0; i < SLOW_CALIBRATION_CALLS; i++) {
        sample(0, tid);
      }
      long now = System.nanoTime();
      best = Math.min(best, now - begin);
      begin = now;
    } while (begin - end < 0);
    return best * 1000 / SLOW_CALIBRATION_CALLS;
  }

  /**
   * How long a call takes without probes, and (the lower half) with those of a mode, in ps: the
   * shortest computations within {@code budgetNanos} of a Fibonacci number, which does little else
   * than call. A loop of probes alone would leave out what they keep the compiler from doing. By
   * turns, so that both are compiled by the end. After the priming of that mode, with the numbers of
   * which nothing is told.
   */
  private static long callPicoseconds(long budgetNanos, int probing) {
    long plain = Long.MAX_VALUE;
    long probed = Long.MAX_VALUE;
    long begin = System.nanoTime();
    long end = begin + budgetNanos;
    do {
      plainFibonacci(FIBONACCI);
      long middle = System.nanoTime();
      if (probing == EXACT) {
        exactFibonacci(FIBONACCI);
      } else if (probing == CONTEXTS) {
        contextFibonacci(FIBONACCI);
      } else {
        edgeFibonacci(FIBONACCI);
      }
      long now = System.nanoTime();
      plain = Math.min(plain, middle - begin);
      probed = Math.min(probed, now - middle);
      begin = now;
    } while (begin - end < 0);
    return (plain * 1000 / FIBONACCI_CALLS << 32)
        | Math.min(Integer.MAX_VALUE, probed * 1000 / FIBONACCI_CALLS);
  }

  private static int plainFibonacci(int n) {
    return n < 2 ? n : plainFibonacci(n - 1) + plainFibonacci(n - 2);
  }

  private static long exactCallPicoseconds(long budgetNanos) {
    return callPicoseconds(budgetNanos, EXACT);
  }

  private static int exactFibonacci(int n) {
    enter(0);
    if (n < 2) {
      return n;
    }
    site(0);
    int sum = exactFibonacci(n - 1);
    site(0);
    return sum + exactFibonacci(n - 2);
  }

  /** The node of lost calls, its own parent, which no other call finds, is in the index meanwhile. */
  private static long contextCallPicoseconds(long budgetNanos) {
    long tid = U.getLong(Thread.currentThread(), TID);
    long entry = TABLE + ((tid & ((1 << TABLE_LOG2_SIZE) - 1)) << TABLE_ENTRY_LOG2_SIZE);
    if (U.getLong(null, entry) != tid) {
      return 0;
    }
    long state = U.getLong(null, entry + 8);
    long node = NODES + ((long) LOST_NODE << LOG2_NODE_SIZE);
    int parent = U.getInt(null, node);
    int context = U.getInt(null, state + CONTEXT);
    int site = U.getInt(null, state + CONTEXT_SITE);
    long calls = U.getLong(null, node + NODE_CALLS);
    int place = (int) (LOST_NODE * FACTOR >>> (64 - LOG2_CONTEXT_INDEX));
    while (U.getInt(null, CONTEXT_INDEX + ((long) place << 2)) != 0) {
      place = (place + 1) & ((1 << LOG2_CONTEXT_INDEX) - 1);
    }
    U.putInt(null, node, LOST_NODE);
    U.putInt(null, CONTEXT_INDEX + ((long) place << 2), LOST_NODE);
    siteContext(LOST_NODE, 0);
    long picoseconds = callPicoseconds(budgetNanos, CONTEXTS);
    U.putInt(null, CONTEXT_INDEX + ((long) place << 2), 0);
    U.putInt(null, node, parent);
    U.putLong(null, node + NODE_CALLS, calls);
    U.putInt(null, state + CONTEXT, context);
    U.putInt(null, state + CONTEXT_SITE, site);
    return picoseconds;
  }

  private static int contextFibonacci(int n) {
    int context = enterContext(0);
    int sum = n;
    if (n >= 2) {
      siteContext(context, 0);
      sum = contextFibonacci(n - 1);
      siteContext(context, 0);
      sum += contextFibonacci(n - 2);
    }
    leaveContext(context);
    return sum;
  }

  /** Of calls that have nothing to tell. */
  private static long edgeCallPicoseconds(long budgetNanos) {
    return callPicoseconds(budgetNanos, EDGES);
  }

  private static int edgeFibonacci(int n) {
    discover(0);
    if (n < 2) {
      return n;
    }
    announce(0);
    int sum = edgeFibonacci(n - 1);
    announce(0);
    return sum + edgeFibonacci(n - 2);
  }

  /**
   * What {@code prime} does, for exact mode: before and after the agent knows this thread. No callee
   * has a number below 1: number 0 finds the never used counters of call site 0, number -1 finds none.
   */
  private static void primeExact(int rounds) {
    for (int i = 0; i < rounds; i++) {
      site(0);
      enter(0);
    }
    count(0, 0, U.getLong(Thread.currentThread(), TID));
    for (int i = 0; i < rounds; i++) {
      site(0);
      enter(-(i & 1));
    }
  }

  /** Links the native method, while no class has its probes. */
  private static void primeContexts(int rounds) {
    newContext(0, U.getLong(Thread.currentThread(), TID));
  }

  /** What {@code prime} does, for mode edges, while no class has its probes. */
  private static void primeEdges(int rounds) {
    Object receiver = "";
    long key = receiverKey(receiver, 0);
    long set = RECEIVERS + ((key >>> TAG_BITS) << 4);
    long entry = ENTRY | (1L << TAG_BITS) | (key & TAG_MASK);
    for (int i = 0; i < rounds; i++) {
      U.putByte(null, METHODS + 1, (byte) ((i & 1) == 0 ? METHOD_OPEN : 0));
      U.putLong(null, set, (i & 2) == 0 ? entry : 0);
      U.putLong(null, set + 8, entry);
      U.putByte(null, SITES, (byte) SITE_FRESH);
      receive((i & 63) == 0 ? null : receiver, 0);
      U.putByte(null, SITES, (byte) ((i & 63) == 0 ? 2 * SITE_FRESH : 0));
      U.putByte(null, METHODS, (byte) ((i & 63) == 0 ? METHOD_OPEN : 0));
      announce(0);
      discover(0);
      if (i == 0) {
        long tid = U.getLong(Thread.currentThread(), TID);
        reached(0, tid);
        discovered(0, 0, tid);
        reflect(null);
        received(null, 0, tid);
      }
    }
    discovered(0, 0, U.getLong(Thread.currentThread(), TID)); // Takes what was announced last.
    U.putByte(null, METHODS + 1, (byte) 0);
    U.putLong(null, set, 0);
    U.putLong(null, set + 8, 0);
    U.putByte(null, SITES, (byte) 0);
    U.putByte(null, METHODS, (byte) 0);
    U.putInt(null, ANNOUNCEMENTS, 0);
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

  private static native int newContext(int method, long tid);

  private static native void sample(int method, long tid);

  private static native void count(int method, int site, long tid);

  private static native void reached(int site, long tid);

  private static native void discovered(int method, int site, long tid);

  private static native void received(Object receiver, int site, long tid);

  /** Reflection is about to make what calls a method or constructor (mode edges). */
  public static native void reflect(Object member);
}
