package programs;

/**
 * Gives both compilers work between the lines "begin" and "end": methods that are called often, a
 * loop that is entered once, and a class that nobody expected.
 *
 * <p>Usage: Compiled MILLISECONDS [halt|endless]
 */
final class Compiled {
  private interface Shape {
    int area(int x);
  }

  private static final class Square implements Shape {
    @Override
    public int area(int x) {
      return x * x;
    }
  }

  private static final class Line implements Shape {
    @Override
    public int area(int x) {
      return x;
    }
  }

  private static int sum(Shape shape, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
      total += shape.area(i);
    }
    return total;
  }

  private static int hash(String text) {
    int h = 7;
    for (int i = 0; i < text.length(); i++) {
      h = 31 * h + text.charAt(i);
    }
    return h;
  }

  private static long work(int rounds) {
    long result = 0;
    Shape square = new Square();
    for (int i = 0; i < rounds; i++) {
      result += sum(square, 50) + hash("text " + i);
    }
    Shape line = new Line();
    for (int i = 0; i < rounds; i++) {
      result += sum(line, 50);
    }
    return result;
  }

  public static void main(String[] args) throws InterruptedException {
    System.out.println("begin");
    long result = work(20_000);
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
    while (System.nanoTime() < end) {
      result += work(100);
    }
    System.out.println("end");
    Thread.sleep(500); // What has been begun is compiled.
    System.err.println(result == 0 ? "nothing" : "done");
    if (args.length > 1 && args[1].equals("halt")) {
      Runtime.getRuntime().halt(0);
    }
    while (args.length > 1 && args[1].equals("endless")) {
      Thread.sleep(100);
    }
  }
}
