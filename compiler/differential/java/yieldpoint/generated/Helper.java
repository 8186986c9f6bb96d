package yieldpoint.generated;

/** What generated methods work on. */
public class Helper {
  public int i;
  public long j;
  public float f;
  public double d;
  public byte b;
  public short s;
  public char c;
  public boolean z;
  public Object o;
  public Helper next;
  public volatile long vj;
  public Shape shape;

  public static int si;
  public static long sj;
  public static double sd;
  public static Object so;
  public static int fuel;

  private static int made;

  public Helper() {
    int number = made++;
    i = number;
    j = (long) number << 33;
    shape = number % 3 == 0 ? new Square() : number % 3 == 1 ? new Line() : new Point();
    next = number % 97 == 96 ? null : this;
  }

  public int mix(int a, long b) {
    return (int) (a * 31 + b) ^ i;
  }

  public static Helper of(Object object) {
    return object instanceof Helper ? (Helper) object : new Helper();
  }

  static void reset() {
    made = 0;
    si = 0;
    sj = 0;
    sd = 0;
    so = null;
  }

  private static final class Square implements Shape {
    @Override
    public synchronized int area(int side) {
      return side * side;
    }
  }

  private static final class Line implements Shape {
    @Override
    public int area(int side) {
      return 0;
    }
  }

  private static final class Point implements Shape {
    @Override
    public int area(int side) {
      return side / (side & 63);
    }
  }
}
