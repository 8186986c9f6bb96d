import java.util.Arrays;

/**
 * Loops whose iterations compute the same of elements that lie side by side, over arrays that are one
 * or two, of few elements and more: what they store must be what the interpreter stores.
 */
public final class Vectors {
  // Long enough for all to be compiled, wherever the compiler's thread is.
  private static final long WARM_NANOS = 1_200_000_000;
  private static final int MOST = 20;

  private Vectors() {}

  private static int added = 3;
  private static volatile boolean stops;

  private static void multiplyAndSubtract(double[] a, double[] b, double x, int first, int limit) {
    for (int i = first; i < limit; i++) {
      a[i] -= x * b[i];
    }
  }

  private static void fromBefore(double[] a, double[] b, int first, int limit) {
    for (int i = first + 1; i < limit; i++) {
      a[i] = b[i - 1] + 1;
    }
  }

  private static void fromBehind(double[] a, double[] b, int first, int limit) {
    for (int i = first; i < limit - 1; i++) {
      a[i] = b[i + 1] / b[i];
    }
  }

  private static void divide(float[] a, float[] b, float x, int first, int limit) {
    for (int i = first; i < limit; i++) {
      a[i] = (a[i] + b[i]) / (x - b[i]) * a[i];
    }
  }

  private static void floatsFromBefore(float[] a, float[] b, int distance, int limit) {
    if (distance == 1) {
      for (int i = 1; i < limit; i++) {
        a[i] = b[i - 1] * 3;
      }
    } else if (distance == 3) {
      for (int i = 3; i < limit; i++) {
        a[i] = b[i - 3] * 3;
      }
    } else {
      for (int i = 4; i < limit; i++) {
        a[i] = b[i - 4] * 3;
      }
    }
  }

  private static void ints(int[] a, int[] b, int x, int first, int limit) {
    for (int i = first; i < limit; i++) {
      a[i] = ((a[i] + b[i] - x) ^ (b[i] << 5)) & ~(a[i] >> 3) | b[i] >>> 30;
    }
  }

  private static void intsBothWays(int[] a, int[] b, int first, int limit) {
    for (int i = first + 1; i < limit - 1; i++) {
      a[i] = b[i - 1] + b[i + 1];
    }
  }

  private static void intsBehind(int[] a, int[] b, int first, int limit) {
    for (int i = first; i < limit - 1; i++) {
      a[i] += b[i + 1];
    }
  }

  private static void longs(long[] a, long[] b, long x, int first, int limit) {
    for (int i = first; i < limit; i++) {
      a[i] = (a[i] - x ^ b[i] << 33) + (b[i] >>> 63) | a[i] & x;
    }
  }

  private static void longsBefore(long[] a, long[] b, int first, int limit) {
    for (int i = first + 1; i < limit; i++) {
      a[i] = b[i - 1] + Long.MAX_VALUE;
    }
  }

  /** Stores to what may be one element, in another iteration. */
  private static void twoStores(int[] a, int[] b, int[] c, int first, int limit) {
    for (int i = first; i < limit - 1; i++) {
      a[i] = c[i] + 1;
      b[i + 1] = c[i] - 1;
    }
  }

  private static void storesAside(int[] a, int[] b, int[] c, int first, int limit) {
    for (int i = first; i < limit; i++) {
      a[i] = c[i] + added;
      b[i] = a[i] ^ c[i];
    }
  }

  /** Not one of these types is in memory what another one is. */
  private static void mixed(float[] a, int[] b, float x, int first, int limit) {
    for (int i = first; i < limit - 1; i++) {
      a[i] = a[i + 1] + x;
      b[i + 1] = b[i + 1] + added;
    }
  }

  private static int fill(double[] a, int[] b, long[] c, int limit) {
    int i = 0, stored = 5;
    for (; i < limit; i++) {
      b[i] = -1;
      stored++;
    }
    for (int j = 0; j < i; j++) {
      a[j] = -0.0;
    }
    for (int j = 0; j < i; j++) {
      c[j] = Long.MIN_VALUE;
    }
    return i * 1000 + stored;
  }

