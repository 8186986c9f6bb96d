import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls of every kind, all of which are made again when all methods have been compiled: with the
 * argument `wait`, `yp aos --verbose` says on System.err when they are.
 */
public final class Edges {
  interface Named {
    int name();

    default int twice() {
      return helper() + name();
    }

    private int helper() {
      return name();
    }

    static int three() {
      return 3;
    }
  }

  interface Sized extends Named {
    int size();

    @Override
    default int twice() {
      return size() + Named.super.twice();
    }
  }

  interface Function<A, B> {
    B apply(A a);
  }

  abstract static class Base implements Named {
    final int seed;

    Base(int seed) {
      this.seed = seed;
    }

    // name() is Named's: a method that the class only inherits from its interface.
    int viaMiranda() {
      return name();
    }

    int level() {
      return seed;
    }

    final int fixed() {
      return level();
    }
  }

  static class First extends Base {
    First(int seed) {
      super(seed);
    }

    @Override
    public int name() {
      return 1;
    }
  }

  static class Second extends First implements Sized {
    Second(int seed) {
      super(seed);
    }

    @Override
    public int name() {
      return 2 + super.name();
    }

    @Override
    public int size() {
      return level();
    }

    @Override
    int level() {
      return 10 + super.level();
    }
  }

  static final class Third extends Second {
    Third() {
      super(5);
    }

    @Override
    int level() {
      return 100 + super.level();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Third && hashCode() == other.hashCode();
    }

    @Override
    public int hashCode() {
      return seed;
    }
  }

  // With a bridge method.
  static final class Add implements Function<Integer, Integer> {
    @Override
    public Integer apply(Integer a) {
      return a + 1;
    }
  }

  static final class Twice implements Function<Integer, Integer> {
    private final Function<Integer, Integer> inner;

    Twice(Function<Integer, Integer> inner) {
      this.inner = inner;
    }

    @Override
    public Integer apply(Integer a) {
      return inner.apply(inner.apply(a));
    }
  }

  // Many callers of the same methods: more than are inlined.
  static int manyVirtual(Base base) {
    return base.level() + base.level() + base.level() + base.level() + base.level()
        + base.level() + base.level() + base.level() + base.level() + base.level();
  }

  static int manyInterface(Named named) {
    return named.name() + named.name() + named.name() + named.name() + named.name()
        + named.name() + named.name() + named.name() + named.name() + named.name();
  }

  static int virtual(Base base) {
    return base.level() + base.viaMiranda() + base.fixed();
  }

  static int ofInterfaces(Named named, Sized sized) {
    return named.name() + named.twice() + sized.twice() + sized.size() + sized.name()
        + Named.three();
  }

  static int sometimes(Base base, boolean which) {
    return which ? base.level() : base.name();
  }

  static int ofObject(Object a, Object b) {
    return (a.equals(b) ? 1 : 0) + a.hashCode() % 2;
  }

  static int generic(Function<Integer, Integer> function) {
    return function.apply(7);
  }

  static int manyArguments(Base a, int b, long c, double d, float e, int f, int g, int h, int i) {
    return a.level() + b + (int) (c + d + e) + f + g + h + i;
  }

  static int recursive(Named named, int depth) {
    return depth == 0 ? named.name() : recursive(named, depth - 1);
  }

  static int thrower(Base base) {
    if (base.level() > 0) {
      throw new IllegalStateException();
    }
    return 0;
  }

  static int catcher(Base base) {
    try {
      return thrower(base);
    } catch (IllegalStateException e) {
      return base.level();
    }
  }

  static int round(Base[] bases, int i) {
    Base base = bases[i % bases.length];
    Second second = (Second) bases[1 + i % 2];
    int sum = virtual(base) + manyVirtual(base) + manyInterface(base) + ofInterfaces(base, second);
    sum += sometimes(base, i % 3 == 0) + ofObject(bases[2], bases[2]);
    sum += generic(i % 2 == 0 ? new Add() : new Twice(new Add()));
    sum += manyArguments(base, 1, 2L, 3.0, 4f, 5, 6, 7, 8) + recursive(base, 4) + catcher(base);
    sum += new Third().seed + new First(3).seed;
    return sum;
  }

  private static final List<String> NOT_CALLED = List.of("name", "names", "main", "rounds");

  private static String name(Executable method, String name) {
    List<String> parameters = new ArrayList<>();
    for (Class<?> type : method.getParameterTypes()) {
      parameters.add(type.getTypeName().replaceFirst("^.*[.]", ""));
    }
    return method.getDeclaringClass().getName() + "." + name + "(" + String.join(", ", parameters)
        + ")";
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    Class<?>[] classes = {
      Edges.class, Named.class, Sized.class, Base.class, First.class, Second.class, Third.class,
      Add.class, Twice.class
    };
    for (Class<?> type : classes) {
      for (Method method : type.getDeclaredMethods()) {
        boolean isWaiting = type == Edges.class
            && (NOT_CALLED.contains(method.getName()) || method.getName().startsWith("lambda$main"));
        if (!isWaiting && !Modifier.isAbstract(method.getModifiers())) {
          names.add(name(method, method.getName()));
        }
      }
      for (Executable constructor : type.getDeclaredConstructors()) {
        if (type != Edges.class) {
          names.add(name(constructor, "<init>"));
        }
      }
    }
    return names;
  }

  public static void main(String[] arguments) throws Exception {
    Base[] bases = {new First(1), new Second(2), new Third()};
    if (arguments.length > 0) {
      Compiled.await(names(), () -> rounds(bases));
    }
    System.out.println(rounds(bases));
  }

  private static long rounds(Base[] bases) {
    long sum = 0;
    for (int i = 0; i < 600; i++) {
      sum += round(bases, i);
    }
    return sum;
  }
}
