import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * What compiled code takes for granted until a class is loaded or initialized: that a virtual call
 * has one target, and what static final fields hold.
 */
public class Bound {
  private static final int ROUNDS = 30_000;

  /** Too large to be inlined: its calls are bound while it is the only one. */
  static class Square {
    int area(int x) {
      int sum = x;
      for (int i = 1; i < 5; i++) {
        sum = sum * 31 + i * x;
        sum ^= sum >>> 7;
        sum += (x << i) - (x >> i);
        sum = Integer.rotateLeft(sum, i) + (sum | x);
      }
      return sum;
    }
  }

  /** Loaded when the calls are compiled. */
  static class Late extends Square {
    @Override
    int area(int x) {
      return super.area(x) * 2 + 1;
    }
  }

  /** Its field is read while it is not yet assigned, and behind that. */
  static class Slow {
    static final int VALUE;
    static final int[] TABLE;
    static final long BEFORE;
    static final long BEHIND;

    static {
      BEFORE = readOften();
      VALUE = Integer.parseInt("17");
      TABLE = new int[] {1, 2, 3, VALUE};
      BEHIND = readOften();
    }

    static long readOften() {
      long sum = 0;
      for (int i = 0; i < ROUNDS; i++) {
        sum += read(i);
      }
      return sum;
    }

    static int read(int i) {
      return VALUE + (TABLE == null ? -1 : TABLE[i & TABLE.length - 1]);
    }
  }

  static long areas(Square square) {
    long sum = 0;
    for (int i = 0; i < 50; i++) {
      sum = sum * 3 + square.area(i);
    }
    return sum;
  }

  static String kindOf(Object object) {
    if (object instanceof String) {
      String text = (String) object;
      return "text " + text.length();
    }
    if (object instanceof Comparable) {
      Comparable<?> comparable = (Comparable<?>) object;
      return "comparable " + comparable.hashCode();
    }
    if (!(object instanceof int[])) {
      return "other";
    }
    return "ints " + ((int[]) object).length;
  }

  static void say(int i) {
    if (i % 1000 == 0) {
      System.out.print(i / 1000 + " ");
    }
  }

  public static void main(String[] args) throws Exception {
    Square square = new Square();
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      sum += areas(square);
    }
    System.out.println("one class " + sum);
    Square late = (Square) Class.forName("Bound$Late").getDeclaredConstructor().newInstance();
    sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      sum += areas(i % 3 == 0 ? late : square);
    }
    System.out.println("two classes " + sum);
    System.out.println("not initialized " + Slow.BEFORE + " and then " + Slow.BEHIND + ", "
        + Slow.readOften());
    Object[] objects = {"abc", 7L, new int[5], null, new Object(), 'x', new String[2]};
    long hash = 0;
    for (int i = 0; i < ROUNDS; i++) {
      hash = hash * 31 + kindOf(objects[i % objects.length]).hashCode();
    }
    System.out.println("kinds " + hash);
    PrintStream out = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < ROUNDS; i++) {
      if (i == ROUNDS / 2) {
        System.setOut(new PrintStream(bytes, true));
      }
      say(i);
    }
    System.setOut(out);
    System.out.println();
    System.out.println("elsewhere " + bytes);
  }
}
