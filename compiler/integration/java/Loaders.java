import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Classes that come and go, of the same names and of different shapes, whose objects are called
 * through types that stay.
 *
 * <p>With -Dwait=true, which needs `yp aos --verbose`, what calls them is compiled before the
 * first of them goes.
 */
public final class Loaders {
  private static final int ROUNDS = 60;

  public interface Shape {
    int area(int n);
  }

  public abstract static class Base implements Shape {
    public int value(int n) {
      return n;
    }

    public int other(int n) {
      return -n;
    }
  }

  // Each is loaded by a loader of its own.
  public static final class Small extends Base {
    @Override
    public int area(int n) {
      return n + 1;
    }
  }

  public static class Large extends Base implements Comparable<Object> {
    @Override
    public int area(int n) {
      return more(n) + 2;
    }

    @Override
    public int value(int n) {
      return 3 * n;
    }

    @Override
    public int other(int n) {
      return less(n);
    }

    public int more(int n) {
      return n * 2;
    }

    public int less(int n) {
      return n - 2;
    }

    @Override
    public int compareTo(Object other) {
      return more(1) - 2;
    }

    @Override
    public String toString() {
      return "large";
    }
  }

  static final class Loader extends ClassLoader {
    Loader() {
      super(Loaders.class.getClassLoader());
    }

    Object make(Class<?> like) throws Exception {
      String file = like.getName().replace('.', '/') + ".class";
      try (InputStream in = Loaders.class.getClassLoader().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(like.getName(), bytes, 0, bytes.length).getConstructor().newInstance();
      }
    }
  }

  static int call(Base base, Shape shape, int n) {
    return base.value(n) + base.other(n) + shape.area(n) + base.toString().length() % 2;
  }

  @SuppressWarnings("unchecked")
  static int compare(Object object) {
    return object instanceof Comparable ? ((Comparable<Object>) object).compareTo(object) : 0;
  }

  // Arrays of such classes are classes as well.
  static int ofArray(Object array, Object other) {
    return array.equals(other) ? 1 : array.getClass() == other.getClass() ? 2 : 3;
  }

  private static int use(Class<?>[] likes, int round, List<WeakReference<ClassLoader>> loaders)
      throws Exception {
    Loader loader = new Loader();
    loaders.add(new WeakReference<>(loader));
    Class<?> like = likes[round % likes.length];
    Base base = (Base) loader.make(like);
    if (Boolean.getBoolean("wait") && round == 0) {
      Compiled.await(List.of("Loaders.calls"), () -> calls(like, base));
    }
    return calls(like, base);
  }

  private static int calls(Class<?> like, Base base) {
    int sum = 0;
    Object array = java.lang.reflect.Array.newInstance(base.getClass(), 1);
    for (int i = 0; i < 400; i++) {
      sum += like == Small.class ? call(base, base, i) - base.toString().length() % 2
          : call(base, base, i);
      sum += compare(base) + ofArray(array, i % 2 == 0 ? array : base);
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    Class<?>[] likes = {Small.class, Large.class, Large.class};
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      sum += use(likes, round, loaders);
      if (round % 4 == 3) {
        System.gc();
      }
    }
    long left = ROUNDS;
    for (int i = 0; i < 100 && left > 1; i++) {
      System.gc();
      left = loaders.stream().filter(loader -> loader.get() != null).count();
    }
    System.out.println(sum + " " + (left <= 1));
  }
}
