import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Code of every shape that a rewriter can get wrong. The committed class is made by
 * {@code javac --release 11 -g Shapes.java} of JDK 17.
 */
public final class Shapes {
  @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Mark {}

  interface Größe {
    int größe();

    default int doppelt() {
      return 2 * größe();
    }
  }

  static final class 円 implements Größe {
    private final int größe;

    円(int größe) {
      this.größe = größe;
    }

    @Override
    public int größe() {
      return größe;
    }
  }

  private int state;

  /** Frames with an uninitialised this and an uninitialised new object. */
  Shapes(boolean one) {
    this(one ? 1 : new Shapes(one ? 3 : 2).state);
  }

  Shapes(int state) {
    this.state = state;
  }

  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  /** A loop whose head is bytecode 0. */
  static int loopFromZero(int n) {
    while (n > 10) {
      n -= fib(3);
    }
    return n;
  }

  /** The entry's first instruction is a call that is also a jump's target. */
  static int callFromZero() {
    do {
    } while (fib(2) == 0);
    return 1;
  }

  static int dense(int n) {
    switch (fib(n)) {
      case 0:
        return fib(0);
      case 1:
        return fib(4);
      case 2:
        return -2;
      default:
        return n;
    }
  }

  static String sparse(String s) {
    switch (s) {
      case "a":
        return s.trim();
      case "größe":
        return s.toUpperCase();
      default:
        return s.concat("!");
    }
  }

  static int caught(Object o) {
    int result = 0;
    try {
      result = o.hashCode() - o.hashCode();
      result += ((String) o).length();
    } catch (ClassCastException e) {
      result = fib(5);
    } catch (NullPointerException e) {
      result = -1;
    } finally {
      result += fib(1);
    }
    return result;
  }

  synchronized int locked(int n) {
    synchronized (this) {
      state += fib(n);
    }
    return state;
  }

  static int wide(int n) {
    for (int i = 0; i < 10_000; i += 1_000) {
      n += i;
    }
    return n;
  }

  static <T extends Comparable<T>> T largest(List<T> all) {
    @Mark T best = all.get(0);
    for (@Mark T each : all) {
      if (each.compareTo(best) > 0) {
        best = (@Mark T) each;
      }
    }
    return best;
  }

  static int lambda(int n) {
    IntUnaryOperator twice = x -> x + fib(n);
    return twice.andThen(x -> x * 2).applyAsInt(n);
  }

  static long locals(long a, double b, int c) {
    long d = a + c;
    if (c > 0) {
      float e = (float) b;
      d += (long) e;
    } else {
      Object f = new @Mark ArrayList<String>();
      d += f instanceof @Mark List ? fib(6) : 0;
    }
    return d;
  }

  public static void main(String[] args) {
    System.out.println(new Shapes(true).state + " " + new Shapes(false).state);
    System.out.println(fib(10) + " " + loopFromZero(31) + " " + callFromZero());
    System.out.println(dense(0) + " " + dense(1) + " " + dense(3) + " " + dense(6));
    System.out.println(sparse("a") + sparse("größe") + sparse("b"));
    System.out.println(caught("four") + " " + caught(3) + " " + caught(null));
    System.out.println(new Shapes(4).locked(7) + " " + wide(1));
    System.out.println(largest(List.of(3, 9, 4)) + " " + lambda(5));
    System.out.println(locals(1, 2.5, 3) + " " + locals(1, 2.5, 0));
    Größe eins = new 円(21);
    System.out.println(eins.doppelt());
  }
}
