package programs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Calls through reflection, method handles and proxies. */
public final class Reflection {
  interface Adder {
    int add(int a, int b);
  }

  static final class Box {
    final int value;

    Box(int value) { //< Box.<init> java.lang.reflect.*|jdk.internal.reflect.* 20000
      this.value = value;
    }

    int plus(int x) {
      return value + x;
    }
  }

  static int target(int x) { //< Reflection.target java.lang.reflect.*|jdk.internal.reflect.* 20000
    return x + 1;
  }

  static int twice(int x) {
    return 2 * x;
  }

  static int inner(int x) {
    return x;
  }

  public static int outer(int x) { //< Reflection.outer java.lang.reflect.*|jdk.internal.reflect.* 20000
    return inner(x) + inner(x); //> Reflection.inner 20000, Reflection.inner 20000
  }

  static int reflective(int rounds) throws ReflectiveOperationException {
    Method target = Reflection.class.getDeclaredMethod("target", int.class);
    Method outer = Reflection.class.getDeclaredMethod("outer", int.class);
    Constructor<Box> constructor = Box.class.getDeclaredConstructor(int.class);
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += (Integer) target.invoke(null, i);
      sum += (Integer) outer.invoke(null, i);
      sum += constructor.newInstance(i).value;
    }
    return sum;
  }

  static int handles(int rounds) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle twice =
        lookup.findStatic(
            Reflection.class, "twice", MethodType.methodType(int.class, int.class));
    MethodHandle plus =
        lookup.findVirtual(Box.class, "plus", MethodType.methodType(int.class, int.class));
    MethodHandle make =
        lookup.findConstructor(Box.class, MethodType.methodType(void.class, int.class));
    MethodHandle bound = plus.bindTo(new Box(5)); //> Box.<init> 1
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += (int) twice.invokeExact(i); //> Reflection.twice 30000
      Box box = (Box) make.invokeExact(i); //> Box.<init> 30000
      sum += (int) plus.invokeExact(box, 3); //> Box.plus 30000
      sum += (int) bound.invokeExact(i); //> Box.plus 30000
      sum += (int) (Integer) twice.invoke((short) i); //> Reflection.twice 30000
    }
    return sum;
  }

  static int proxies(int rounds) {
    Adder adder =
        (Adder)
            Proxy.newProxyInstance(
                Reflection.class.getClassLoader(),
                new Class<?>[] {Adder.class},
                (proxy, method, args) -> {
                  return twice((Integer) args[0]); //> Reflection.twice 30000
                });
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += adder.add(i, 1);
    }
    return sum;
  }

  // The proxy's class is made at run time and has no probe; it stands on the stack as the caller.
  //< Reflection.lambda$proxies$* *$Proxy*.add 30000

  public static void main(String[] args) throws Throwable { //< Reflection.main (root) 1
    int sum = reflective(20000); //> Reflection.reflective 1
    sum += handles(30000); //> Reflection.handles 1
    sum += proxies(30000); //> Reflection.proxies 1
    System.out.println(sum);
  }
}
