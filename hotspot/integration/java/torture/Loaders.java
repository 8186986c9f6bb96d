package torture;

import java.util.function.IntUnaryOperator;

/** Classes whose loaders go away while their compiled methods have just been in use. */
public final class Loaders implements Stressor {
  /** What is loaded again and again. */
  public static final class Guest implements IntUnaryOperator {
    private static int calls;
    private final int[] table = new int[16];

    static int shared(int x) {
      return x * 3 + 1;
    }

    private int looked(int x) {
      return table[x & 15]++;
    }

    @Override
    public int applyAsInt(int x) {
      calls++;
      IntUnaryOperator next = y -> shared(y) ^ looked(y);
      return next.applyAsInt(x) + shared(x + 1) + (calls & 1);
    }
  }

  static int drive(IntUnaryOperator guest, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum = sum * 31 + guest.applyAsInt(i);
    }
    return sum;
  }

  @Override
  public long run(long seed, int round) throws ReflectiveOperationException {
    long checksum = seed;
    for (int i = 0; i < 12; i++) {
      IntUnaryOperator guest =
          (IntUnaryOperator) new Throwaway(Guest.class).create(Guest.class);
      checksum = Stressor.mix(checksum, drive(guest, 2500));
    }
    return checksum;
  }
}
