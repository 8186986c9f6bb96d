package programs;

/** Nothing but calls that do almost nothing; argument: n. Makes 2 F(n+1) - 1 calls. */
public final class Fib {
  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  public static void main(String[] args) {
    System.out.println(fib(Integer.parseInt(args[0])));
  }
}
