import java.util.Arrays;

/**
 * Loops that load what the iteration before has stored, loops that are left in any iteration, and new
 * objects that are locked: what they compute, and what memory holds where they are left, must be as
 * it is in the interpreter.
 */
public final class Carrying {
  // Long enough for all to be compiled, wherever the compiler's thread is.
  private static final long WARM_NANOS = 1_500_000_000;

  private Carrying() {}

  private static class Cell {
    int count;
    long sum;
    volatile int seen;
    Object last;
    byte small;
  }

  private static final class Wide extends Cell {
    double a = 1, b = 2, c = 3, d = 4;
  }

  /** Locks that nobody else sees, as a rule. */
  private static final class Box {
    private int value;

    synchronized int add(int more) {
      value += more;
      return value;
    }

    synchronized int divide(int by) {
      value = 1000 / by;
      return value;
    }

    synchronized Box self() {
      return this;
    }
  }

  private static int total;
  private static Box shared;

  private static void up(int[] a, int first, int limit) {
    for (int j = first; j < limit; j++) {
      a[j] = a[j - 1] + 1;
    }
  }

  /** What it was that the loop carried, also where it made no iteration. */
  private static int behindUp(int[] a, int first, int limit) {
    int j = first;
    for (; j < limit; j++) {
      a[j] = a[j - 1] + 1;
    }
    return a[j - 1];
  }

  private static int behindFields(Cell x, int limit) {
    int j = 0;
    for (; j < limit; j++) {
      x.count = x.count * 3 + j;
    }
    return x.count + j;
  }

  private static void down(long[] a, int first) {
    for (int j = first; j >= 0; j--) {
      a[j] = a[j + 1] * 3 + j;
    }
  }

  private static void byTwo(float[] a, int limit) {
    for (int j = 2; j < limit; j += 2) {
      a[j] = a[j - 2] + 0.5f;
      a[j + 1] = a[j - 1] * 2;
    }
  }

  private static void narrow(byte[] a, short[] b, char[] c) {
    for (int j = 1; j < a.length; j++) {
      a[j] = (byte) (a[j - 1] + 100);
      b[j] = (short) (b[j - 1] + 20_000);
      c[j] = (char) (c[j - 1] + 40_000);
    }
  }

  /** The arrays may be one. */
  private static void two(int[] a, int[] b) {
    for (int j = 1; j < a.length; j++) {
      a[j] = a[j - 1] + b[j];
      b[j] = j;
    }
  }

  private static void behind(int[] a, int[] b) {
    for (int j = 1; j < a.length; j++) {
      b[j - 1] = j * 7;
      a[j] = a[j - 1] + 1;
    }
  }

  private static void ahead(int[] a, int[] b) {
    for (int j = 1; j < a.length - 1; j++) {
      a[j] = a[j - 1] + a[j + 1];
      b[j + 1] = j;
    }
  }

  private static int sweep(double[][] grid, double omega) {
    for (int i = 1; i < grid.length - 1; i++) {
      double[] above = grid[i - 1], row = grid[i], below = grid[i + 1];
      for (int j = 1; j < row.length - 1; j++) {
        row[j] = omega * (above[j] + below[j] + row[j - 1] + row[j + 1]) + row[j];
      }
    }
    return Arrays.deepHashCode(grid);
  }

  /** A handler reads what was stored before it. */
  private static int caught(int[] a, int zero) {
    int j = 1;
    try {
      for (; j < a.length; j++) {
        a[j] = a[j - 1] + 100 / (zero - j);
      }
    } catch (ArithmeticException e) {
      return Arrays.hashCode(a) + j;
    }
    return a[j - 1];
  }

  private static int broken(int[] a, int most) {
    int j = 1;
    for (; j < a.length; j++) {
      a[j] = a[j - 1] + j;
      if (a[j] > most) {
        break;
      }
    }
    return j * 31 + a[Math.min(j, a.length - 1)];
  }

  private static int sometimes(int[] a) {
    for (int j = 1; j < a.length; j++) {
      if ((j & 3) != 0) {
        a[j] = a[j - 1] + 1;
      }
    }
    return Arrays.hashCode(a);
  }

  private static void objects(Object[] a, Object first, int limit) {
    a[0] = first;
    for (int j = 1; j < limit; j++) {
      a[j] = a[j - 1];
      if (j % 5 == 0) {
        a[j] = new int[] {j};
      }
    }
  }

  /** Fails where the array is of another class. */
  private static Object strings(Object[] a, Object[] values) {
    try {
      for (int j = 1; j < a.length; j++) {
        a[j] = values[j];
        a[j - 1] = a[j];
      }
    } catch (ArrayStoreException e) {
      return "store " + Arrays.toString(a);
    }
    return Arrays.toString(a);
  }

