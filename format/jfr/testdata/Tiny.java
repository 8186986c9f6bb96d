import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.IntUnaryOperator;

// Makes a compiler do a little of each thing: calls that are inlined and that are not, code for
// entering a loop, a compilation that fails, an assumption that turns out wrong, a hidden class and
// a class of a class loader without a name.
public class Tiny {
  static int sink;

  interface Shape {
    int area(int x);
  }

  static class Square implements Shape {
    public int area(int x) {
      return x * x;
    }
  }

  static class Line implements Shape {
    public int area(int x) {
      return x & 1;
    }
  }

  public static class Loaded implements Runnable {
    public void run() {
      for (int i = 0; i < 20_000; ++i) sink += half(i);
    }

    static int half(int x) {
      return x >> 1;
    }
  }

  static int measure(Shape shape, int x) {
    return shape.area(x) + 1;
  }

  static int apply(IntUnaryOperator operator, int x) {
    return operator.applyAsInt(x);
  }

  static void loop(Shape shape, int n) {
    for (int i = 0; i < n; ++i) sink += measure(shape, i) + apply(x -> x + 3, i);
  }

  public static void main(String[] arguments) throws Exception {
    loop(new Square(), 300_000);
    for (int i = 0; i < 10_000; ++i) loop(new Square(), 3);
    loop(new Line(), 100_000);
    URL[] here = {Tiny.class.getProtectionDomain().getCodeSource().getLocation()};
    try (URLClassLoader loader = new URLClassLoader(here, null)) {
      Class<?> loaded = loader.loadClass("Tiny$Loaded");
      ((Runnable) loaded.getDeclaredConstructor().newInstance()).run();
    }
  }
}
