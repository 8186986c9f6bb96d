import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntToLongFunction;

/** Methods that compilers have instructions for: what is said is the same on every JVM. */
public final class Intrinsics {
  private static final int ROUNDS = 60_000;
  private static final Class<?>[] CLASSES = {
    String.class, Number.class, Comparable.class, Object.class, int.class, int[].class,
    Object[].class, Comparable[].class, Void.class
  };
  private static final Object[] OBJECTS = {
    "text", 1, 2L, new int[1], new String[1], new Object[1], null, new int[1][1], Thread.class
  };
  private static final double[] DOUBLES = {
    0.0, -0.0, 2, 1e300, 5e-324, -1, Double.NaN, Double.POSITIVE_INFINITY, 0.1, -3.5
  };

  private static final MethodHandle REFERS_TO = findRefersTo();
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
  private static final ThreadLocal<Long> LOCAL = new ThreadLocal<>();

  private Intrinsics() {}

  public static void main(String[] arguments) throws InterruptedException {
    say("roots", i -> roots(i));
    say("bits", i -> bits(i));
    say("classes", i -> classes(i));
    say("instances", i -> instances(i));
    say("threads", i -> threads());
    say("copies", i -> copies(i));
    say("copies that throw", i -> copiesThatThrow(i));
    say("copies within", i -> copiesWithin(i));
    say("atomics", i -> atomics(i));
    say("maps", i -> maps(i));
    say("referents", i -> referents(i));
    contended();
  }

  private static void say(String name, IntToLongFunction part) {
    long hash = 0;
    for (int i = 0; i < ROUNDS; i++) {
      hash = hash * 31 + part.applyAsLong(i);
    }
    System.out.println(name + ": " + hash);
  }

  private static long roots(int i) {
    double x = DOUBLES[i % DOUBLES.length] + i / 100;
    return Double.doubleToLongBits(Math.sqrt(x) + Math.abs(-x) - Math.sqrt(4.0));
  }

  private static long bits(int i) {
    double d = DOUBLES[i % DOUBLES.length] * i;
    float f = (float) d;
    long sum = Double.doubleToRawLongBits(d) ^ Float.floatToRawIntBits(f);
    double back = Double.longBitsToDouble(Double.doubleToLongBits(d) & Long.MAX_VALUE);
    float small = Float.intBitsToFloat(Float.floatToIntBits(f) ^ Integer.MIN_VALUE);
    return sum * 31 + (long) back + (long) small;
  }

  private static String nameOf(Object object) {
    return object.getClass().getName();
  }

  private static long classes(int i) {
    try {
      return nameOf(OBJECTS[i % OBJECTS.length]).hashCode();
    } catch (NullPointerException e) {
      return -1;
    }
  }

  private static long instances(int i) {
    Class<?> type = CLASSES[i % CLASSES.length];
    long bits = 0;
    for (Object object : OBJECTS) {
      bits = bits * 2 + (type.isInstance(object) ? 1 : 0);
    }
    return bits;
  }

  private static long threads() {
    return Thread.currentThread().getName().hashCode();
  }

  private static long copies(int i) {
    int length = i % 40;
    byte[] bytes = new byte[50];
    bytes[length] = (byte) i;
    byte[] to = new byte[60];
    System.arraycopy(bytes, 0, to, 3, length + 1);
    Object[] objects = {i, "a", null, bytes};
    Object[] others = new Object[5];
    System.arraycopy(objects, 0, others, 1, 4);
    long[] longs = {i, 2, 3};
    System.arraycopy(longs, 1, longs, 0, 2);
    Number[] numbers = new Number[2];
    System.arraycopy(objects, 0, numbers, 1, 1);
    return to[length + 3] + others[1].hashCode() + (others[4] == bytes ? 7 : 0) + longs[0] * 100
        + numbers[1].intValue();
  }

  private static long copiesThatThrow(int i) {
    Object[] from = {1, 2, "three", 4};
    Integer[] to = new Integer[4];
    Object[][] sources = {from, null, from, from, from};
    Object[] targets = {to, to, null, new int[4], "none"};
    int which = i % 7;
    try {
      if (which < 5) {
        System.arraycopy(sources[which], 0, targets[which], 0, 4);
      } else {
        System.arraycopy(from, which == 5 ? -1 : 2, from, 0, 4);
      }
      return 0;
    } catch (ArrayStoreException e) {
      return 1 + (to[0] == null ? 0 : to[0]) + (to[1] == null ? 0 : to[1]);
    } catch (NullPointerException e) {
      return 10;
    } catch (IndexOutOfBoundsException e) {
      return 20;
    }
  }

