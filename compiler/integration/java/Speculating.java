/**
 * Loops whose arrays are checked before them, called with arrays for which that is wrong: what the
 * loop does before it comes to the wrong index, and whether it comes to it at all, must be as it is
 * in the interpreter.
 */
public final class Speculating {
  // Long enough for all to be compiled, wherever the compiler's thread is.
  private static final long WARM_NANOS = 700_000_000;

  private Speculating() {}

  /** The index goes up; fails at the array's end, with what was stored before. */
  private static int up(int[] to, int first, int limit, int added) {
    int stored = 0;
    for (int i = first; i < limit; i++) {
      to[i + added] = i;
      stored++;
    }
    return stored;
  }

  private static int down(long[] from, int first, int last) {
    long sum = 0;
    for (int i = first; i >= last; i--) {
      sum = sum * 31 + from[i];
    }
    return (int) sum;
  }

  private static double twoAtOnce(double[] a, double[] b, int limit) {
    double sum = 0;
    for (int i = 0; i <= limit; i += 2) {
      sum += a[i] * b[i + 1];
    }
    return sum;
  }

  private static int rows(int[][] rows, int limit) {
    int sum = 0;
    for (int i = 0; i < limit; i++) {
      for (int j = 0; j < i; j++) {
        sum += rows[i][j];
      }
    }
    return sum;
  }

  /** The counter would wrap. */
  private static int last(byte[] bytes, int first) {
    int count = 0;
    for (int i = first; i <= Integer.MAX_VALUE; i += 1 << 30) {
      if (i < 0 || count > 5) {
        return -count;
      }
      count += bytes == null ? 1 : bytes[i & 3];
    }
    return count;
  }

  private static Object tried(java.util.function.IntSupplier supplier) {
    try {
      return supplier.getAsInt();
    } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
      return e.getClass().getSimpleName() + " at line " + e.getStackTrace()[0].getLineNumber();
    }
  }

  public static void main(String[] arguments) {
    int[] ints = new int[20];
    long[] longs = new long[20];
    double[] doubles = new double[20];
    int[][] rows = new int[20][20];
    for (int i = 0; i < 20; i++) {
      longs[i] = i * 7L;
      doubles[i] = i / 3.0;
      java.util.Arrays.fill(rows[i], i);
    }
    long hash;
    long end = System.nanoTime() + WARM_NANOS;
    do {
      hash = up(ints, 0, 20, 0) + up(ints, 1, 15, 3) + down(longs, 19, 0);
      hash = hash * 31 + (long) twoAtOnce(doubles, doubles, 18) + rows(rows, 20);
      hash = hash * 31 + last(new byte[] {1, 2, 3, 4}, 0);
    } while (System.nanoTime() < end);
    System.out.println(hash);
    int[][] holes = {{}, {1}, null, {1, 2, 3}};
    for (int round = 0; round < 4; round++) {
      System.out.println(tried(() -> up(null, 5, 5, 0)) + " " + tried(() -> up(null, 5, 6, 0)));
      System.out.println(tried(() -> up(ints, 0, 25, 0)) + " " + ints[19]);
      System.out.println(tried(() -> up(ints, -3, 5, 0)) + " " + tried(() -> up(ints, -3, 5, 3)));
      System.out.println(tried(() -> up(ints, Integer.MAX_VALUE - 1, Integer.MAX_VALUE, 2)));
      System.out.println(tried(() -> up(ints, 0, Integer.MIN_VALUE, -5)));
      System.out.println(tried(() -> down(longs, 20, 0)) + " " + tried(() -> down(longs, 5, -1)));
      System.out.println(tried(() -> down(null, -1, 0)) + " " + tried(() -> down(longs, -1, 0)));
      System.out.println(tried(() -> (int) twoAtOnce(doubles, doubles, 19)));
      System.out.println(tried(() -> (int) twoAtOnce(doubles, doubles, Integer.MAX_VALUE)));
      System.out.println(tried(() -> rows(holes, 2)) + " " + tried(() -> rows(holes, 4)));
      System.out.println(tried(() -> last(null, 5)) + " " + tried(() -> last(null, -1)));
      for (int i = 0; i < 300; i++) {
        hash = hash * 31 + up(ints, 0, 20, 0) + down(longs, 19, 0) + rows(rows, 20);
      }
      System.out.println(hash);
    }
  }
}
