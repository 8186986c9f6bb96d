package yieldpoint.compiler;

import java.util.Map;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaField;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaField;

/**
 * Methods that all levels have instructions for, as HotSpot's own compilers do: without them each call
 * would be one of native code, or of the interpreter's.
 */
final class Intrinsics {
  // Numbers of Intrinsic in C++; of types and volatile accesses see there.
  private static final int LOAD = 1;
  private static final int STORE = 2;
  private static final int COMPARE_AND_SET = 3;
  private static final int REFERS_TO = 10;
  private static final Map<String, Integer> BY_NAME =
      Map.of(
          "Ljava/lang/Math;sqrt", 4,
          "Ljava/lang/Double;doubleToRawLongBits", 5 | 'J' << 8,
          "Ljava/lang/Double;longBitsToDouble", 5 | 'D' << 8,
          "Ljava/lang/Float;floatToRawIntBits", 5 | 'I' << 8,
          "Ljava/lang/Float;intBitsToFloat", 5 | 'F' << 8,
          "Ljava/lang/Object;getClass", 6,
          "Ljava/lang/Class;isInstance", 7,
          "Ljava/lang/Thread;currentThread", 8,
          "Ljava/lang/System;arraycopy", 9);
  // Without boolean, of which the VM makes 0 or 1.
  private static final Map<String, Character> TYPES =
      Map.of("Byte", 'B', "Short", 'S', "Char", 'C', "Int", 'I', "Long", 'J', "Float", 'F',
          "Double", 'D', "Reference", 'L');
  private static final int IS_VOLATILE = 1 << 16;
  private static final String VOLATILE = "Volatile";
  private static final String SET = "compareAndSet";

  private Intrinsics() {}

  /** 0: none. The VM numbers intrinsics of the class library only. */
  static long of(HotSpotResolvedJavaMethod method) {
    if (method.intrinsicId() == 0) {
      return 0;
    }
    String holder = method.getDeclaringClass().getName();
    String name = method.getName();
    if (holder.equals("Ljava/lang/ref/Reference;") && name.equals("refersTo0")) {
      return refersTo(method);
    }
    if (!holder.equals("Ljdk/internal/misc/Unsafe;")) {
      return BY_NAME.getOrDefault(holder + name, 0);
    }
    return ofUnsafe(name);
  }

  // 0 as well where the VM does not say where the referent is.
  private static long refersTo(HotSpotResolvedJavaMethod method) {
    for (ResolvedJavaField field : method.getDeclaringClass().getInstanceFields(false)) {
      if (field.getName().equals("referent")) {
        return REFERS_TO | (long) ((HotSpotResolvedJavaField) field).getOffset() << 32;
      }
    }
    return 0;
  }

  private static int ofUnsafe(String name) {
    if (name.startsWith(SET)) {
      Character type = TYPES.get(name.substring(SET.length()));
      boolean isKnown = type != null && (type == 'I' || type == 'J' || type == 'L');
      return isKnown ? COMPARE_AND_SET | type << 8 : 0;
    }
    int kind = name.startsWith("get") ? LOAD : name.startsWith("put") ? STORE : 0;
    if (kind == 0) {
      return 0;
    }
    boolean isVolatile = name.endsWith(VOLATILE);
    String named = name.substring(3, name.length() - (isVolatile ? VOLATILE.length() : 0));
    Character type = TYPES.get(named);
    return type == null ? 0 : kind | type << 8 | (isVolatile ? IS_VOLATILE : 0);
  }
}
