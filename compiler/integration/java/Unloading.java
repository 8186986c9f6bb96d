import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiled methods of classes that go, and of the next loaders' classes of the same names. */
public final class Unloading {
  private static final int LOADERS = 12;

  private Unloading() {}

  public static int work(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum = sum * 31 + new int[] {i}[0];
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    URL[] place = {Path.of(arguments[0]).toUri().toURL()};
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    long sum = 0;
    for (int i = 0; i < LOADERS; i++) {
      ClassLoader loader = new URLClassLoader(place, ClassLoader.getPlatformClassLoader());
      Method work = loader.loadClass("Unloading").getMethod("work", int.class);
      for (int call = 0; call < 3000; call++) {
        sum += (int) work.invoke(null, call % 100);
      }
      loaders.add(new WeakReference<>(loader));
    }
    // Compiled code keeps no loader alive, but for what is referred to from the stack.
    for (int i = 0; i < 1000 && left(loaders) > 1; i++) {
      System.gc();
    }
    System.out.println(sum + " " + (left(loaders) <= 1));
  }

  private static long left(List<WeakReference<ClassLoader>> loaders) {
    return loaders.stream().filter(loader -> loader.get() != null).count();
  }
}
