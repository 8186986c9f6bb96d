package programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import yieldpoint.Tests;

/**
 * A test suite without a framework: each test's own calls, among them every kind of dispatch, calls
 * that all tests make, and many times, calls by the JDK's code, reflection, and tests side by side.
 * Needs yieldpoint-junit.jar on the class path. Each test runs as often as the argument says.
 */
public final class Marked {
  interface Shape {
    int area();
  }

  static final class Square implements Shape {
    public int area() {
      return helper(4);
    }
  }

  static final class Circle implements Shape {
    public int area() {
      return helper(3);
    }
  }

  static final class Key implements Comparable<Key> {
    final int value;

    Key(int value) {
      this.value = value;
    }

    public int compareTo(Key other) {
      return Integer.compare(value, other.value);
    }
  }

  static int total;

  static int helper(int n) {
    return n + 1;
  }

  static int measure(Shape shape) {
    return shape.area();
  }

  static void squares() {
    for (int i = 0; i < 20000; i++) {
      total += measure(new Square());
    }
  }

  static void circles() {
    for (int i = 0; i < 20000; i++) {
      total += measure(new Circle());
    }
  }

  static void both() {
    total += measure(new Square());
    total += measure(new Circle());
  }

  static void lambdas() {
    List<Integer> numbers = new ArrayList<>();
    numbers.add(1);
    numbers.forEach(n -> total += helper(n));
  }

  static void sorting() {
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      keys.add(new Key(-i));
    }
    keys.sort(null);
    total += keys.get(0).value;
  }

  static void reflection() throws ReflectiveOperationException {
    total += (int) Marked.class.getDeclaredMethod("helper", int.class).invoke(null, 7);
  }

  static int never() {
    return 1;
  }

  private static void run(String name) throws ReflectiveOperationException {
    switch (name) {
      case "squares": squares(); break;
      case "circles": circles(); break;
      case "both": both(); break;
      case "lambdas": lambdas(); break;
      case "sorting": sorting(); break;
      case "reflection": reflection(); break;
      default: break;
    }
  }

  private static void beside(String name, Runnable body, CountDownLatch both, CountDownLatch done) {
    new Thread(() -> {
      Tests.begun(name);
      both.countDown();
      await(both);
      body.run();
      done.countDown();
      await(done);
      Tests.ended(name);
    }).start();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    helper(0); // While no test runs.
    if (arguments.length > 1) {
      never();
    }
    for (int round = 0; round < Integer.parseInt(arguments[0]); round++) {
      for (String name : new String[] {"squares", "circles", "both", "lambdas", "sorting",
          "reflection", "nothing"}) {
        Tests.begun(name);
        run(name);
        Tests.ended(name);
      }
    }
    CountDownLatch both = new CountDownLatch(2);
    CountDownLatch done = new CountDownLatch(2);
    beside("left", Marked::squares, both, done);
    beside("right", Marked::circles, both, done);
    done.await();
    System.out.println(total > 0); // Two threads have added to it.
  }
}