  private static int fields(Cell x, Cell y, int n) {
    for (int i = 0; i < n; i++) {
      x.count += i;
      y.count *= 3;
      x.sum += x.count;
      x.last = x.last == null ? x : y;
    }
    return x.count + (int) x.sum;
  }

  private static int alone(Cell x, int n) {
    for (int i = 0; i < n; i++) {
      x.count += i;
      x.small += 3;
      if (x.count % 1000 == 999) {
        x.count++;
      }
    }
    return x.count + x.small;
  }

  private static int ordered(Cell x, int n) {
    for (int i = 0; i < n; i++) {
      x.count += i + x.seen;
      x.seen = x.count & 1;
    }
    return x.count;
  }

  private static int locked(Cell x, int n) {
    for (int i = 0; i < n; i++) {
      synchronized (x) {
        x.count += i;
      }
    }
    return x.count;
  }

  private static int statics(int n) {
    for (int i = 0; i < n; i++) {
      total += i;
    }
    return total;
  }

  /** The object may be of a class that has no such field. */
  private static double found(Object object, int n) {
    for (int i = 0; i < n; i++) {
      if (!(object instanceof Wide)) {
        return i;
      }
      ((Wide) object).d += i;
    }
    return ((Wide) object).d;
  }

  private static double cast(Object object, Object array, int n) {
    try {
      for (int i = 1; i < n; i++) {
        ((double[]) array)[i] = ((double[]) array)[i - 1] + i;
        ((Wide) object).d += i;
      }
    } catch (ClassCastException e) {
      return -1;
    }
    return ((Wide) object).d;
  }

  /** What is touched for the first time has the method go on in the interpreter. */
  private static int rare(int[] a, Cell x, boolean touches) {
    for (int j = 1; j < a.length; j++) {
      a[j] = a[j - 1] + 2;
      x.count += a[j];
      if (touches && j == 5) {
        x.count += Rare.touch(a, x);
      }
    }
    return Arrays.hashCode(a) + x.count;
  }

  private static final class Rare {
    static int touch(int[] a, Cell x) {
      a[5] += 1000;
      x.count += 5;
      return a[4] + x.count;
    }
  }

