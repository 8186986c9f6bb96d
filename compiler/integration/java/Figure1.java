/**
 * The program of Figure 1 of Arnold and Grove (CGO 2005): a sequence without calls, then two calls.
 * A timer's tick falls into the sequence, and the first call is the next that there is.
 *
 * <p>The argument is for how many milliseconds it runs.
 */
public final class Figure1 {
  static int call1(int n) {
    return n + 1;
  }

  static int call2(int n) {
    return n + 2;
  }

  static int round(int n) {
    int sum = n;
    for (int i = 0; i < 3000; i++) {
      sum = sum * 31 + i;
    }
    return call1(sum) + call2(sum);
  }

  public static void main(String[] args) {
    long end = System.nanoTime() + 1_000_000L * Integer.parseInt(args[0]);
    int sum = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 20; i++) {
        sum += round(i);
      }
    }
    System.out.println(sum == 42 ? "the answer" : "done");
  }
}