  private static long copiesWithin(int i) {
    char[] text = "the quick brown fox jumps".toCharArray();
    System.arraycopy(text, i % 5, text, i % 7, 10);
    Object[] objects = {"a", "b", "c", "d", null};
    System.arraycopy(objects, i % 2, objects, (i + 1) % 2, 4);
    long hash = new String(text).hashCode();
    for (Object object : objects) {
      hash = hash * 31 + (object == null ? 0 : object.hashCode());
    }
    return hash;
  }

  private static long atomics(int i) {
    AtomicInteger number = new AtomicInteger(i);
    AtomicLong wide = new AtomicLong(-i);
    AtomicIntegerArray numbers = new AtomicIntegerArray(3);
    AtomicReferenceArray<Object> objects = new AtomicReferenceArray<>(3);
    long sum = number.compareAndSet(i, i + 1) ? 1 : 0;
    sum += number.compareAndSet(i, -5) ? 100 : 0;
    sum += wide.compareAndSet(-i, Long.MIN_VALUE + i) ? 1 : 0;
    numbers.set(1, i);
    numbers.incrementAndGet(1);
    objects.set(2, number);
    objects.lazySet(0, wide);
    return sum + numbers.get(1) + (objects.get(2) == number && objects.get(0) == wide ? 3 : 0)
        + number.getAndAdd(4) + wide.get();
  }

  private static final ConcurrentHashMap<Integer, String> MAP = new ConcurrentHashMap<>();

  private static long maps(int i) {
    MAP.put(i % 300, "v" + i);
    String found = MAP.get((i * 7) % 300);
    if (i % 50 == 0) {
      MAP.remove(i % 300);
    }
    return MAP.size() + (found == null ? 0 : found.length());
  }

  // Of JDK 16 and later, and this is compiled for 11 as well.
  private static boolean refersTo(Reference<Object> reference, Object object) {
    try {
      return (boolean) REFERS_TO.invokeExact(reference, object);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle findRefersTo() {
    try {
      return MethodHandles.lookup().findVirtual(Reference.class, "refersTo",
          MethodType.methodType(boolean.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long referents(int i) {
    Reference<Object> weak = new WeakReference<>(OBJECTS[i % 3]);
    Reference<Object> phantom = new PhantomReference<>(OBJECTS[i % 4], QUEUE);
    Object asked = OBJECTS[i % OBJECTS.length];
    long found = (refersTo(weak, asked) ? 1 : 0) + (refersTo(phantom, asked) ? 2 : 0);
    if (i % 7 == 0) {
      weak.clear();
    }
    found += (refersTo(weak, null) ? 4 : 0) + (refersTo(phantom, null) ? 8 : 0);
    LOCAL.set(found + i);
    return found * 31 + LOCAL.get();
  }

  private static void contended() throws InterruptedException {
    AtomicInteger number = new AtomicInteger();
    AtomicLong wide = new AtomicLong();
    AtomicReference<Object[]> top = new AtomicReference<>();
    Thread[] all = new Thread[3];
    for (int t = 0; t < all.length; t++) {
      all[t] = new Thread(() -> {
        for (int i = 0; i < 2 * ROUNDS; i++) {
          int seen;
          do {
            seen = number.get();
          } while (!number.compareAndSet(seen, seen + 1));
          wide.incrementAndGet();
          Object[] pushed = {null, i};
          do {
            pushed[0] = top.get();
          } while (!top.compareAndSet((Object[]) pushed[0], pushed));
          if (!Thread.currentThread().getName().startsWith("one of")) {
            throw new IllegalStateException();
          }
        }
      }, "one of " + t);
      all[t].start();
    }
    for (Thread one : all) {
      one.join();
    }
    long sum = 0;
    int pushed = 0;
    for (Object[] at = top.get(); at != null; at = (Object[]) at[0]) {
      sum += (Integer) at[1];
      pushed++;
    }
    System.out.println("contended: " + number + " " + wide + " " + pushed + " " + sum);
  }
}
