import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** What generated classes do not have: each test prints one line, the same on every JVM. */
public final class Features {
  private static final int ROUNDS = 3000;

  private static int shared;
  private static final Object LOCK = new Object();
  private static final AtomicInteger FINALIZED = new AtomicInteger();
  private int guarded;
  private volatile int volatileInt;
  private static final VarHandle VOLATILE_INT;

  static {
    try {
      VOLATILE_INT =
          MethodHandles.lookup().findVarHandle(Features.class, "volatileInt", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Features() {}

  public static void main(String[] arguments) throws Throwable {
    say("locks", Features::locks);
    say("nested locks", Features::nestedLocks);
    say("monitors entered twice", Features::monitorsEnteredTwice);
    say("thrown through locks", Features::thrownThroughLocks);
    say("monitor misuse", Features::monitorMisuse);
    say("entered on the stack", () -> enteredOnTheStack(400_000));
    say("overflow", Features::overflow);
    say("lambdas", Features::lambdas);
    say("handles", Features::handles);
    say("strings", Features::strings);
    say("arrays", Features::arrays);
    say("interfaces", Features::interfaces);
    say("undeclared", Features::undeclared);
    say("initialization", Features::initialization);
    say("initialized by one", Features::initializedByOne);
    say("many arguments", Features::manyArguments);
    say("messages", Features::messages);
    say("references", Features::references);
    say("finalizers", Features::finalizers);
    say("collections", Features::collections);
    if (arguments.length > 0) {
      System.exit(Integer.parseInt(arguments[0]));
    }
    throw new IllegalStateException("uncaught");
  }

  private static void say(String name, Supplier<Object> test) {
    System.out.println(name + ": " + test.get());
  }

  private synchronized int guardedStep(int by) {
    guarded += by;
    return guarded;
  }

  private static synchronized int sharedStep(int by) {
    shared += by;
    return shared;
  }

  private static Object locks() {
    Features features = new Features();
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < 20 * ROUNDS; i++) {
          features.guardedStep(1);
          sharedStep(2);
          synchronized (LOCK) {
            features.volatileInt = features.volatileInt + 1;
          }
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        return e;
      }
    }
    return features.guarded + " " + shared + " " + features.volatileInt;
  }

  private static int nested(int[] a, int[] b, int i) {
    synchronized (a) {
      synchronized (b) {
        synchronized (a) {
          a[0] += i;
          if (i % 7 == 0) {
            return a[0] / (i % 14);
          }
        }
        b[0] ^= a[0];
      }
    }
    return b[0];
  }

  private static Object nestedLocks() {
    int[] a = {0};
    int[] b = {0};
    long sum = 0;
    for (int i = 1; i < 3 * ROUNDS; i++) {
      try {
        sum = sum * 31 + nested(a, b, i);
      } catch (ArithmeticException e) {
        sum += Thread.holdsLock(a) || Thread.holdsLock(b) ? 1_000_000 : 1;
      }
    }
    return sum;
  }

  private static int enterTwice(Object lock, int i) {
    synchronized (lock) {
      synchronized (lock) {
        return i & 1;
      }
    }
  }

  /** A frame may find in the place of a lock what the lock of another object left there. */
  private static Object monitorsEnteredTwice() {
    Object onStack = new Object();
    Object inflated = new Object();
    synchronized (inflated) {
      try {
        inflated.wait(1);
      } catch (InterruptedException e) {
        return e;
      }
    }
    long sum = 0;
    for (int i = 0; i < 40 * ROUNDS; i++) {
      sum += enterTwice(onStack, i) + enterTwice(inflated, i);
      sum += Thread.holdsLock(onStack) || Thread.holdsLock(inflated) ? 1_000_000 : 1;
    }
    return sum;
  }

  private synchronized int throwsInside(int i) {
    if (i % 3 == 0) {
      throw new IllegalArgumentException("three " + i);
    }
    return i;
  }

  private static Object thrownThroughLocks() {
    Features features = new Features();
    long sum = 0;
    for (int i = 0; i < 3 * ROUNDS; i++) {
      try {
        sum += features.throwsInside(i);
      } catch (IllegalArgumentException e) {
        sum -= e.getMessage().length() + (Thread.holdsLock(features) ? 1_000_000 : 0);
      }
    }
    return sum;
  }

  private static Object monitorMisuse() {
    int caught = 0;
    for (int i = 0; i < ROUNDS; i++) {
      try {
        LOCK.notify();
      } catch (IllegalMonitorStateException e) {
        caught++;
      }
    }
    return caught;
  }

  private static Object enteredOnTheStack(int rounds) {
    long a = 1;
    double d = 0.5;
    float f = 2;
    int[] held = {0};
    String text = "x";
    synchronized (held) {
      for (int i = 0; i < rounds; i++) {
        a = a * 6364136223846793005L + i;
        d = d * 0.999 + (a >>> 60);
        f += i & 3;
        held[0] += (int) d;
        if ((a & 0xfffff) == 0) {
          text = text + i;
        }
      }
    }
    return a + " " + d + " " + f + " " + held[0] + " " + text + Thread.holdsLock(held);
  }

  private static int deep(int n) {
    return n == 0 ? 0 : 1 + deep(n + 1);
  }

  private static Object overflow() {
    int caught = 0;
    for (int i = 0; i < 5; i++) {
      try {
        deep(1);
      } catch (StackOverflowError e) {
        caught++;
      }
    }
    return caught;
  }

  private static Object lambdas() {
    IntUnaryOperator[] operators = {x -> x + 1, x -> x * 3, x -> -x, Math::abs, x -> x ^ ROUNDS};
    IntBinaryOperator both = Integer::sum;
    int value = 1;
    for (int i = 0; i < 10 * ROUNDS; i++) {
      int captured = i;
      Supplier<Integer> supplier = () -> captured % 5;
      value = both.applyAsInt(operators[supplier.get()].applyAsInt(value), i);
    }
    return value;
  }

  private static long target(int a, long b, double c, Object d) {
    return a + b + (long) c + d.hashCode();
  }

  private static Object handles() {
    try {
      MethodHandle handle =
          MethodHandles.lookup()
              .findStatic(
                  Features.class, "target",
                  MethodType.methodType(long.class, int.class, long.class, double.class,
                      Object.class));
      MethodHandle bound = MethodHandles.insertArguments(handle, 1, 5L);
      Features features = new Features();
      long sum = 0;
      for (int i = 0; i < ROUNDS; i++) {
        sum += (long) handle.invokeExact(i, 2L * i, 0.5 * i, (Object) "abc");
        sum ^= (long) bound.invoke(i, 1.5, "d");
        VOLATILE_INT.setVolatile(features, i);
        sum += (int) VOLATILE_INT.getAndAdd(features, 3) + (int) VOLATILE_INT.getAcquire(features);
      }
      return sum;
    } catch (Throwable e) {
      return e;
    }
  }

  private static Object strings() {
    int hash = 0;
    for (int i = 0; i < ROUNDS; i++) {
      String text = "a" + i + 'c' + (long) i + 0.5f + true + null;
      switch (text.charAt(1)) {
        case '1':
          hash += text.length();
          break;
        case '9':
          hash ^= text.hashCode();
          break;
        default:
          hash = hash * 31 + text.indexOf('c');
      }
      switch (text.substring(0, 2)) {
        case "a1":
          hash++;
          break;
        case "a2":
          hash += 2;
          break;
        default:
          hash += 3;
      }
    }
    return hash;
  }

  private static Object arrays() {
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      int[][][] cube = new int[2][3][1 + i % 4];
      cube[1][2][i % 4] = i;
      boolean[] flags = new boolean[i % 300];
      Object[] objects = i % 2 == 0 ? new String[2] : new Object[2];
      try {
        objects[0] = Integer.valueOf(i);
        sum += cube[1][2].length + flags.length;
        long[] longs = new long[7 - i % 9];
        sum += longs.length;
      } catch (ArrayStoreException | NegativeArraySizeException e) {
        sum += e.getClass().getName().length() + String.valueOf(e.getMessage()).length();
      }
      sum += Arrays.hashCode(cube[1][2]);
    }
    return sum;
  }

