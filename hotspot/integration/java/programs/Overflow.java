package programs;

/** Runs out of stack again and again. How deep that goes differs from run to run. */
public final class Overflow {
  static long entries;

  static int descend(int x) {
    entries++;
    return 1 + descend(x + 1);
  }

  static int steady(int x) {
    return x + 1;
  }

  public static void main(String[] args) {
    int overflows = 0;
    int sum = 0;
    for (int i = 0; i < 20; i++) {
      try {
        descend(0);
      } catch (StackOverflowError e) {
        overflows++;
      }
      for (int j = 0; j < 1000; j++) {
        sum += steady(j); //> Overflow.steady 20000
      }
    }
    System.out.println(overflows + " " + sum);
    System.err.println(entries);
  }
}
