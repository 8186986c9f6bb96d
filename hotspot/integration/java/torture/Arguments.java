package torture;

import java.util.Arrays;
import java.util.Random;

/** Arguments of every type in all registers and on the stack; results of every type. */
public final class Arguments implements Stressor {
  interface Receiver {
    double call(int a, double b, long c, float d, Object e, int f, double g, long h, float i,
        double j, int k, long l, double m, float n, double o, int p, double q, double r, Long s);
  }

  static final class First implements Receiver {
    @Override
    public double call(int a, double b, long c, float d, Object e, int f, double g, long h, float i,
        double j, int k, long l, double m, float n, double o, int p, double q, double r, Long s) {
      return a + 2 * b + 3 * c + 4 * d + 5 * (Integer) e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j
          + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q + 18 * r + 19 * s;
    }
  }

  static final class Second implements Receiver {
    private final Receiver next;

    Second(Receiver next) {
      this.next = next;
    }

    @Override
    public double call(int a, double b, long c, float d, Object e, int f, double g, long h, float i,
        double j, int k, long l, double m, float n, double o, int p, double q, double r, Long s) {
      return next.call(f, g, h, i, a + 1, k, j, l, n, m, p, s, o, d, q, a, r, b, c) - b;
    }
  }

  static final class Third implements Receiver {
    private final Receiver next;

    Third(Receiver next) {
      this.next = next;
    }

    @Override
    public synchronized double call(int a, double b, long c, float d, Object e, int f, double g,
        long h, float i, double j, int k, long l, double m, float n, double o, int p, double q,
        double r, Long s) {
      double below = next.call(k, r, l, n, e, p, q, s, d, o, a, c, b, i, g, f, j, m, h);
      return below + a - c + e.hashCode();
    }
  }

  static long integers(boolean a, byte b, char c, short d, int e, long f, int g, long h, byte i) {
    return (a ? 1 : 0) + 3L * b + 5L * c + 7L * d + 11L * e + 13L * f + 17L * g + 19L * h + 23L * i;
  }

  static float floats(float a, float b, float c, float d, float e, float f, float g, float h,
      float i, float j) {
    return a - 2 * b + 3 * c - 4 * d + 5 * e - 6 * f + 7 * g - 8 * h + 9 * i - 10 * j;
  }

  static double doubles(double a, double b, double c, double d, double e, double f, double g,
      double h, double i, double j, int depth) {
    return depth == 0
        ? a - 2 * b + 3 * c - 4 * d + 5 * e - 6 * f + 7 * g - 8 * h + 9 * i - 10 * j
        : doubles(b, c, d, e, f, g, h, i, j, a, depth - 1) + depth;
  }

  static String strings(String a, Object b, CharSequence c, long d, Object... rest) {
    return rest.length == 0
        ? a + b + c + d
        : strings(c.toString(), a, "" + b, d, Arrays.copyOf(rest, rest.length - 1)) + rest[0];
  }

  static boolean odd(int x) {
    return x == 0 ? false : even(x - 1);
  }

  static boolean even(int x) {
    return x == 0 ? true : odd(x - 1);
  }

  @Override
  public long run(long seed, int round) {
    Random random = new Random(seed);
    Receiver[] receivers = new Receiver[5];
    receivers[0] = new First();
    for (int i = 1; i < receivers.length; i++) {
      Receiver next = receivers[random.nextInt(i)];
      receivers[i] = random.nextBoolean() ? new Second(next) : new Third(next);
    }
    long checksum = 0;
    for (int n = 0; n < 12000; n++) {
      int x = random.nextInt(1000);
      double y = random.nextInt(1000) / 8.0;
      Receiver receiver = receivers[n % receivers.length];
      double result = receiver.call(x, y, n, x / 4f, n, x + 1, y + 1, x + 2L, x + 0.5f, y + 2, -x,
          -n, -y, -x / 2f, y + 3, x + 3, y + 4, y - 1, (long) x * n);
      checksum = mix(checksum, Double.doubleToLongBits(result));
      checksum = mix(checksum, integers(x > 500, (byte) x, (char) n, (short) -x, n, -n, x, x * 3L,
          (byte) n));
      checksum = mix(checksum, Float.floatToIntBits(
          floats(x, n, x + 1, n + 1, x + 2, n + 2, x + 3, n + 3, x + 4, n + 4)));
      checksum = mix(checksum, Double.doubleToLongBits(
          doubles(y, x, n, y + 1, x + 1, n + 1, y + 2, x + 2, n + 2, y + 3, n % 12)));
      checksum = mix(checksum, odd(x % 40) ? 1 : 0);
      if (n % 8 == 0) {
        checksum = mix(checksum, strings("a" + x, n, "c", x, y, n).hashCode());
      }
    }
    return checksum;
  }

  private static long mix(long checksum, long value) {
    return Stressor.mix(checksum, value);
  }
}
