import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What can go wrong with inlined calls. Each part is called until it is compiled; what it prints must
 * be what the interpreter prints. Ends with exit code 7. With the argument "wait" two methods are
 * called until they are compiled, which `yp aos --verbose` says: one before a class is loaded that
 * makes its assumption wrong.
 */
public final class Inlining {
  private static final int CALLS = 30_000;

  interface Part {
    long run(int i) throws Exception;
  }

  private Inlining() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      compiled = new Compiled(Arrays.asList("Inlining.apply", "Inlining.pull"));
      System.setErr(new PrintStream(compiled, true));
    }
    part("arguments", i -> arguments(i));
    part("depth", i -> add(i, add(i + 1, add(i + 2, twice(i)))));
    part("recursion", i -> recurse(i % 20));
    part("thrown", i -> thrown(i));
    part("caught inside", i -> caughtInside(i));
    part("finally", i -> finallyBlocks(i));
    part("null receiver", i -> nullReceiver(i % 100 == 99 ? null : new Cell(i)));
    part("null inside", i -> nullInside(i % 100 == 99 ? null : new Cell(i)));
    part("bounds inside", i -> boundsInside(i % 50));
    part("locks", i -> locks(i));
    part("locks and throws", i -> locksAndThrows(i));
    part("static lock", i -> staticLocked(i));
    part("initialization", i -> initialization(i));
    part("virtual", i -> shapes(i, i < CALLS / 2 ? 1 : 3));
    part("interface", i -> interfaces(i));
    part("super", i -> new Derived(i).value());
    part("loops", i -> loops(i % 30));
    part("garbage", i -> garbage(i));
    part("finalizers", i -> finalizers(i));
    part("mathematics", i -> mathematics(0.37 * i + 0.001));
    part("classes that are loaded later", i -> later(i));
    contention();
    onStack();
    System.exit(7);
  }

  private static Compiled compiled;

  private static boolean waitsFor(String name) {
    return compiled != null && !compiled.has(name);
  }

  private static void part(String name, Part part) throws Exception {
    long hash = 17;
    for (int i = 0; i < CALLS; i++) {
      hash = hash * 1_000_003 + part.run(i);
    }
    System.out.println(name + " " + Long.toHexString(hash));
  }

  /** The last digits count: HotSpot's interpreter has code of its own for some of these. */
  private static long mathematics(double x) {
    double[] results = {
      Math.sin(x), Math.cos(x), Math.tan(x), Math.exp(x / 100), Math.log(x), Math.log10(x),
      Math.pow(x, 1.37), Math.cbrt(x), Math.sinh(x / 1000), Math.tanh(x / 1000), Math.sqrt(x),
      Math.abs(-x), Math.atan2(x, 3), StrictMath.sin(x), StrictMath.exp(x / 100)
    };
    return Arrays.hashCode(results);
  }

  private static int add(int a, int b) {
    return a + b;
  }

  private static int twice(int a) {
    return add(a, a);
  }

  private static byte narrow(int a) {
    return (byte) a;
  }

  private static char wide(int a) {
    return (char) (a * 977);
  }

  private static double mix(int i, long j, float f, double d, int[] array, Object o, byte b, boolean z) {
    i += 3;
    j ^= i;
    return i + j + f + d + array[i & 3] + o.hashCode() + b + (z ? 1 : 0);
  }

  private static long arguments(int i) {
    long before = 5;
    int[] array = {i, -i, 3, 1 << i};
    double mixed = before + mix(i, (long) i << 35, i / 3f, i / 7.0, array, i, narrow(i), i % 3 == 0);
    return Double.doubleToLongBits(mixed) + array[2] + wide(i) + narrow(i * 31) + before;
  }

  private static int recurse(int n) {
    return n <= 0 ? 1 : 3 + recurse(n - 1);
  }

  private static void fail(int i) {
    if (i % 7 == 3) {
      throw new IllegalStateException("at " + i);
    }
  }

  private static int failing(int i) {
    fail(i);
    return i;
  }

  /** Names and lines of the frames of this class. */
  static long trace(Throwable thrown) {
    long hash = String.valueOf(thrown.getMessage()).hashCode();
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (frame.getClassName().startsWith("Inlining") && !frame.getMethodName().contains("$")) {
        hash = hash * 31 + frame.getMethodName().hashCode() * 7 + frame.getLineNumber();
      }
    }
    return hash;
  }

  private static long thrown(int i) {
    int before = i * 5;
    try {
      return failing(i) + before;
    } catch (IllegalStateException e) {
      return trace(e) + before;
    }
  }

  private static int caught(int i) {
    try {
      fail(i);
      return 1;
    } catch (IllegalArgumentException e) {
      return 2;
    } catch (RuntimeException e) {
      return (int) trace(e);
    }
  }

  private static long caughtInside(int i) {
    return add(caught(i), caught(i + 1));
  }

  private static int counter;

  private static int counted(int i) {
    try {
      return failing(i);
    } finally {
      counter++;
    }
  }

  private static long finallyBlocks(int i) {
    try {
      return counted(i) + counter;
    } catch (RuntimeException e) {
      return trace(e) + counter;
    } finally {
      counter += 2;
    }
  }

  static class Cell {
    int value;

    Cell(int value) {
      this.value = value;
    }

    final int get() {
      return value;
    }

    synchronized int increment(int by) {
      value += by;
      fail(value);
      return value;
    }
  }

  private static long nullReceiver(Cell cell) {
    try {
      return cell.get();
    } catch (NullPointerException e) {
      return trace(new IllegalStateException("none")) + e.getStackTrace()[0].getLineNumber();
    }
  }

  private static int valueOf(Cell cell) {
    return cell.value;
  }

  private static long nullInside(Cell cell) {
    int before = 11;
    try {
      return before + valueOf(cell);
    } catch (NullPointerException e) {
      return before + e.getStackTrace()[0].getLineNumber() + e.getStackTrace()[1].getLineNumber();
    }
  }

  private static int element(int[] array, int i) {
    return array[i];
  }

  private static long boundsInside(int i) {
    int[] array = new int[45];
    try {
      return element(array, i) + 1;
    } catch (ArrayIndexOutOfBoundsException e) {
      return trace(e);
    }
  }

  private static final Cell SHARED = new Cell(1);

  private static long locks(int i) {
    Cell cell = new Cell(i);
    synchronized (SHARED) {
      synchronized (cell) {
        try {
          return cell.increment(3) + (Thread.holdsLock(cell) ? 1 : 0);
        } catch (IllegalStateException e) {
          return trace(e) + (Thread.holdsLock(cell) ? 1 : 0);
        }
      }
    }
  }

  private static long locksAndThrows(int i) {
    Cell cell = new Cell(i);
    try {
      return cell.increment(1);
    } catch (IllegalStateException e) {
      return trace(e) + (Thread.holdsLock(cell) ? 1 : 0);
    }
  }

  private static synchronized int underClassLock(int i) {
    fail(i);
    return Thread.holdsLock(Inlining.class) ? i : -i;
  }

  private static long staticLocked(int i) {
    try {
      return underClassLock(i);
    } catch (IllegalStateException e) {
      return trace(e) + (Thread.holdsLock(Inlining.class) ? 1 : 0);
    }
  }

  static final class Lazy {
    static int number = ++counter;

    static int next() {
      return ++number;
    }
  }

  private static long initialization(int i) {
    return i < CALLS / 2 ? i : Lazy.next() - counter;
  }

  abstract static class Shape {
    abstract int area(int side);

    int doubled(int side) {
      return 2 * area(side);
    }
  }

  static final class Square extends Shape {
    @Override
    int area(int side) {
      return side * side;
    }
  }

  static final class Line extends Shape {
    @Override
    int area(int side) {
      fail(side);
      return 0;
    }
  }

  static class Box extends Shape {
    @Override
    int area(int side) {
      return 6 * side * side;
    }
  }

  static Shape shape(int number) {
    return number == 0 ? new Square() : number == 1 ? new Box() : new Line();
  }

  private static long shapes(int i, int kinds) {
    try {
      return shape(i % kinds).doubled(i) + shape(i % 10 == 0 ? i / 10 % kinds : 0).area(i);
    } catch (IllegalStateException e) {
      return trace(e);
    }
  }

  interface Source {
    int next(int i);
  }

  static final class Counting implements Source {
    int count;

    @Override
    public int next(int i) {
      return count += i;
    }
  }

  static class Doubling implements Source {
    @Override
    public int next(int i) {
      return 2 * i;
    }
  }

  static class Tripling extends Doubling {
    @Override
    public int next(int i) {
      return 3 * i;
    }
  }

  static class Inheriting extends Doubling {}

  private static int pull(Source source, int i) {
    return source.next(i) + 1;
  }

  private static final Source[] SOURCES = {
    new Doubling(), new Doubling(), new Inheriting(), new Doubling(), new Tripling(), new Counting()
  };

  private static long interfaces(int i) {
    while (i == CALLS / 2 && waitsFor("Inlining.pull")) {
      pull(SOURCES[1], i);
    }
    return pull(SOURCES[i < CALLS / 2 ? i % 2 : i % SOURCES.length], i);
  }

  static class Base {
    final int number;

    Base(int number) {
      this.number = number;
    }

    int value() {
      return number;
    }
  }

  static class Derived extends Base {
    Derived(int number) {
      super(number + 1);
    }

    @Override
    int value() {
      return super.value() * 3;
    }
  }

  private static int sum(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += add(i, n);
    }
    return sum;
  }

  private static long loops(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum = sum * 3 + sum(i);
    }
    return sum;
  }

  private static Object[] chain(int length, Object end) {
    Object[] chain = {end, new int[length]};
    return length == 0 ? chain : chain(length - 1, chain);
  }

  private static long garbage(int i) {
    String text = "kept " + i;
    Object[] chain = chain(i % 10, text);
    int[] last = (int[]) chain[1];
    while (chain[0] instanceof Object[]) {
      chain = (Object[]) chain[0];
    }
    return chain[0].hashCode() + last.length + text.length();
  }

  private static final AtomicInteger MADE = new AtomicInteger();

  static final class Finalized {
    Finalized() {
      MADE.incrementAndGet();
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
      MADE.decrementAndGet();
    }
  }

  private static long finalizers(int i) {
    return i % 100 == 0 && new Finalized() != null ? 1 : new Cell(i).get();
  }

  /** Until the last third there is one implementation: its calls need no check. */
  abstract static class Rule {
    abstract int apply(int i);
  }

  static class First extends Rule {
    @Override
    int apply(int i) {
      return i + 1;
    }
  }

  private static int apply(Rule rule, int i) {
    int before = i;
    int result = rule.apply(i);
    return result * 2 + before;
  }

  private static Rule rule = new First();

  private static long later(int i) throws Exception {
    if (i == 2 * CALLS / 3) {
      while (waitsFor("Inlining.apply")) {
        apply(rule, i);
      }
      rule = (Rule) Class.forName("Inlining$Second").getDeclaredConstructor().newInstance();
    }
    return apply(rule, i);
  }

  static class Second extends First {
    @Override
    int apply(int i) {
      return i - 1;
    }
  }

  private static int total;

  private static synchronized void addToTotal(int by) {
    total += by;
  }

  private static void contention() throws Exception {
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                for (int j = 0; j < 20_000; j++) {
                  addToTotal(j % 3);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("contention " + total);
  }

  /** Its code is entered in the loop, and left there when the class hierarchy changes. */
  private static void onStack() throws Exception {
    Source source = new Counting();
    Other other = new Other();
    long sum = 0;
    for (int i = 0; i < 200_000; i++) {
      sum += add(i, source.next(i % 5)) + other.number(i);
      if (i == 150_000) {
        other = (Other) Class.forName("Inlining$Another").getDeclaredConstructor().newInstance();
      }
    }
    System.out.println("on the stack " + sum + Arrays.toString(new int[] {counter}));
  }

  static class Other {
    int number(int i) {
      return i & 1;
    }
  }

  static class Another extends Other {
    @Override
    int number(int i) {
      return i & 2;
    }
  }
}
