import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Calls whose numbers are known: from call sites that are first executed when all methods have been
 * compiled, which `yp aos --verbose` says on System.err.
 *
 * <p>The argument is the number of threads. Counted sites are those with n.
 */
public final class Calls {
  interface Shape {
    int area(int n);
  }

  static final class Square implements Shape {
    @Override
    public int area(int n) {
      return n * n;
    }
  }

  static class Base {
    int value(int n) {
      return n + 1;
    }

    final int fixed(int n) {
      return n + 2;
    }
  }

  static final class Derived extends Base {
    final int start;

    Derived(int start) {
      this.start = start;
    }

    @Override
    int value(int n) {
      return super.value(n) + start;
    }
  }

  static final class Lost extends Exception {
    Lost() {
      super(null, null, false, false);
    }
  }

  static int plus(int n) {
    return n + 3;
  }

  static synchronized int locked(int n) {
    return n + 4;
  }

  static int many(int a, long b, double c, float d, int e, int f, int g, int h, Object i, long j) {
    return (int) (a + b + c + d + e + f + g + h + j);
  }

  static int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
  }

  static int lose(int n) throws Lost {
    if (n >= 0) {
      throw new Lost();
    }
    return n;
  }

  static int total;

  // Each has a call site for warming up and one that is counted.
  static int callStatic(boolean counted, int n) {
    return counted ? plus(n) : plus(n);
  }

  static int callLocked(boolean counted, int n) {
    return counted ? locked(n) : locked(n);
  }

  static int callVirtual(boolean counted, Base base, int n) {
    return counted ? base.value(n) : base.value(n);
  }

  static int callFixed(boolean counted, Base base, int n) {
    return counted ? base.fixed(n) : base.fixed(n);
  }

  static int callInterface(boolean counted, Shape shape, int n) {
    return counted ? shape.area(n) : shape.area(n);
  }

  static int callMany(boolean counted, int n) {
    return counted
        ? many(n, 1L, 2.0, 3f, 4, 5, 6, 7, "", 8L)
        : many(n, 1L, 2.0, 3f, 4, 5, 6, 7, "", 8L);
  }

  static int construct(boolean counted, int n) {
    return counted ? new Derived(n).start : new Derived(n).start;
  }

  static int callDepth(boolean counted, int n) {
    return counted ? depth(n) : depth(n);
  }

  static int callLose(boolean counted, int n) {
    try {
      return counted ? lose(n) : lose(n);
    } catch (Lost e) {
      return 1;
    }
  }

  static int round(boolean counted, Base base, Shape shape, int n) {
    int sum = callStatic(counted, n);
    sum += callLocked(counted, n);
    sum += callVirtual(counted, base, n);
    sum += callFixed(counted, base, n);
    sum += callInterface(counted, shape, n);
    sum += callMany(counted, n);
    sum += construct(counted, n);
    sum += callDepth(counted, 5);
    sum += callLose(counted, n);
    return sum;
  }

  private static final String[] NAMES = {
    "Calls.plus", "Calls.locked", "Calls$Base.value", "Calls$Derived.value", "Calls$Base.fixed",
    "Calls$Square.area", "Calls.many", "Calls$Base.<init>", "Calls$Derived.<init>",
    "Calls$Lost.<init>", "Calls.depth", "Calls.lose", "Calls.callStatic", "Calls.callLocked",
    "Calls.callVirtual", "Calls.callFixed", "Calls.callInterface", "Calls.callMany",
    "Calls.construct", "Calls.callDepth", "Calls.callLose", "Calls.round"
  };

  private static void warmUp(Base base, Shape shape) {
    for (int i = 0; i < 500; i++) {
      total += round(false, base, shape, i);
    }
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int calls = Integer.parseInt(args[1]);
    Base base = new Derived(1);
    Shape shape = new Square();
    Compiled.await(Arrays.asList(NAMES), () -> warmUp(base, shape));
    // A call site that has led to the interpreter does so once more when its callee is compiled.
    warmUp(base, shape);
    List<Thread> all = new ArrayList<>();
    IntUnaryOperator work =
        n -> {
          int sum = 0;
          for (int i = 0; i < n; i++) {
            sum += round(true, base, shape, i);
          }
          return sum;
        };
    int[] sums = new int[threads];
    for (int i = 0; i < threads; i++) {
      int mine = i;
      Thread thread = new Thread(() -> sums[mine] = work.applyAsInt(calls));
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    long sum = 0;
    for (int one : sums) {
      sum += one;
    }
    System.out.println(sum);
  }
}