  private static int boxes(int n) {
    Box box = new Box();
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += box.add(i) + box.add(1);
      synchronized (box) {
        sum += box.value;
      }
    }
    return sum;
  }

  private static int nested(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      Box box = new Box(), other = new Box();
      synchronized (box) {
        synchronized (other) {
          sum += box.add(i) + other.add(2);
        }
        synchronized (box) {
          sum += other.value;
        }
      }
    }
    return sum;
  }

  private static int failing(int by) {
    Box box = new Box();
    try {
      box.add(7);
      return box.divide(by);
    } catch (ArithmeticException e) {
      return box.add(1) + (Thread.holdsLock(box) ? 1000 : 0);
    }
  }

  private static int passedOn(int i) {
    Box box = new Box();
    synchronized (box) {
      box.value = i;
      shared = box;
      return shared.add(1) + (Thread.holdsLock(box) ? 1000 : 0);
    }
  }

  private static boolean looped(int n) {
    Box box = new Box();
    synchronized (box) {
      for (int i = 0; i < n; i++) {
        box.value += i;
      }
    }
    return Thread.holdsLock(box) || Thread.holdsLock(box.self());
  }

  private static long divided(long n) {
    long hash = n / 3 + n % 10 + n / -7 * 5 + n % 0x7fff_ffff + n / 1_000_000_007L;
    hash = hash * 31 + n / 0x7fff_ffff_ffff_ffffL + n % 0x1_0000_0001L + n / 64 + n % -4096;
    return hash * 31 + n / Long.MIN_VALUE + n % 86_400_000L + n / -1 + n % 1;
  }

  private static Object tried(java.util.function.Supplier<Object> supplier) {
    try {
      return supplier.get();
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName() + " at line " + e.getStackTrace()[0].getLineNumber();
    }
  }

  private static long all() {
    int[] a = new int[40], b = new int[40];
    up(a, 1, 40);
    two(a, b);
    two(b, b);
    behind(a, b);
    behind(b, b);
    ahead(a, b);
    ahead(b, b);
    long hash = Arrays.hashCode(a) * 31L + Arrays.hashCode(b);
    long[] longs = new long[30];
    longs[29] = 5;
    down(longs, 28);
    float[] floats = new float[30];
    floats[0] = floats[1] = 1;
    byTwo(floats, 30);
    byte[] bytes = new byte[25];
    short[] shorts = new short[25];
    char[] chars = new char[25];
    narrow(bytes, shorts, chars);
    hash = hash * 31 + Arrays.hashCode(longs) + Arrays.hashCode(floats);
    hash = hash * 31 + Arrays.hashCode(bytes) + Arrays.hashCode(shorts) + Arrays.hashCode(chars);
    double[][] grid = new double[6][9];
    grid[0] = grid[1];
    grid[4] = grid[3];
    for (int i = 0; i < 6; i++) {
      grid[i][i] = i;
      grid[i][8] = 1;
    }
    hash = hash * 31 + sweep(grid, 0.3) + caught(a, 50) + caught(a, 20) + broken(a, 100) + broken(b, 1 << 30);
    hash = hash * 31 + sometimes(a);
    Object[] objects = new Object[32];
    objects(objects, "first", 32);
    hash = hash * 31 + ((int[]) objects[31])[0] + strings(new String[4], new Object[] {"a", "b", "c", "d"}).hashCode();
    Cell x = new Cell(), y = new Wide();
    y.count = 1;
    hash = hash * 31 + fields(x, y, 20) + fields(x, x, 20) + alone(x, 200) + ordered(x, 20) + locked(y, 20);
    total = 0;
    for (int limit = 0; limit < 12; limit++) {
      hash = hash * 31 + behindUp(a, 3, limit) * 5L + behindFields(x, limit / 4);
    }
    hash = hash * 31 + statics(30) + (long) found(y, 20) + (long) found(x, 20);
    hash = hash * 31 + (long) cast(y, new double[20], 20) + rare(a, x, false);
    hash = hash * 31 + boxes(30) + nested(10) + failing(3) + passedOn(4) + (looped(9) ? 1 : 0);
    for (long n = 1; n != 0; n *= 6) {
      hash = hash * 31 + divided(n) + divided(-n) * 7;
    }
    return hash;
  }

  public static void main(String[] arguments) {
    long hash;
    long end = System.nanoTime() + WARM_NANOS;
    do {
      hash = all();
    } while (System.nanoTime() < end);
    System.out.println(hash);
    for (int round = 0; round < 4; round++) {
      for (int[] a : new int[][] {null, {}, {1}, {1, 2}, {5, 4, 3, 2, 1}}) {
        for (int limit : new int[] {Integer.MIN_VALUE, 0, 1, 2, 5, 6, Integer.MAX_VALUE}) {
          for (int first : new int[] {Integer.MIN_VALUE, -1, 0, 1, 2, 1 << 30}) {
            int[] copy = a == null ? null : a.clone();
            if (first == Integer.MIN_VALUE && limit > 0) {
              continue;
            }
            Object result = tried(() -> {
              up(copy, first, limit);
              return "done";
            });
            System.out.print(result + " " + Arrays.toString(copy) + ' ');
            System.out.print(tried(() -> behindUp(copy, first, limit)) + " ");
          }
        }
        System.out.println(tried(() -> caught(a, 2)) + " " + tried(() -> broken(a, 3)));
      }
      for (int length = 0; length < 4; length++) {
        double[][] grid = new double[length][length];
        System.out.print(tried(() -> sweep(grid, 0.5)) + " ");
      }
      System.out.println(tried(() -> sweep(new double[][] {{1, 2, 3}, {4, 5, 6, 7}, {8}}, 0.5)));
      System.out.println(strings(new String[4], new Object[] {"a", "b", 3, "d"}));
      System.out.println(strings(new Object[4], new Object[] {"a", "b", 3, "d"}));
      System.out.println(found("no cell", 3) + " " + found(new Cell(), 3) + " " + found(null, 3));
      System.out.println(cast(new Cell(), new double[9], 9) + " " + cast(new Wide(), new int[9], 9));
      System.out.println(tried(() -> cast(null, new double[2], 3)) + " " + tried(() -> alone(null, 1))
          + " " + tried(() -> alone(null, 0)) + " " + tried(() -> fields(new Cell(), null, 3)));
      System.out.println(failing(0) + " " + passedOn(round) + " " + looped(round) + " " + shared.add(1));
      for (int zero = 0; zero < 14; zero++) {
        int[] a = new int[zero + 3];
        System.out.print(caught(a, zero) + " " + broken(a, zero * 3) + " ");
      }
      int[] a = new int[10];
      Cell x = new Cell();
      System.out.println(rare(a, x, true) + " " + Arrays.toString(a) + " " + x.count);
    }
  }
}
