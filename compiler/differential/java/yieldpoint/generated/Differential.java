package yieldpoint.generated;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/**
 * Calls the methods of generated classes, the same number of times each, and prints a line for each
 * method: a hash of all results, exceptions with their stack traces, and what has become of the
 * arguments. All is done in several rounds, which must be equal: the more of it is compiled, the
 * later. Arguments: rounds, calls of each method in each, names of classes.
 */
public final class Differential {
  private static final int MOST_FRAMES = 40;
  // kGeneratedMethods of generator.h.
  private static final int METHODS = 6;

  private Differential() {}

  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    for (int round = 0; round < rounds; round++) {
      System.out.println("round " + round);
      callAll(
          Integer.parseInt(arguments[1]),
          Arrays.asList(arguments).subList(2, arguments.length),
          Boolean.getBoolean("details"));
    }
  }

  private static void callAll(int calls, List<String> names, boolean details) throws Exception {
    for (String name : names) {
      Class<?> generated = Class.forName(name);
      Method[] methods = new Method[METHODS];
      for (Method method : generated.getDeclaredMethods()) {
        methods[Integer.parseInt(method.getName().substring(1))] = method;
      }
      for (Method method : methods) {
        System.out.println(name + "." + method.getName() + " " + hash(method, calls, details));
      }
    }
  }

  private static String hash(Method method, int calls, boolean details) throws Exception {
    Helper.reset();
    long hash = 17;
    int thrown = 0;
    for (int call = 0; call < calls; call++) {
      Helper.fuel = 40;
      Helper helper = new Helper();
      int[] ints = {call, -call, 3, 1 << call, 5, 0, -1, call * 7919};
      long one;
      try {
        Object result =
            method.invoke(null, call, (long) call << 29, call / 3.0, call * 0.7f, helper, ints);
        one = of(result);
      } catch (InvocationTargetException e) {
        one = trace(e.getCause());
        thrown++;
      }
      one = one * 31 + state(helper) + Arrays.hashCode(ints);
      hash = hash * 1_000_003 + one;
      if (details) {
        System.out.println("  " + call + " " + Long.toHexString(one));
      }
    }
    return Long.toHexString(hash) + " thrown " + thrown;
  }

  private static long state(Helper h) {
    long hash = h.i;
    hash = hash * 31 + h.j;
    hash = hash * 31 + Float.floatToIntBits(h.f);
    hash = hash * 31 + Double.doubleToLongBits(h.d);
    hash = hash * 31 + h.b + 3L * h.s + 5L * h.c + (h.z ? 7 : 0) + h.vj;
    hash = hash * 31 + of(h.o) + 3 * of(h.next);
    hash = hash * 31 + Helper.si + 3 * Helper.sj + 5 * Double.doubleToLongBits(Helper.sd);
    return hash * 31 + of(Helper.so) + Helper.fuel;
  }

  /** The same in every run: no identity hash codes. */
  private static long of(Object value) {
    if (value instanceof Float) {
      return Float.floatToIntBits((Float) value);
    } else if (value instanceof Double) {
      return Double.doubleToLongBits((Double) value);
    } else if (value instanceof Number) {
      return ((Number) value).longValue();
    } else if (value instanceof Helper) {
      return ((Helper) value).i + 1;
    } else if (value instanceof Throwable) {
      return trace((Throwable) value);
    } else if (value instanceof int[]) {
      return Arrays.hashCode((int[]) value);
    }
    return value == null ? 11 : value instanceof String ? value.hashCode()
        : value.getClass().getName().hashCode();
  }

  private static long trace(Throwable thrown) {
    long hash = thrown.getClass().getName().hashCode();
    hash = hash * 31 + String.valueOf(thrown.getMessage()).hashCode();
    int frames = 0;
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (!frame.getClassName().startsWith("yieldpoint.generated.") || frames++ == MOST_FRAMES) {
        break;
      }
      hash = hash * 31 + frame.getMethodName().hashCode() + frame.getLineNumber();
    }
    return hash;
  }
}
