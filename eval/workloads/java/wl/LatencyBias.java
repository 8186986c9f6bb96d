package wl;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Lee's program of unequally spaced samples (TACO 2015, Figure 3): threads call {@code compute}
 * equally often with and without a lock that they contend for. A sampler that takes the first call
 * after a tick finds those that waited in the calls with the lock.
 */
public final class LatencyBias implements Workload {
  private static final int THREADS = 8;
  private static final int ITERATIONS = 1_500;
  private static final int CALLS = 50;

  private final Object lock = new Object();

  @Override
  public long run() throws Exception {
    AtomicLong sum = new AtomicLong();
    Workers.run(THREADS, worker -> sum.addAndGet(work(worker)));
    return sum.get();
  }

  private long work(int worker) {
    long sum = 0;
    for (int i = 0; i < ITERATIONS; i++) {
      synchronized (lock) {
        sum += locked(worker + i);
      }
      sum += free(worker + i);
    }
    return sum;
  }

  static long locked(long seed) {
    long sum = 0;
    for (int j = 0; j < CALLS; j++) {
      sum += compute(seed + j);
    }
    return sum;
  }

  static long free(long seed) {
    long sum = 0;
    for (int j = 0; j < CALLS; j++) {
      sum += compute(seed - j);
    }
    return sum;
  }

  private static long compute(long seed) {
    long x = seed;
    for (int i = 0; i < 200; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    return x;
  }
}
