package wl;

/** Pi by random points, with a generator of its own that is called for each number; as SciMark's. */
public final class MonteCarlo implements Workload {
  private static final int[] SIZES = {100, 10_000, 1_000_000};
  private static final Timings INTEGRATE = Timings.of("wl.MonteCarlo.integrate(I)I");

  /** Lehmer's, modulo 2^31 - 1. */
  private static final class Generator {
    private long state;

    Generator(long seed) {
      state = seed;
    }

    synchronized double next() {
      state = state * 48_271 % 0x7fff_ffff;
      return state / (double) 0x7fff_ffff;
    }
  }

  @Override
  public long run() {
    long checksum = 0;
    for (int size : SIZES) {
      for (int i = 0; i < 6_000_000 / size; i++) {
        long begun = Timings.now();
        int under = integrate(size);
        INTEGRATE.add(begun);
        checksum = 31 * checksum + under;
      }
    }
    return checksum;
  }

  static int integrate(int points) {
    Generator generator = new Generator(113);
    int under = 0;
    for (int i = 0; i < points; i++) {
      double x = generator.next();
      double y = generator.next();
      if (x * x + y * y <= 1) {
        under++;
      }
    }
    return under;
  }
}
