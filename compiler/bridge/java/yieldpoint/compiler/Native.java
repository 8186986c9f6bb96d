package yieldpoint.compiler;

import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.hotspot.HotSpotResolvedObjectType;
import jdk.vm.ci.meta.ConstantPool;

/** The compiler itself: libyieldpoint_compiler.so. */
final class Native {
  private Native() {}

  /** Before the next five: what JvmciMethods of C++ has. Throws what keeps it from being found. */
  static native void findJvmciMethods();

  /** Where the VM has the class; 0: it is not known. */
  static native long pointer(HotSpotResolvedObjectType type);

  /** Where the VM has the method now; 0: it is not known. */
  static native long pointer(HotSpotResolvedJavaMethod method);

  /** As ConstantPool has it. Unresolved constants stay so where the JDK can tell of them. */
  static native Object lookupConstant(ConstantPool pool, int index);

  /** The constant's tag; null: it is not known. */
  static native Object tagAt(ConstantPool pool, int index);

  /** @return whether the method says @ReservedStackAccess. */
  static native boolean usesReservedStack(HotSpotResolvedJavaMethod method);

  /**
   * Tells it of the VM: values by name, see VmStore.
   *
   * @return null, or why it does not work in this VM.
   */
  static native String start(String[] names, long[] values);

  /** @return names of the stubs, by number. */
  static native String[] stubNames();

  /** @return byte[] code, int[] sites. */
  static native Object[] assembleStub(int stub);

  /** @return how often compiled code has given up, by reason (Trap of vm_layout.h). */
  static native long[] trapsTaken();

  static native void setStubAddress(int stub, long address);

  /** @return whether compiled code is to say which method calls which. */
  static native boolean isRecorded();

  /** @return whether methods are compiled again as samples say; then isRecorded is true as well. */
  static native boolean isAdaptive();

  /**
   * Waits until a method is to be compiled again. Of the calling thread nothing is recorded.
   *
   * @return its number and, in the lowest eight bits, the level; -1 when there will be none.
   */
  static native long awaitRecompilation();

  /** @return the number of the method; `identity` as compile has it. */
  static native int recordedMethod(Object[] identity, String descriptor, int flags);

  /**
   * A compilation has ended.
   *
   * @param facts compile id, level, osrBci, 1 if HotSpot asked, start and end by System.nanoTime,
   *     cpuNanos at the start, bytes of bytecode, address and bytes of the code
   * @param inlinedCalls as compile has them; null: there is no code
   * @param failure null: there is code
   */
  static native void compiled(
      int method, long[] facts, int[] inlinedCalls, String failure);

  /** @return CPU time of the calling thread. */
  static native long cpuNanos();

  static final int IS_STATIC = 1;
  static final int IS_SYNCHRONIZED = 2;
  static final int REGISTERS_FINALIZER = 4;
  static final int KEEPS_UNRESOLVED = 8;
  static final int CHECKS_INITIALIZATION = 16;
  static final int USES_RESERVED_STACK = 32;
  static final int SPECULATION_FAILED = 64;

  /**
   * How calls are inlined: "none", "static", "all", or a file with call weights.
   *
   * @return null, or why nothing is inlined.
   */
  static native String useInlining(String how);

  /** @return in words, by number: why a call is or is not inlined. */
  static native String[] inlineReasons();

  // Levels. OPT1 inlines as useInlining has it: where that is nothing, it is BASE. OPT2 is the same
  // with optimizations; what it cannot compile is compiled at OPT1.
  static final int BASE = 0;
  static final int OPT1 = 1;
  static final int OPT2 = 2;

  /**
   * Compiles a method.
   *
   * @param body of Task: the task, which the compiler asks what the method's constants are; byte[]
   *     code; int[] of the numbers of locals and of stack slots, flags, and the number of its class's
   *     constants (those with the same number are the same, in this compilation); its descriptor; int[]
   *     handlers, of each start, end, handler, 1 if it catches everything; its full name; where
   *     calls are recorded, its class with dots, its name, its source file or null, and int[] lines,
   *     each as bytecode index and line, else null
   * @param osrBci -1 for the method itself
   * @return byte[] code, int[] sites, int[] traps by reason, int[] decisions (see Inlining), int[]
   *     inlined calls, each as caller, bytecode index and callee, numbers of recordedMethod (empty
   *     where nothing is recorded), String why OPT2 did not compile it, else null; or a String, why
   *     it is refused.
   */
  static native Object compile(Object[] body, int osrBci, int level);
}
