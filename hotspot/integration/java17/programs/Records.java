package programs;

/** Calls of a record, from itself and from outside. */
public final class Records {
  record Point(int x, int y) {
    int sum() {
      return x() + y(); //> Point.x 60000, Point.y 60000
    }
  }

  static long run(Point point, int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += point.sum(); //> Point.sum 60000
    }
    return sum;
  }

  public static void main(String[] args) { //< Records.main (root) 1
    System.out.println(run(new Point(3, 4), 60000)); //> Point.<init> 1, Records.run 1
  }
}
