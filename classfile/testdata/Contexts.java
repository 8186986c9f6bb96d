/** Code in which a method's calling context is easily lost. Its calls are counted by hand. */
public final class Contexts {
  private static final Object LOCK = new Object();

  private Contexts() {}

  static int after(int n) {
    return n + 1;
  }

  /** Always left by an exception. */
  static int deep(int n) {
    if (n == 0) {
      throw new IllegalStateException("deep");
    }
    return deep(n - 1) + 1;
  }

  static int catches() {
    int n = 0;
    try {
      n = deep(4);
    } catch (IllegalStateException e) {
      n = after(10);
    }
    return after(n);
  }

  /** Each return has a copy of the finally block, and the ranges of the handlers end at it. */
  static int returnsInTry(int n) {
    try {
      if (n == 0) {
        return -1;
      }
      if (n == 1) {
        throw new IllegalArgumentException();
      }
      return after(n);
    } catch (IllegalArgumentException e) {
      return -2;
    } finally {
      after(n);
    }
  }

  static long returnsInLock(int n) {
    long twice = 2L * n;
    synchronized (LOCK) {
      if (n > 3) {
        return twice;
      }
      return after(n) + twice;
    }
  }

  static int anInt(int n) {
    return n > 1 ? n : -n;
  }

  static long aLong(int n) {
    if (n > 1) {
      return n;
    }
    long minus = -n;
    return minus;
  }

  static float aFloat(int n) {
    float half = n / 2f;
    return n > 1 ? half : -half;
  }

  static double aDouble(int n) {
    for (double d = n; ; d *= 2) {
      if (d > 10) {
        return d;
      }
    }
  }

  static Object anObject(int n) {
    if (n > 1) {
      return "" + n;
    }
    return new int[n].length;
  }

  static void nothing(int n) {
    if (n > 1) {
      return;
    }
    LOCK.hashCode();
  }

  public static void main(String[] args) {
    Shapes.main(args);
    System.out.println(catches());
    System.out.println(returnsInTry(0) + " " + returnsInTry(1) + " " + returnsInTry(2));
    System.out.println(returnsInLock(3) + " " + returnsInLock(4));
    for (int n = 1; n <= 2; n++) {
      System.out.println(anInt(n) + " " + aLong(n) + " " + aFloat(n) + " " + aDouble(n));
      System.out.println(anObject(n));
      nothing(n);
    }
    System.out.println(ManyLocals.sum(200));
  }
}