  private static double sum(double[] a, double[] b, int limit) {
    double sum = 0, last = 7;
    for (int i = 0; i < limit; i++) {
      sum += a[i] * b[i];
      last = b[i];
      b[i] = a[i];
    }
    return sum + last;
  }

  private static void down(int[] a, int[] b, int first) {
    for (int i = first; i >= 0; i--) {
      a[i] = b[i] + 1;
    }
    for (int i = first; i > 0; i--) {
      a[i] ^= b[i - 1];
    }
    for (int i = first; i > 0; i--) {
      a[i - 1] = b[i] - 3;
    }
  }

  private static void downByTwoPlaces(double[] a, double[] b, int first) {
    for (int i = first - 2; i >= 0; i--) {
      a[i] = b[i + 2] * b[i + 1];
    }
    for (int i = first - 2; i > 0; i--) {
      a[i + 1] = b[i - 1] + a[i];
    }
  }

  /** More values than there are registers. */
  private static void many(double[] a, double[] b, double x, double y, int limit) {
    double c = x + y, d = x - y, e = x * y, f = y - x, g = x * x, h = y * y, k = c * d, l = c - e;
    double m = d * f, n = e + g, o = g - h, p = h * k, q = k + l, r = l * m, s = m - n, t = n + o;
    for (int i = 0; i < limit; i++) {
      a[i] = ((((b[i] * c + d) * e - f) * g + h) * k - l) * m + n;
      a[i] = ((((a[i] * o + p) - q) * r + s) * t - c) * x + y + d * b[i];
    }
  }

  /** Ends when another thread says so. */
  private static int untilStopped(int[] a, int[] b) {
    int rounds = 0;
    do {
      for (int i = 0; i < a.length; i++) {
        a[i] = b[i] + 1;
      }
      rounds = 1;
    } while (!stops);
    return rounds;
  }

  /** Polls stop the thread in it. */
  private static void large(int[] a, int[] b) {
    for (int i = 0; i < a.length; i++) {
      a[i] += b[i];
    }
  }

