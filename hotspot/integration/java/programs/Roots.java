package programs;

/** Two dozen methods that are each compiled on their own, if the compilers may not inline them. */
public final class Roots {
  static int leaf(int x) {
    return x + 1;
  }

  static int root0(int x) {
    return leaf(x) * 3 + leaf(x ^ 0);
  }

  static int root1(int x) {
    return leaf(x) * 5 + leaf(x ^ 1);
  }

  static int root2(int x) {
    return leaf(x) * 7 + leaf(x ^ 2);
  }

  static int root3(int x) {
    return leaf(x) * 9 + leaf(x ^ 3);
  }

  static int root4(int x) {
    return leaf(x) * 11 + leaf(x ^ 4);
  }

  static int root5(int x) {
    return leaf(x) * 13 + leaf(x ^ 5);
  }

  static int root6(int x) {
    return leaf(x) * 15 + leaf(x ^ 6);
  }

  static int root7(int x) {
    return leaf(x) * 17 + leaf(x ^ 7);
  }

  static int root8(int x) {
    return leaf(x) * 19 + leaf(x ^ 8);
  }

  static int root9(int x) {
    return leaf(x) * 21 + leaf(x ^ 9);
  }

  static int root10(int x) {
    return leaf(x) * 23 + leaf(x ^ 10);
  }

  static int root11(int x) {
    return leaf(x) * 25 + leaf(x ^ 11);
  }

  static int root12(int x) {
    return leaf(x) * 27 + leaf(x ^ 12);
  }

  static int root13(int x) {
    return leaf(x) * 29 + leaf(x ^ 13);
  }

  static int root14(int x) {
    return leaf(x) * 31 + leaf(x ^ 14);
  }

  static int root15(int x) {
    return leaf(x) * 33 + leaf(x ^ 15);
  }

  static int root16(int x) {
    return leaf(x) * 35 + leaf(x ^ 16);
  }

  static int root17(int x) {
    return leaf(x) * 37 + leaf(x ^ 17);
  }

  static int root18(int x) {
    return leaf(x) * 39 + leaf(x ^ 18);
  }

  static int root19(int x) {
    return leaf(x) * 41 + leaf(x ^ 19);
  }

  static int root20(int x) {
    return leaf(x) * 43 + leaf(x ^ 20);
  }

  static int root21(int x) {
    return leaf(x) * 45 + leaf(x ^ 21);
  }

  static int root22(int x) {
    return leaf(x) * 47 + leaf(x ^ 22);
  }

  static int root23(int x) {
    return leaf(x) * 49 + leaf(x ^ 23);
  }

  static int all(int x) {
    int sum = 0;
    sum += root0(x);
    sum += root1(x);
    sum += root2(x);
    sum += root3(x);
    sum += root4(x);
    sum += root5(x);
    sum += root6(x);
    sum += root7(x);
    sum += root8(x);
    sum += root9(x);
    sum += root10(x);
    sum += root11(x);
    sum += root12(x);
    sum += root13(x);
    sum += root14(x);
    sum += root15(x);
    sum += root16(x);
    sum += root17(x);
    sum += root18(x);
    sum += root19(x);
    sum += root20(x);
    sum += root21(x);
    sum += root22(x);
    sum += root23(x);
    return sum;
  }

  /** A branch of the program's own: not taken until the compiler has pruned it, then taken. */
  static int rarely(int x, int at) {
    return x == at ? leaf(leaf(x)) : x + 2;
  }

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += all(i);
      sum += rarely(i, rounds - 100);
    }
    System.out.println(sum);
  }
}
