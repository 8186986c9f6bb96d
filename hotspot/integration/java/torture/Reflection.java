package torture;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Reflective calls, before and after the JDK makes faster ones of them, and dynamic proxies. */
public final class Reflection implements Stressor {
  public interface Service {
    int apply(int x);

    double many(int a, long b, double c, String d);

    default int defaulted(int x) {
      return apply(x) + 1;
    }
  }

  /** Loaded again and again. */
  public static final class Target implements Service {
    public int state;

    public Target() {}

    @Override
    public int apply(int x) {
      state += x;
      return state ^ x;
    }

    @Override
    public double many(int a, long b, double c, String d) {
      return a + b * c + d.length();
    }

    public static int fixed(int x) {
      if (x % 7 == 0) {
        throw new IllegalArgumentException();
      }
      return x * 3;
    }
  }

  private static long calls(Class<?> type, int n) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor();
    Method apply = type.getMethod("apply", int.class);
    Method many = type.getMethod("many", int.class, long.class, double.class, String.class);
    Method fixed = type.getMethod("fixed", int.class);
    Field state = type.getField("state");
    Object target = constructor.newInstance();
    long checksum = 0;
    for (int i = 0; i < n; i++) {
      checksum = Stressor.mix(checksum, (Integer) apply.invoke(target, i));
      checksum = Stressor.mix(checksum, ((Double) many.invoke(target, i, 2L, 0.5, "d")).hashCode());
      try {
        checksum = Stressor.mix(checksum, (Integer) fixed.invoke(null, i));
      } catch (InvocationTargetException e) {
        checksum = Stressor.mix(checksum, e.getCause().getClass().getName().hashCode());
      }
      state.setInt(target, state.getInt(target) / 2);
      if (i % 64 == 0) {
        target = constructor.newInstance();
      }
    }
    return checksum;
  }

  private static long proxied(ClassLoader loader, int n) {
    Service real = new Target();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          Object result = method.invoke(real, arguments);
          return result instanceof Integer ? (Integer) result + 1 : result;
        };
    Service proxy =
        (Service) Proxy.newProxyInstance(loader, new Class<?>[] {Service.class}, handler);
    long checksum = 0;
    for (int i = 0; i < n; i++) {
      checksum = Stressor.mix(checksum, proxy.apply(i) + proxy.defaulted(i));
      checksum = Stressor.mix(checksum, (long) proxy.many(i, i, 0.5, "four"));
    }
    return checksum;
  }

  @Override
  public long run(long seed, int round) throws ReflectiveOperationException {
    long checksum = Stressor.mix(seed, calls(Target.class, 1000));
    checksum =
        Stressor.mix(
            checksum, calls(new Throwaway(Target.class).loadClass(Target.class.getName()), 300));
    checksum = Stressor.mix(checksum, proxied(Reflection.class.getClassLoader(), 500));
    return Stressor.mix(checksum, proxied(new Throwaway(), 200));
  }
}
