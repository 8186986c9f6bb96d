package torture;

import java.util.Random;
import java.util.function.IntUnaryOperator;

/** Call sites that go from one receiver to many, and back in the next copy; loops compiled late. */
public final class Dispatch implements Stressor {
  interface Kind {
    int of(int x);

    default int defaulted(int x) {
      return of(x) ^ 5;
    }
  }

  abstract static class Base implements Kind {
    int virtual(int x) {
      return of(x) + 1;
    }
  }

  static class A extends Base {
    @Override
    public int of(int x) {
      return x + 1;
    }
  }

  static final class B extends A {
    @Override
    public int of(int x) {
      return super.of(x) * 3;
    }
  }

  static final class C extends Base {
    @Override
    public int of(int x) {
      return x ^ 77;
    }

    @Override
    int virtual(int x) {
      return -x;
    }
  }

  static final class D implements Kind {
    @Override
    public int of(int x) {
      return Integer.reverse(x);
    }

    @Override
    public int defaulted(int x) {
      return x;
    }
  }

  static final class E extends Base {
    @Override
    public synchronized int of(int x) {
      return x * x;
    }
  }

  static int each(Kind kind, int x) {
    int result = kind.of(x) + kind.defaulted(x);
    return kind instanceof Base ? result + ((Base) kind).virtual(x) : result;
  }

  /** One long call: most of it runs in code that was entered in the middle of the loop. */
  static int loop(Kind[] kinds, int n) {
    int result = 0;
    for (int i = 0; i < n; i++) {
      result = result * 31 + each(kinds[i % kinds.length], i);
    }
    return result;
  }

  /** A copy of it has call sites that have seen nothing. */
  public static final class Fresh implements IntUnaryOperator {
    @Override
    public int applyAsInt(int x) {
      Kind[] kinds = kinds();
      int result = 0;
      for (int width = 1; width <= kinds.length; width++) {
        for (int i = 0; i < 1500; i++) {
          result = result * 31 + one(kinds[(i + x) % width], i);
        }
      }
      return result;
    }

    private static int one(Kind kind, int x) {
      return kind.of(x) - kind.hashCode() + kind.hashCode();
    }
  }

  public static Kind[] kinds() {
    return new Kind[] {new A(), new B(), new C(), new D(), new E()};
  }

  @Override
  public long run(long seed, int round) throws ReflectiveOperationException {
    Random random = new Random(seed);
    Kind[] kinds = kinds();
    long checksum = Stressor.mix(seed, loop(kinds, 30000));
    for (int i = 0; i < 3; i++) {
      IntUnaryOperator fresh =
          (IntUnaryOperator)
              new Throwaway(Fresh.class, Dispatch.class, Kind.class, Base.class, A.class, B.class,
                      C.class, D.class, E.class)
                  .create(Fresh.class);
      checksum = Stressor.mix(checksum, fresh.applyAsInt(random.nextInt(1000)));
    }
    return checksum;
  }
}
