package programs;

/** Calls to itself, directly, in turns and from two places of one line. */
public final class Recursion {
  // With F(0) = 0 and F(1) = 1, fib(n) is entered 2 F(n+1) - 1 times: 242785 times for n = 25, and
  // all but F(n+1) = 121393 of these go on to both calls.
  static int fib(int n) {
    if (n < 2) {
      return n;
    }
    int before = fib(n - 1); //> Recursion.fib 121392
    return before
        + fib(n - 2); //> Recursion.fib 121392
  }

  // 2^n leaves below 2^n - 1 inner nodes.
  static int leaves(int n) {
    return n == 0 ? 1 : leaves(n - 1) + leaves(n - 1); //> Recursion.leaves 32767, Recursion.leaves 32767
  }

  static boolean isEven(int n) {
    return n == 0 || isOdd(n - 1); //> Recursion.isOdd 150000
  }

  static boolean isOdd(int n) {
    return n != 0 && isEven(n - 1); //> Recursion.isEven 150000
  }

  public static void main(String[] args) { //< Recursion.main (root) 1
    int sum = fib(25); //> Recursion.fib 1
    sum += leaves(15); //> Recursion.leaves 1
    for (int i = 0; i < 3000; i++) {
      sum += isEven(100) ? 1 : 0; //> Recursion.isEven 3000
    }
    System.out.println(sum);
  }
}
