package yieldpoint.compiler;

import java.util.List;
import java.util.Map;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaField;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.meta.JavaKind;
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
  private static final int LEAF_CALL = 11;
  private static final int ABSOLUTE = 12;
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
  // By the numbers of Leaf in C++, where those begin that take an array of the receiver's.
  private static final List<String> LEAVES =
      List.of(
          "Ljava/lang/System;nanoTime", "Ljava/lang/System;currentTimeMillis",
          "Ljava/lang/Math;sin", "Ljava/lang/Math;cos", "Ljava/lang/Math;tan",
          "Ljava/lang/Math;tanh", "Ljava/lang/Math;exp", "Ljava/lang/Math;log",
          "Ljava/lang/Math;log10", "Ljava/lang/Math;pow", "Ljava/util/zip/CRC32;updateBytes0",
          "Ljava/util/zip/CRC32;updateByteBuffer0", "Ljava/util/zip/CRC32C;updateBytes",
          "Ljava/util/zip/CRC32C;updateDirectByteBuffer", "Ljava/util/zip/Adler32;updateBytes",
          "Ljava/util/zip/Adler32;updateByteBuffer",
          "Ljdk/internal/util/ArraysSupport;vectorizedMismatch",
          "Ljava/math/BigInteger;shiftLeftImplWorker",
          "Ljava/math/BigInteger;shiftRightImplWorker", "Lsun/security/provider/MD5;implCompress0",
          "Lsun/security/provider/SHA;implCompress0", "Lsun/security/provider/SHA2;implCompress0",
          "Lsun/security/provider/SHA5;implCompress0");
  private static final int FIRST_WITH_STATE =
      LEAVES.indexOf("Lsun/security/provider/MD5;implCompress0");
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
      return withField(REFERS_TO, method, "referent");
    }
    if (holder.equals("Ljdk/internal/misc/Unsafe;")) {
      return ofUnsafe(name);
    }
    // Of a float that is no number, JDK 17's own code keeps the sign.
    if (name.equals("abs") && holder.equals("Ljava/lang/Math;")) {
      return method.getSignature().getReturnKind() == JavaKind.Double ? ABSOLUTE : 0;
    }
    int leaf = LEAVES.indexOf(holder + name);
    if (leaf < 0) {
      return BY_NAME.getOrDefault(holder + name, 0);
    }
    int number = LEAF_CALL | leaf << 24;
    return leaf < FIRST_WITH_STATE ? number : withField(number, method, "state");
  }

  /** Whether calls of it are leaf calls, if the VM has a function for it. */
  static boolean isLeaf(HotSpotResolvedJavaMethod method) {
    return method.intrinsicId() != 0 && (of(method) & 0xff) == LEAF_CALL;
  }

  // 0 where the VM does not say where that is.
  private static long withField(int number, HotSpotResolvedJavaMethod method, String name) {
    for (ResolvedJavaField field : method.getDeclaringClass().getInstanceFields(false)) {
      if (field.getName().equals(name)) {
        return number | (long) ((HotSpotResolvedJavaField) field).getOffset() << 32;
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
