package yieldpoint.compiler;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import jdk.vm.ci.hotspot.HotSpotConstantPool;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.hotspot.HotSpotResolvedObjectType;
import jdk.vm.ci.meta.ConstantPool;

/** Constants and addresses, where JDKs differ in how to look them up. */
final class Lookup {
  private static final int REFERENCE = 5;

  // Without resolving; JDK 17 has it not.
  private static final Method LOOKUP = method(ConstantPool.class, "lookupConstant", int.class,
      boolean.class);
  private static final Method TAG = method(HotSpotConstantPool.class, "getTagAt", int.class);

  private static final Method CLASS_POINTER = pointer("HotSpotResolvedObjectTypeImpl",
      "getMetaspaceKlass", "getKlassPointer");
  private static final Method METHOD_POINTER = pointer("HotSpotResolvedJavaMethodImpl",
      "getMetaspaceMethod", "getMethodPointer");

  private Lookup() {}

  private static Method pointer(String owner, String... names) {
    try {
      Class<?> type = Class.forName("jdk.vm.ci.hotspot." + owner);
      for (String name : names) {
        Method method = method(type, name);
        if (method != null) {
          return method;
        }
      }
    } catch (ClassNotFoundException e) {
      // As without the method.
    }
    return null;
  }

  /** Where the VM has the class; 0: it is not known. */
  static long pointer(HotSpotResolvedObjectType type) {
    return number(CLASS_POINTER, type);
  }

  /** Where the VM has the method now; 0: it is not known. */
  static long pointer(HotSpotResolvedJavaMethod method) {
    return number(METHOD_POINTER, method);
  }

  private static long number(Method method, Object of) {
    try {
      return method == null ? 0 : (long) invoke(method, of);
    } catch (ReflectiveOperationException e) {
      return 0;
    }
  }

  /** That there was no memory to answer is no answer: it goes on to who asked. */
  private static Object invoke(Method method, Object of, Object... arguments)
      throws ReflectiveOperationException {
    try {
      return method.invoke(of, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof OutOfMemoryError) {
        throw (OutOfMemoryError) e.getCause();
      }
      throw e;
    }
  }

  private static Method method(Class<?> owner, String name, Class<?>... parameters) {
    try {
      Method method = owner.getDeclaredMethod(name, parameters);
      method.setAccessible(true);
      return method;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** A JavaConstant, a JavaType, or null where it is not resolved. */
  static Object constant(ConstantPool pool, int index) {
    try {
      return LOOKUP == null ? pool.lookupConstant(index) : invoke(LOOKUP, pool, index, false);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (ReflectiveOperationException | RuntimeException | Error e) {
      return null;
    }
  }

  /** Task.constant of one that is not resolved: what is known of its kind. */
  static long[] unresolved(ConstantPool pool, int index) {
    long[] link = new long[5];
    try {
      String tag = String.valueOf(invoke(TAG, pool, index));
      link[0] = tag.startsWith("Dynamic") ? 0 : REFERENCE;
    } catch (ReflectiveOperationException | NullPointerException e) {
      link[0] = 0;
    }
    return link;
  }
}
