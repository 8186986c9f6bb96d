package programs;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.Map;

/**
 * Calls by the JDK's code, of methods that the JDK declares, and of three methods at one call site,
 * for as long as the property warm.ms says; then the same call sites meet what they have not met.
 */
public final class Receivers {
  private static final long WARM_NS = 1_000_000L * Long.getLong("warm.ms", 0);
  /** On a busy machine the time is no measure. */
  private static final int WARM_ROUNDS = 100_000;
  private static final int AGAIN = 1000;

  /** Called directly and through the JDK's buffer. */
  private static class Sink extends Writer {
    long sum;

    @Override
    public void write(int c) {
      sum += c;
    }

    @Override
    public void write(char[] from, int begin, int length) {
      for (int i = begin; i < begin + length; i++) {
        sum = sum * 31 + from[i];
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static final class LateSink extends Sink {
    @Override
    public void write(int c) {
      sum -= c;
    }

    @Override
    public void write(char[] from, int begin, int length) {
      sum ^= length;
    }
  }

  private static class Key {
    final int value;

    Key(int value) {
      this.value = value;
    }

    @Override
    public int hashCode() {
      return value % 7;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key && ((Key) other).value == value;
    }
  }

  /** Inherits what the call sites know, and has one method of its own. */
  private static final class LateKey extends Key {
    LateKey(int value) {
      super(value);
    }

    @Override
    public boolean equals(Object other) {
      return other == this;
    }
  }

  private interface Shape {
    int area(int side);

    default int twice(int side) {
      return 2 * area(side);
    }
  }

  private static class Square implements Shape {
    @Override
    public int area(int side) {
      return side * side;
    }

    private int edge(int side) {
      return 4 * side;
    }
  }

  /** Its method of that name overrides nothing. */
  private static final class LateSquare extends Square {
    int edge(int side) {
      return -side;
    }

    @Override
    public int twice(int side) {
      return side;
    }
  }

  private static class Line implements Shape {
    @Override
    public int area(int side) {
      return 0;
    }
  }

  private static final class Point extends Line {}

  private static final class LateShape implements Shape {
    @Override
    public int area(int side) {
      return side + 1;
    }
  }

  private static int measure(Shape shape, int i, double unused, String alsoUnused) {
    return shape.area(i & 15) + (shape instanceof Square ? ((Square) shape).edge(i & 3) : 0);
  }

  private static int twice(Shape shape, int i) {
    return shape.twice(i & 15);
  }

  private static void write(Writer writer, int i) throws IOException {
    writer.write('a' + i % 26);
    if (i % 5 == 0) {
      writer.write("hello".toCharArray(), 1, 3);
      writer.flush();
    }
  }

  private static int look(Map<Object, Integer> map, Object key) {
    Integer found = map.get(key);
    return found == null ? 1 : found;
  }

  private static int writeNothing() throws IOException {
    int thrown = 0;
    for (int i = 0; i < AGAIN; i++) {
      try {
        write(i % 2 == 0 ? null : new Sink(), i);
      } catch (NullPointerException e) {
        thrown++;
      }
    }
    return thrown;
  }

  public static void main(String[] args) throws IOException {
    Sink direct = new Sink();
    Sink behind = new Sink();
    Writer[] writers = {direct, new BufferedWriter(behind, 16)};
    Map<Object, Integer> map = new HashMap<>();
    for (int i = 0; i < 64; i++) {
      map.put(i % 2 == 0 ? (Object) new Key(i) : Integer.toString(i), i);
    }
    Shape[] shapes = {new Square(), new Line(), new Point()};
    long end = System.nanoTime() + WARM_NS;
    int found = 0;
    for (int i = 0; i < WARM_ROUNDS || System.nanoTime() - end < 0; i++) {
      write(writers[i & 1], i);
      found |= look(map, new Key(i & 127));
      found |= look(map, Integer.toString(i & 127));
      found |= measure(shapes[i % 3], i, 0.5, "");
      found |= shapes[i % 3].area(i & 7); // In code that is never entered again.
      found |= twice(shapes[i % 3], i);
    }
    System.out.println("warm " + found + " " + (direct.sum != behind.sum));

    LateSink late = new LateSink();
    LateSink lateBehind = new LateSink();
    Writer[] lateWriters = {late, new BufferedWriter(lateBehind, 16), direct};
    LateSquare square = new LateSquare();
    Shape lambda = side -> side + 2;
    Shape reference = square::edge;
    long sum = 0;
    for (int i = 0; i < AGAIN; i++) {
      write(lateWriters[i % 3], i);
      sum += look(map, new LateKey(i & 127));
      sum += measure(i % 2 == 0 ? new LateShape() : shapes[i % 3], i, 0.5, "");
      sum += measure(i % 2 == 0 ? lambda : reference, i, 0.5, "");
      sum += measure(square, i, 0.5, "") + square.edge(i);
      sum += twice(i % 3 == 0 ? lambda : i % 3 == 1 ? square : shapes[0], i);
    }
    shapes[1] = new LateShape();
    for (int i = 0; i < 3; i++) {
      sum += shapes[i].area(i);
    }
    System.out.println("late " + sum + " " + late.sum + " " + lateBehind.sum);
    System.out.println("null " + writeNothing());
  }
}
