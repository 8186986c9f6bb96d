package torture;

import java.util.function.IntBinaryOperator;

/**
 * Makes the compilers' assumptions false, one after the other: a class has one subclass, a branch
 * is never taken, a reference never null, a cast always of one type, an index always in bounds.
 * Each round has its own copies of the classes, about which nothing is known yet.
 */
public final class Deoptimization implements Stressor {
  public abstract static class Shape {
    int side = 3;

    abstract int area(int x);

    int twice(int x) {
      return area(x) + area(x + 1);
    }
  }

  public static final class Square extends Shape {
    @Override
    int area(int x) {
      return side * side + x;
    }
  }

  public static final class Circle extends Shape {
    @Override
    int area(int x) {
      return side * 3 - x;
    }

    @Override
    int twice(int x) {
      return 2 * area(x);
    }
  }

  static final class Lazy {
    static int value = 7;

    static int get() {
      return value;
    }
  }

  /** Arguments: the phase, and how many calls. */
  public static final class Loop implements IntBinaryOperator {
    private final Shape[] shapes = {new Square(), new Square(), new Square(), new Square()};
    private final int[] table = new int[8];
    private Object object = "text";
    private int limit = 8;

    private int call(Shape shape, int x) {
      return shape.twice(x);
    }

    private int orNull(Shape shape, int x) {
      return shape == null ? -x : shape.area(x);
    }

    private int typed(Object object) {
      return object instanceof String ? ((String) object).length() : object.hashCode();
    }

    private int summed() {
      int sum = 0;
      for (int i = 0; i < limit; i++) {
        sum += table[i]++;
      }
      return sum;
    }

    private int rarely(int x, boolean now) {
      if (now) {
        return call(shapes[x & 3], x) - Lazy.get();
      }
      return x + 1;
    }

    private int step(int x, boolean now) {
      Shape shape = shapes[x & 3];
      int sum = orNull(shape, x) + typed(object) + rarely(x, now);
      if (shape != null) {
        sum += call(shape, x);
      }
      try {
        sum += summed();
      } catch (ArrayIndexOutOfBoundsException e) {
        sum -= 5;
      }
      return sum;
    }

    private void enter(int phase) {
      switch (phase) {
        case 1:
          shapes[1] = new Circle();
          break;
        case 2:
          shapes[2] = null;
          break;
        case 3:
          object = 17;
          break;
        case 4:
          limit = 9;
          break;
        default:
      }
    }

    @Override
    public int applyAsInt(int phase, int n) {
      int result = 0;
      for (int i = 0; i < n; i++) {
        if (i == n / 2) {
          enter(phase);
        }
        result = result * 31 + step(i, phase == 5 && i % 64 == 63);
      }
      return result;
    }
  }

  @Override
  public long run(long seed, int round) throws ReflectiveOperationException {
    IntBinaryOperator loop =
        (IntBinaryOperator)
            new Throwaway(Shape.class, Square.class, Circle.class, Lazy.class, Loop.class)
                .create(Loop.class);
    long checksum = seed;
    for (int phase = 0; phase < 6; phase++) {
      checksum = Stressor.mix(checksum, loop.applyAsInt(phase, 20000));
    }
    return checksum;
  }
}
