package programs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Calls whose first time is unlike the others, after their methods have been called a lot. */
public final class Discovered {
  private static final int ROUNDS = 20_000;

  interface Shape {
    int area(int x);

    default int twice(int x) {
      return area(x) + area(x);
    }
  }

  static class Square implements Shape {
    @Override
    public int area(int x) {
      return x * x;
    }
  }

  /** Comes when the call sites have long been compiled. */
  static final class Late extends Square {
    @Override
    public int area(int x) {
      return super.area(x) + 1;
    }
  }

  /** Adds an interface to what it inherits. */
  interface Measured {
    int area(int x);
  }

  static final class Both extends Square implements Measured {}

  static class Calls {
    static int shared(int x) {
      return x + 1;
    }
  }

  /** Its initialiser calls what the call that starts it calls. */
  static final class Initialised extends Calls {
    static final int FIRST = leaf(1);

    static int leaf(int x) {
      return x + 3;
    }
  }

  /** So does this one, by way of a constructor. */
  static final class Single {
    static final Single ONE = new Single(0);
    static int made;
    final int value;

    Single(int value) {
      this.value = value;
    }

    static Single of(int value) {
      made++;
      return new Single(value);
    }
  }

  /** Never initialised by what calls its inherited method. */
  static final class Inherits extends Calls {}

  static final class Key implements Comparable<Key> {
    final int value;

    Key(int value) {
      this.value = value;
    }

    @Override
    public int hashCode() {
      return value;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key && ((Key) other).value == value;
    }

    @Override
    public int compareTo(Key other) {
      return Integer.compare(value, other.value);
    }
  }

  static int step(int x) {
    return x ^ 5;
  }

  public int reflected(int x) {
    return x + step(x);
  }

  static int total(Shape shape, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += shape.area(i) + shape.twice(i);
    }
    return sum;
  }

  static int measured(Measured measured, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += measured.area(i);
    }
    return sum;
  }

  static int apply(Function<Integer, Integer> function, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += function.apply(i);
    }
    return sum;
  }

  /** Throws before it reaches what it calls, and does later. */
  static int area(Shape shape) {
    try {
      return shape.area(3);
    } catch (NullPointerException e) {
      return -1;
    }
  }

  public static void main(String[] arguments) throws Exception {
    long sum = 0;
    Square square = new Square();
    sum += total(square, ROUNDS);
    sum += total(new Late(), ROUNDS);
    sum += total(x -> step(x), ROUNDS);
    sum += measured(new Both(), ROUNDS);
    sum += area(null) + area(null) + area(square);

    for (int i = 0; i < ROUNDS; i++) {
      sum += Calls.shared(i);
    }
    sum += Inherits.shared(1);
    sum += Initialised.leaf(2) + Initialised.FIRST;
    sum += Initialised.shared(3);
    sum += Single.of(4).value;
    sum += Single.made;

    Key first = new Key(1);
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      sum += first.equals(new Key(i)) ? 1 : 0;
      sum += first.hashCode() + first.compareTo(first);
      if (i % 1000 == 0) {
        keys.add(new Key(i));
      }
    }
    sum += keys.indexOf(new Key(2000));
    keys.sort(Comparator.reverseOrder());
    sum += keys.get(0).value;

    sum += apply(Discovered::step, ROUNDS);
    Discovered discovered = new Discovered();
    for (int i = 0; i < ROUNDS; i++) {
      sum += discovered.reflected(i);
    }
    sum += (int) Discovered.class.getMethod("reflected", int.class).invoke(discovered, 7);
    sum += Discovered.class.getDeclaredConstructor().newInstance().reflected(1);

    Shape loaded =
        (Shape) Class.forName("programs.Discovered$Unnamed").getDeclaredConstructor().newInstance();
    sum += total(loaded, ROUNDS);
    System.out.println(sum);
  }

  /** Named only as text. */
  static final class Unnamed implements Shape {
    Unnamed() {}

    @Override
    public int area(int x) {
      return x - 1;
    }
  }
}
