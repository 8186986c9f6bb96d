package wl;

/**
 * Lee's program of unequally spaced calls (TACO 2015, Figure 1): {@code dense} and {@code sparse}
 * call {@code compute} equally often, but a call from {@code sparse} takes twice as long. A sampler
 * by time sees the latter twice as often.
 */
public final class CallDensityBias implements Workload {
  private static final int CALLS = 1_500_000;

  @Override
  public long run() {
    return dense(CALLS) + 31 * sparse(CALLS);
  }

  static long dense(int repeat) {
    long sum = 0;
    for (int i = 0; i < repeat; i++) {
      sum += compute(i, 1);
    }
    return sum;
  }

  static long sparse(int repeat) {
    long sum = 0;
    for (int i = 0; i < repeat; i++) {
      sum += compute(i, 2);
    }
    return sum;
  }

  /** Takes a time in proportion to {@code size}. */
  private static long compute(long seed, int size) {
    long x = seed;
    for (int i = 0; i < 60 * size; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    return x;
  }
}
