package programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * A plugin whose class loader gives it some classes of the JDK's, and no others. With an argument,
 * once that many rounds; else as many as each line of the input says.
 */
public final class Sandboxed {
  public static final class Guest implements IntUnaryOperator {
    int calls;

    @Override
    public int applyAsInt(int x) {
      return Math.max(twice(x), calls++);
    }

    int twice(int x) {
      return 2 * x;
    }
  }

  static final class Sandbox extends ClassLoader {
    private static final Set<String> ALLOWED =
        Set.of("java.lang.Object", "java.lang.Math", "java.util.function.IntUnaryOperator");

    Sandbox() {
      super(null);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      if (ALLOWED.contains(name)) {
        return Class.forName(name, false, null);
      }
      if (!name.equals("programs.Sandboxed$Guest")) {
        throw new ClassNotFoundException("not allowed: " + name);
      }
      try (InputStream in = Sandboxed.class.getResourceAsStream("Sandboxed$Guest.class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  static int call(IntUnaryOperator guest, int x) {
    return guest.applyAsInt(x);
  }

  static int work(IntUnaryOperator guest, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += call(guest, i);
    }
    return sum;
  }

  public static void main(String[] args) throws Exception {
    Class<?> type = new Sandbox().loadClass("programs.Sandboxed$Guest");
    IntUnaryOperator guest = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
    if (args.length > 0) {
      System.out.println(work(guest, Integer.parseInt(args[0])));
      return;
    }
    System.out.println("ready");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      work(guest, Integer.parseInt(line));
      System.out.println("done");
    }
  }
}
