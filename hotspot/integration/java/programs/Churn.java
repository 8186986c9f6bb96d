package programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.function.IntUnaryOperator;

/**
 * Allocates, loads classes into loaders that go away, starts threads that end: whatever an agent
 * might keep about these would grow for ever.
 *
 * <p>Each line of the input is a number of milliseconds: so long it does that, then it collects the
 * garbage, unloads the classes, prints a line, and is quiet until the next one.
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

  static long churn(byte[] guest, ArrayDeque<byte[]> recent, long millis) throws Exception {
    long sum = 0;
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < end) {
      sum += load(guest);
      sum += work(recent);
      Thread thread = new Thread(() -> work(new ArrayDeque<>(recent)));
      thread.start();
      thread.join();
    }
    return sum;
  }

  static byte[] guest() throws IOException {
    try (InputStream in = Churn.class.getResourceAsStream("Churn$Guest.class")) {
      return in.readAllBytes();
    }
  }

  public static void main(String[] args) throws Exception {
    byte[] guest = guest();
    ArrayDeque<byte[]> recent = new ArrayDeque<>();
    for (int i = 0; i < 1000; i++) {
      recent.add(allocate(i));
    }
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      boolean churned = churn(guest, recent, Long.parseLong(line)) != 0;
      System.gc();
      System.out.println(churned);
    }
  }
}
