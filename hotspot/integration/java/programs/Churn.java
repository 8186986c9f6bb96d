package programs;

import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.function.IntUnaryOperator;

/**
 * Allocates, loads classes into loaders that go away, starts threads that end: whatever an agent
 * might keep about these would grow for ever. Argument: seconds.
 */
public final class Churn {
  public static final class Guest implements IntUnaryOperator {
    static int shared(int x) {
      return x + 1;
    }

    @Override
    public int applyAsInt(int x) {
      return shared(x) + shared(x + 1);
    }
  }

  static final class Loader extends ClassLoader {
    Loader() {
      super(Churn.class.getClassLoader());
    }

    Class<?> define(byte[] bytes) {
      return defineClass("programs.Churn$Guest", bytes, 0, bytes.length);
    }
  }

  static int load(byte[] bytes) throws ReflectiveOperationException {
    IntUnaryOperator guest =
        (IntUnaryOperator)
            new Loader().define(bytes).getDeclaredConstructor().newInstance();
    int sum = 0;
    for (int i = 0; i < 2000; i++) {
      sum += guest.applyAsInt(i);
    }
    return sum;
  }

  static byte[] allocate(int size) {
    return new byte[size & 0x3ff];
  }

  static int work(ArrayDeque<byte[]> recent) {
    int sum = 0;
    for (int i = 0; i < 5000; i++) {
      recent.addLast(allocate(i));
      sum += recent.removeFirst().length;
    }
    return sum;
  }

  public static void main(String[] args) throws Exception {
    byte[] bytes;
    try (InputStream in = Churn.class.getResourceAsStream("Churn$Guest.class")) {
      bytes = in.readAllBytes();
    }
    ArrayDeque<byte[]> recent = new ArrayDeque<>();
    for (int i = 0; i < 1000; i++) {
      recent.add(allocate(i));
    }
    long sum = 0;
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000;
    while (System.nanoTime() < end) {
      sum += load(bytes);
      sum += work(recent);
      Thread thread = new Thread(() -> work(new ArrayDeque<>(recent)));
      thread.start();
      thread.join();
    }
    System.out.println(sum != 0);
  }
}
