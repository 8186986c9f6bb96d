package programs;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.function.IntUnaryOperator;

/** The same class in several class loaders, and loaders that go away. */
public final class Loaders {
  public static final class Guest implements IntUnaryOperator {
    static int shared(int x) {
      return x + 1;
    }

    @Override
    public int applyAsInt(int x) {
      int sum = 0;
      for (int i = 0; i < 20; i++) {
        sum += shared(x + i); //> Guest.shared 2012000
      }
      return sum;
    }
  }

  static final class Loader extends ClassLoader {
    private final byte[] bytes;

    Loader(byte[] bytes) {
      super(Loaders.class.getClassLoader());
      this.bytes = bytes;
    }

    Class<?> define() {
      return defineClass("programs.Loaders$Guest", bytes, 0, bytes.length);
    }
  }

  static IntUnaryOperator guest(byte[] bytes) throws ReflectiveOperationException {
    Loader loader = new Loader(bytes); //> Loader.<init> 302
    Class<?> type = loader.define(); //> Loader.define 302
    return (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
  }

  static int run(IntUnaryOperator guest, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += guest.applyAsInt(i); //> Guest.applyAsInt 100600
    }
    return sum;
  }

  public static void main(String[] args) throws Exception { //< Loaders.main (root) 1
    byte[] bytes;
    try (InputStream in = Loaders.class.getResourceAsStream("Loaders$Guest.class")) {
      bytes = in.readAllBytes();
    }
    IntUnaryOperator one = guest(bytes); //> Loaders.guest 1
    IntUnaryOperator two = guest(bytes); //> Loaders.guest 1
    System.out.println(one.getClass() == two.getClass());
    int sum = 0;
    for (int i = 0; i < 100; i++) {
      sum += run(i % 2 == 0 ? one : two, 406); //> Loaders.run 100
    }
    WeakReference<IntUnaryOperator> first = null;
    for (int i = 0; i < 300; i++) {
      IntUnaryOperator passing = guest(bytes); //> Loaders.guest 300
      sum += run(passing, 200); //> Loaders.run 300
      if (first == null) {
        first = new WeakReference<>(passing);
      }
      passing = null;
      if (i % 30 == 29) {
        System.gc();
      }
    }
    System.out.println(sum + " " + (first.get() == null));
  }
  //< Guest.<init> java.lang.reflect.*|jdk.internal.reflect.* 302
}
