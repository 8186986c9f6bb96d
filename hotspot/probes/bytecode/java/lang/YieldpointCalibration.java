package java.lang;

import static java.lang.YieldpointProbe.*;

/**
 * What the agent runs once, before classes are rewritten: it makes the compilers know both ways of
 * each probe of {@link YieldpointProbe}, and measures what a probe costs.
 */
final class YieldpointCalibration {
  private static final int CALIBRATION_CALLS = 5000;
  private static final int SLOW_CALIBRATION_CALLS = 500;
  private static final int EXACT = 0;
  private static final int CONTEXTS = 1;
  private static final int EDGES = 2;
  private static final int FIBONACCI = 16;
  private static final int FIBONACCI_CALLS = 3193; // That it takes to compute that number.
  private static final int LOST_NODE = 1; // Of calls for which there was no room.

  private YieldpointCalibration() {}

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
}
