import java.util.function.IntUnaryOperator;

/** What HotSpot's compilers tell of: inlining, loops entered on-stack, and code that is given up. */
public final class Compiled {
  interface Shape {
    int area(int x);
  }

  static final class Square implements Shape {
    public int area(int x) {
      return x * x;
    }
  }

  static final class Strip implements Shape {
    public int area(int x) {
      return x + 1;
    }
  }

  static int field;

  static int small(int x) {
    return x + field;
  }

  static int total(Shape shape, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += small(shape.area(i));
    }
    return sum;
  }

  static int rare(int x, boolean odd) {
    if (odd) {
      return Integer.toString(x).length();
    }
    return small(x) * 31;
  }

  static int loop(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum = sum * 31 + small(i);
    }
    return sum;
  }

  static int apply(IntUnaryOperator f, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += f.applyAsInt(i);
    }
    return sum;
  }

  static int element(int[] array, int i) {
    try {
      return array[i];
    } catch (ArrayIndexOutOfBoundsException e) {
      return -1;
    }
  }

  static int recursive(int n) {
    return n <= 1 ? 1 : recursive(n - 1) + recursive(n - 2);
  }

  public static void main(String[] args) {
    int sum = 0;
    final Shape square = new Square();
    for (int i = 0; i < 20_000; i++) {
      sum += total(square, 20) + rare(i, false);
    }
    sum += total(new Strip(), 20);
    for (int i = 0; i < 20_000; i++) {
      sum += rare(i, true) + total(i % 2 == 0 ? square : new Strip(), 10);
    }
    sum += loop(10_000_000);
    for (int i = 0; i < 10_000; i++) {
      sum += apply(x -> x + 1, 20);
      sum += recursive(8);
    }
    final int[] array = new int[10];
    for (int i = 0; i < 30_000; i++) {
      sum += element(array, i % 10);
    }
    for (int i = 0; i < 30_000; i++) {
      sum += element(array, i % 20);
    }
    System.out.println(sum);
  }
}
