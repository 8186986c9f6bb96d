package torture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A class loader with copies of some classes of its own, which go away with it. */
final class Throwaway extends ClassLoader {
  private static final ConcurrentHashMap<String, byte[]> BYTES = new ConcurrentHashMap<>();
  private final Set<String> own;

  Throwaway(Class<?>... own) {
    super(Throwaway.class.getClassLoader());
    Set<String> names = new HashSet<>();
    for (Class<?> type : own) {
      names.add(type.getName());
    }
    this.own = names;
  }

  static byte[] bytes(String name) {
    return BYTES.computeIfAbsent(name, Throwaway::read).clone();
  }

  private static byte[] read(String name) {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream in = Throwaway.class.getResourceAsStream(file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!own.contains(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      byte[] bytes = bytes(name);
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  Object create(Class<?> original) throws ReflectiveOperationException {
    return loadClass(original.getName(), true).getDeclaredConstructor().newInstance();
  }
}