  private interface Shape {
    default int scaled(int by) {
      return by * sides();
    }

    int sides();
  }

  private static final class Square implements Shape {
    @Override
    public int sides() {
      return 4;
    }
  }

  private static final class Triangle implements Shape {
    @Override
    public int sides() {
      return 3;
    }

    @Override
    public int scaled(int by) {
      return Shape.super.scaled(by) + 1;
    }
  }

  private static Object interfaces() {
    Shape[] shapes = {new Square(), new Triangle(), () -> 17, null};
    long sum = 0;
    int nulls = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
      try {
        sum = sum * 3 + shapes[i % 4].scaled(i) + shapes[i % 3].hashCode() % 1;
      } catch (NullPointerException e) {
        nulls++;
      }
    }
    return sum + " " + nulls;
  }

  private interface Priced {
    int price(int amount);
  }

  private abstract static class Ware implements Priced {
    int total(int amount) {
      return price(amount) + 1; // declared by the interface alone
    }
  }

  private static final class Bread extends Ware {
    @Override
    public int price(int amount) {
      return 3 * amount;
    }
  }

  private static final class Salt extends Ware {
    @Override
    public int price(int amount) {
      return amount / 2;
    }
  }

  private static Object undeclared() {
    Ware[] wares = {new Bread(), new Salt()};
    int sum = 0;
    for (int i = 0; i < 2 * ROUNDS; i++) {
      sum += wares[i % 2].total(i);
    }
    return sum;
  }

  private static final class Late {
    static int loads = 0;
    static final int VALUE;

    static {
      int value = 0;
      for (int i = 0; i < 5 * ROUNDS; i++) {
        value = step(value, i);
      }
      VALUE = value;
    }

    static int step(int value, int i) {
      loads++;
      return value * 31 + i;
    }
  }

  private static final class Slow {
    static int done;

    static {
      int sum = 0;
      for (int i = 0; i < 50 * ROUNDS; i++) {
        sum += get(i);
      }
      done = sum == 0 ? 1 : 2;
    }

    static int get(int i) {
      return done;
    }
  }

  // All but one wait until the class is initialized, though its method is compiled before.
  private static Object initializedByOne() {
    AtomicInteger sum = new AtomicInteger();
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < ROUNDS; i++) {
          sum.addAndGet(Slow.get(i));
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        return e;
      }
    }
    return sum.get();
  }

  private static final class Failing {
    static int value = 1 / (ROUNDS - 3000);
  }

  private static Object initialization() {
    int failed = 0;
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      if (i > ROUNDS / 2) {
        sum += Late.VALUE + Late.loads;
      }
      try {
        sum += Failing.value;
      } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
        failed++;
      }
    }
    return sum + " " + failed;
  }

  private static double many(int a, double b, long c, float d, Object e, int f, int g, double h,
      double i, double j, float k, double l, double m, double n, long o, Object p, int q, int[] r) {
    return a + b + c + d + e.hashCode() + f * 2 + g * 3 + h * 4 + i * 5 + j * 6 + k * 7 + l * 8
        + m * 9 + n * 10 + o * 11 + p.hashCode() + q * 12 + r[0];
  }

  private static Object manyArguments() {
    double sum = 0;
    int[] last = {5};
    for (int i = 0; i < ROUNDS; i++) {
      sum += many(i, 1.5, 2L * i, 0.25f, "e", -i, 7, i, 2.5, i * 0.5, 3, 4, 5, i, 1L << 40, "p", 9,
          last);
    }
    return sum;
  }

  private static String message(int i, Object object, int[] ints) {
    try {
      switch (i % 5) {
        case 0:
          return "" + ints[i];
        case 1:
          return "" + ((String) object).length();
        case 2:
          return "" + i / (i % 5 - 2);
        case 3:
          return ((int[]) null)[0] + "";
        default:
          return object.toString().substring(0, 3);
      }
    } catch (RuntimeException e) {
      StackTraceElement top = e.getStackTrace()[0];
      return e + " at " + top.getMethodName() + top.getLineNumber();
    }
  }

  private static Object messages() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < ROUNDS; i++) {
      counts.merge(message(i + 3, Integer.valueOf(1234), new int[ROUNDS]), 1, Integer::sum);
    }
    return counts.size() + " " + counts.hashCode();
  }

  private static Object references() {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    List<Reference<Object>> references = new ArrayList<>();
    Object kept = new Object();
    WeakReference<Object> strong = new WeakReference<>(kept);
    int nulls = 0;
    for (int i = 0; i < ROUNDS; i++) {
      references.add(new PhantomReference<>(new byte[100], queue));
      nulls += strong.get() == null ? 1 : 0;
    }
    System.gc();
    nulls += strong.get() == kept ? 0 : 1;
    return nulls + " " + references.size();
  }

  private static final class Finalizable {
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
      FINALIZED.incrementAndGet();
    }
  }

  private static int makeFinalizable(int count) {
    int made = 0;
    for (int i = 0; i < count; i++) {
      made += new Finalizable().hashCode() == 0 ? 0 : 1;
    }
    return made;
  }

  private static Object finalizers() {
    int made = makeFinalizable(ROUNDS);
    // All are finalized sometime; how soon is the collector's affair.
    for (int i = 0; i < 1000 && FINALIZED.get() < made; i++) {
      System.gc();
      System.runFinalization();
    }
    return FINALIZED.get() == made;
  }

  private static Object collections() {
    Map<Object, Object> map = new HashMap<>();
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < 40 * ROUNDS; i++) {
      map.put(i % 5000, list);
      list.add(i % 3 == 0 ? (Object) Integer.valueOf(i) : "s" + i % 100);
      if (list.size() > 20000) {
        list = new ArrayList<>(list.subList(0, 100));
        map.remove(i % 700);
      }
    }
    long sum = 0;
    for (Object each : list) {
      sum = sum * 31 + each.hashCode();
    }
    return sum + " " + map.size();
  }
}