  private static double[] doubles(int seed) {
    double[] special = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, 1e300};
    double[] a = new double[MOST + 2];
    for (int i = 0; i < a.length; i++) {
      a[i] = (i + seed) % 4 == 0 ? special[(i + seed) / 4 % special.length] : (seed * 7 + i) * 0.37 - 3;
    }
    return a;
  }

  private static float[] floats(int seed) {
    float[] a = new float[MOST + 2];
    double[] from = doubles(seed);
    for (int i = 0; i < a.length; i++) {
      a[i] = (float) from[i];
    }
    return a;
  }

  private static int[] ints(int seed) {
    int[] special = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1};
    int[] a = new int[MOST + 2];
    for (int i = 0; i < a.length; i++) {
      a[i] = (i + seed) % 3 == 0 ? special[(i + seed) / 3 % 3] : (seed + i) * 0x9e3779b9;
    }
    return a;
  }

  private static long[] longs(int seed) {
    long[] a = new long[MOST + 2];
    for (int i = 0; i < a.length; i++) {
      a[i] = (i + seed) % 5 == 0 ? Long.MAX_VALUE - seed % 2 : (seed + i) * 0x9e3779b97f4a7c15L;
    }
    return a;
  }

  private static long hashOf(double[] a, double[] b, float[] c, float[] d) {
    long hash = Arrays.hashCode(a) * 31L + Arrays.hashCode(b);
    return (hash * 31 + Arrays.hashCode(c)) * 31 + Arrays.hashCode(d);
  }

  private static long hashOf(int[] a, int[] b, long[] c, long[] d) {
    long hash = Arrays.hashCode(a) * 31L + Arrays.hashCode(b);
    return (hash * 31 + Arrays.hashCode(c)) * 31 + Arrays.hashCode(d);
  }

  /** All loops, from and to these indices, with arrays of which the second may be the first. */
  private static long all(int first, int limit, boolean one) {
    double[] a = doubles(first + limit), b = one ? a : doubles(limit);
    float[] c = floats(limit), d = one ? c : floats(first + 3);
    int[] e = ints(limit), f = one ? e : ints(first + 1), g = ints(7);
    long[] h = longs(first), k = one ? h : longs(limit);
    multiplyAndSubtract(a, b, 1.25, first, limit);
    long hash = hashOf(a, b, c, d);
    fromBefore(a, b, first, limit);
    hash = hash * 31 + hashOf(a, b, c, d);
    fromBehind(a, b, first, limit);
    divide(c, d, 0.5f, first, limit);
    hash = hash * 31 + hashOf(a, b, c, d);
    for (int distance : new int[] {1, 3, 4}) {
      floatsFromBefore(c, d, distance, limit);
      hash = hash * 31 + hashOf(a, b, c, d);
    }
    ints(e, f, 0x1234_5678, first, limit);
    longs(h, k, 0x1234_5678_9abc_def0L, first, limit);
    hash = hash * 31 + hashOf(e, f, h, k);
    intsBothWays(e, f, first, limit);
    longsBefore(h, k, first, limit);
    hash = hash * 31 + hashOf(e, f, h, k);
    intsBehind(e, f, first, limit);
    hash = hash * 31 + hashOf(e, f, h, k);
    twoStores(e, f, g, first, limit);
    hash = hash * 31 + hashOf(e, f, h, k);
    storesAside(e, f, g, first, limit);
    hash = hash * 31 + hashOf(e, f, h, k);
    mixed(c, e, 1.5f, first, limit);
    down(e, f, limit - 1);
    downByTwoPlaces(a, b, limit - 1);
    many(a, b, 0.125, -3, limit);
    hash = hash * 31 + hashOf(a, b, c, d) + hashOf(e, f, h, k);
    hash = hash * 31 + Double.doubleToLongBits(sum(a, b, limit));
    hash = hash * 31 + fill(a, e, h, limit);
    return hash * 31 + hashOf(a, b, c, d) + hashOf(e, f, h, k);
  }

  public static void main(String[] arguments) throws InterruptedException {
    long end = System.nanoTime() + WARM_NANOS;
    long hash;
    do {
      hash = 0;
      for (int limit = 0; limit <= MOST; limit++) {
        hash = hash * 31 + all(limit % 3, limit, limit % 2 == 0);
      }
    } while (System.nanoTime() < end);
    System.out.println(hash);
    for (int limit = 0; limit <= MOST; limit++) {
      for (int first = 0; first <= 2; first++) {
        System.out.println(limit + " " + first + ": " + all(first, limit, false) + " " + all(first, limit, true));
      }
    }
    int[] a = new int[1000], b = ints(3);
    Thread thread = new Thread(() -> System.out.println(untilStopped(a, Arrays.copyOf(b, a.length))));
    thread.start();
    int[] large = new int[1_000_000], other = large.clone();
    Arrays.fill(other, 3);
    for (int i = 0; i < 20; i++) {
      large(large, other);
      if (i % 10 == 0) {
        System.gc();
      }
    }
    stops = true;
    thread.join();
    System.out.println(Arrays.hashCode(large) + " " + Arrays.hashCode(a));
    // Too short for the last iterations.
    for (int limit = MOST; limit < MOST + 6; limit++) {
      double[] x = doubles(1), y = doubles(2);
      try {
        multiplyAndSubtract(x, y, 2, 1, limit);
      } catch (ArrayIndexOutOfBoundsException e) {
        System.out.println(e.getMessage());
      }
      System.out.println(Arrays.hashCode(x));
    }
  }
}
