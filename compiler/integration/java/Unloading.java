import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiled methods of classes that go, and of the next loaders' classes of the same names.
 *
 * <p>With -Dwait=true, which needs `yp aos --verbose`, every fourth loader's methods are called until
 * they are compiled.
 */
public final class Unloading {
  private static final int LOADERS = 12;
  private static final int CALLS = 3000;

  private Unloading() {}

  public static int work(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum = step(sum, new int[] {i});
    }
    return sum;
  }

  public static int step(int sum, int[] next) {
    return sum * 31 + next[0];
  }

  public static void main(String[] arguments) throws Exception {
    URL[] place = {Path.of(arguments[0]).toUri().toURL()};
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    boolean wait = Boolean.getBoolean("wait");
    long sum = 0;
    for (int i = 0; i < LOADERS; i++) {
      ClassLoader loader = new URLClassLoader(place, ClassLoader.getPlatformClassLoader());
      Class<?> loaded = loader.loadClass("Unloading");
      Method work = loaded.getMethod("work", int.class);
      if (wait && i % 4 == 0) {
        Method step = loaded.getMethod("step", int.class, int[].class);
        Compiled.await(
            List.of("Unloading.work", "Unloading.step"),
            () -> {
              sum(work);
              for (int call = 0; call < CALLS; call++) {
                step.invoke(null, 1, new int[] {1});
              }
            });
      }
      sum += sum(work);
      loaders.add(new WeakReference<>(loader));
    }
    // Compiled code keeps no loader alive, but for what is referred to from the stack.
    for (int i = 0; i < 1000 && left(loaders) > 1; i++) {
      System.gc();
    }
    System.out.println(sum + " " + (left(loaders) <= 1));
  }

  private static long sum(Method work) throws ReflectiveOperationException {
    long sum = 0;
    for (int call = 0; call < CALLS; call++) {
      sum += (int) work.invoke(null, call % 100);
    }
    return sum;
  }

  private static long left(List<WeakReference<ClassLoader>> loaders) {
    return loaders.stream().filter(loader -> loader.get() != null).count();
  }
}
