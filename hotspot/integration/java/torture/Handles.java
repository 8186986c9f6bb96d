package torture;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.SwitchPoint;
import java.lang.invoke.VarHandle;

/** Method handles and var handles; call sites whose targets change under compiled code. */
public final class Handles implements Stressor {
  private static final MethodType INT_TO_INT = MethodType.methodType(int.class, int.class);
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle TWICE = find("twice", INT_TO_INT);
  private static final MethodHandle NEXT = find("next", INT_TO_INT);
  private static final MethodHandle ODD =
      find("odd", MethodType.methodType(boolean.class, int.class));
  private static final MethodHandle SUM =
      find("sum", MethodType.methodType(double.class, int.class, long.class, double.class));
  private static final MethodHandle FAIL = find("fail", INT_TO_INT);
  private static final MethodHandle HANDLE =
      find("handle", MethodType.methodType(int.class, IllegalStateException.class, int.class));
  private static final VarHandle COUNT = field("count", int.class);
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

  private volatile int count;

  private static MethodHandle find(String name, MethodType type) {
    try {
      return LOOKUP.findStatic(Handles.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return LOOKUP.findVarHandle(Handles.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static int twice(int x) {
    return 2 * x;
  }

  static int next(int x) {
    return x + 1;
  }

  static boolean odd(int x) {
    return (x & 1) != 0;
  }

  static double sum(int a, long b, double c) {
    return a + 3 * b + 5 * c;
  }

  static int fail(int x) {
    if (x % 3 == 0) {
      throw new IllegalStateException();
    }
    return x;
  }

  static int handle(IllegalStateException e, int x) {
    return -x;
  }

  int virtual(int x) {
    return x + count;
  }

  private long combined(int n) throws Throwable {
    MethodHandle guarded = MethodHandles.guardWithTest(ODD, TWICE, NEXT);
    MethodHandle filtered = MethodHandles.filterReturnValue(guarded, NEXT);
    MethodHandle catching =
        MethodHandles.catchException(FAIL, IllegalStateException.class, HANDLE);
    MethodHandle inserted = MethodHandles.insertArguments(SUM, 1, 4L);
    MethodHandle permuted =
        MethodHandles.permuteArguments(
            SUM, MethodType.methodType(double.class, double.class, long.class, int.class), 2, 1, 0);
    MethodHandle spread = SUM.asSpreader(Object[].class, 3);
    MethodHandle bound =
        LOOKUP
            .bind(this, "virtual", INT_TO_INT)
            .asType(MethodType.methodType(long.class, int.class));
    long checksum = 0;
    for (int i = 0; i < n; i++) {
      checksum = Stressor.mix(checksum, (int) filtered.invokeExact(i));
      checksum = Stressor.mix(checksum, (int) catching.invokeExact(i));
      checksum = Stressor.mix(checksum, (long) (double) inserted.invokeExact(i, 0.5));
      checksum = Stressor.mix(checksum, (long) (double) permuted.invokeExact(0.25, 3L, i));
      checksum = Stressor.mix(checksum, (long) bound.invokeExact(i));
      if (i % 16 == 0) {
        checksum = Stressor.mix(checksum, (long) (double) spread.invoke(new Object[] {i, 2L, 1.5}));
      }
    }
    return checksum;
  }

  private long variables(int n) {
    long[] array = new long[8];
    for (int i = 0; i < n; i++) {
      COUNT.getAndAdd(this, i);
      COUNT.compareAndSet(this, i, i + 1);
      ELEMENT.setVolatile(array, i & 7, (long) ELEMENT.getAcquire(array, (i + 1) & 7) + i);
    }
    return Stressor.mix((int) COUNT.getVolatile(this), array[3]);
  }

  private static long changing(int n) throws Throwable {
    MutableCallSite site = new MutableCallSite(TWICE);
    MethodHandle invoker = site.dynamicInvoker();
    SwitchPoint point = new SwitchPoint();
    MethodHandle switched = point.guardWithTest(NEXT, TWICE);
    long checksum = 0;
    for (int i = 0; i < 4 * n; i++) {
      if (i % n == 0) {
        site.setTarget(i / n % 2 == 0 ? NEXT : TWICE);
      }
      if (i == 2 * n) {
        SwitchPoint.invalidateAll(new SwitchPoint[] {point});
      }
      checksum = Stressor.mix(checksum, (int) invoker.invokeExact(i));
      checksum = Stressor.mix(checksum, (int) switched.invokeExact(i));
    }
    return checksum;
  }

  @Override
  public long run(long seed, int round) throws Exception {
    try {
      long checksum = Stressor.mix(seed, new Handles().combined(800));
      checksum = Stressor.mix(checksum, new Handles().variables(4000));
      return Stressor.mix(checksum, changing(400));
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
