package yieldpoint.compiler;

import jdk.vm.ci.hotspot.HotSpotResolvedJavaField;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.hotspot.HotSpotResolvedObjectType;
import jdk.vm.ci.meta.Constant;
import jdk.vm.ci.meta.ConstantPool;
import jdk.vm.ci.meta.DeoptimizationReason;
import jdk.vm.ci.meta.ExceptionHandler;
import jdk.vm.ci.meta.JavaConstant;
import jdk.vm.ci.meta.JavaField;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.JavaMethod;
import jdk.vm.ci.meta.JavaType;
import jdk.vm.ci.meta.LineNumberTable;
import jdk.vm.ci.meta.ProfilingInfo;

/**
 * A method that is compiled, by itself or where it is called. The compiler asks it what the method's
 * constants are (Linkage); answers are
 * numbers in the order of Linkage's structures, null where the constant cannot be read.
 */
final class Task {
  private static final int NEW = 187;
  private static final int ANEWARRAY = 189;
  private static final int CHECKCAST = 192;
  private static final int INSTANCEOF = 193;
  private static final int INVOKEVIRTUAL = 182;
  private static final int INVOKESPECIAL = 183;
  private static final int INVOKESTATIC = 184;
  private static final int INVOKEINTERFACE = 185;
  private static final int INVOKEDYNAMIC = 186;
  private static final int GETSTATIC = 178;
  private static final int GETFIELD = 180;
  private static final int FIRST_INSTANCE_FIELD_OPCODE = GETFIELD;
  // Compiled anew more often than that because of something unresolved, a method keeps its traps.
  private static final int MOST_RECOMPILATIONS = 20;
  // Dispatch of linkage.h.
  private static final int STATIC = 0;
  private static final int SPECIAL = 1;
  private static final int VIRTUAL = 2;
  private static final int INTERFACE = 3;
  // Kind of kinds.h.
  private static final int REFERENCE = 5;
  // What is known of a field's value.
  private static final int NO_VALUE = 0;
  private static final int NUMBER = 1;
  private static final int NULL = 2;
  private static final int OBJECT = 3;

  private final Compilation compilation;
  private final HotSpotResolvedJavaMethod method;
  private final ConstantPool pool;
  private final ResolvedConstants resolved;
  private final ExceptionHandler[] handlers;
  private final Callees callees;

  /** Of the method that call() was asked for last. */
  String callDescriptor;

  /** Of the method that onlyCallee() or calleeOf() gave last: see Compilation.nameOf. */
  String calleeName;

  Task(Compilation compilation, HotSpotResolvedJavaMethod method) {
    this.compilation = compilation;
    this.method = method;
    callees = new Callees(compilation, method);
    pool = method.getConstantPool();
    resolved = ResolvedConstants.of(pool);
    handlers = method.getExceptionHandlers();
  }

  /**
   * What the compiler must know to compile the method, or its code in a caller's.
   *
   * @return as Native.compile has it; null where it has no code
   */
  Object[] body() {
    byte[] bytecode = method.getCode();
    if (bytecode == null) {
      return null;
    }
    return new Object[] {
      this, bytecode,
      new int[] {
        method.getMaxLocals(), method.getMaxStackSize(), flags(), compilation.numberOf(pool)
      },
      method.getSignature().toMethodDescriptor(), handlerTable(), compilation.nameOf(method),
      compilation.vm.isRecorded ? identity() : null
    };
  }

  Object[] identity() {
    LineNumberTable table = method.getLineNumberTable();
    int[] lines = new int[table == null ? 0 : 2 * table.getLineNumbers().length];
    for (int i = 0; i < lines.length / 2; i++) {
      lines[2 * i] = table.getBcis()[i];
      lines[2 * i + 1] = table.getLineNumbers()[i];
    }
    HotSpotResolvedObjectType holder = method.getDeclaringClass();
    return new Object[] {
      holder.toJavaName(), method.getName(), holder.getSourceFileName(), lines
    };
  }

  int flags() {
    boolean isObjectInit =
        method.isConstructor() && method.getDeclaringClass().getName().equals("Ljava/lang/Object;");
    ProfilingInfo profile = method.getProfilingInfo();
    boolean keeps =
        profile.getDeoptimizationCount(DeoptimizationReason.Unresolved) > MOST_RECOMPILATIONS;
    return (method.isStatic() ? Native.IS_STATIC : 0)
        | (method.isSynchronized() ? Native.IS_SYNCHRONIZED : 0)
        | (isObjectInit ? Native.REGISTERS_FINALIZER : 0)
        | (keeps ? Native.KEEPS_UNRESOLVED : 0)
        | (method.isStatic() && !method.getDeclaringClass().isInitialized()
            ? Native.CHECKS_INITIALIZATION : 0)
        | (profile.getDeoptimizationCount(DeoptimizationReason.LoopLimitCheck) > 0
            ? Native.SPECULATION_FAILED : 0)
        | (Native.usesReservedStack(method) ? Native.USES_RESERVED_STACK : 0);
  }

  private int[] handlerTable() {
    int[] table = new int[4 * handlers.length];
    for (int i = 0; i < handlers.length; i++) {
      table[4 * i] = handlers[i].getStartBCI();
      table[4 * i + 1] = handlers[i].getEndBCI();
      table[4 * i + 2] = handlers[i].getHandlerBCI();
      table[4 * i + 3] = handlers[i].isCatchAll() ? 1 : 0;
    }
    return table;
  }

  private long add(Constant constant) {
    return compilation.add(constant);
  }

  private long addMirror(HotSpotResolvedObjectType type) {
    return compilation.addMirror(type);
  }

  /** The first letter of the type's descriptor; L for all references. */
  static char letter(JavaKind kind) {
    return kind == JavaKind.Object ? 'L' : kind.getTypeChar();
  }

  long[] field(int index, int opcode) {
    boolean isStatic = opcode < FIRST_INSTANCE_FIELD_OPCODE;
    ResolvedConstants.Field known = resolved.field(index, opcode);
    if (known != null && !isStatic) {
      return known.link.clone();
    }
    HotSpotResolvedJavaField knownField = known == null ? null : known.field();
    return knownField != null
        ? staticField(knownField, known.link.clone()) : lookUpField(index, opcode, isStatic);
  }

  private long[] lookUpField(int index, int opcode, boolean isStatic) {
    JavaField named = pool.lookupField(index, method, opcode);
    long[] link = {0, 0, 0, 0, 0, 0, -1, NO_VALUE, 0, -1};
    link[0] = letter(named.getType().getJavaKind());
    if (!(named instanceof HotSpotResolvedJavaField)) {
      return link;
    }
    HotSpotResolvedJavaField field = (HotSpotResolvedJavaField) named;
    HotSpotResolvedObjectType holder = (HotSpotResolvedObjectType) field.getDeclaringClass();
    if (isStatic != field.isStatic() || (isStatic && !holder.isLinked())) {
      return link;
    }
    link[1] = 1;
    link[2] = field.isVolatile() ? 1 : 0;
    link[3] =
        holder.getName().equals("Ljava/lang/ref/Reference;") && field.getName().equals("referent")
            ? 1 : 0;
    link[4] = field.getOffset();
    // A final field may be stored to by some of the class's methods only.
    if (!field.isFinal() || opcode == GETSTATIC || opcode == GETFIELD) {
      resolved.add(index, opcode, new ResolvedConstants.Field(link.clone(), field));
    }
    return isStatic ? staticField(field, link) : link;
  }

  private long[] staticField(HotSpotResolvedJavaField field, long[] link) {
    HotSpotResolvedObjectType holder = (HotSpotResolvedObjectType) field.getDeclaringClass();
    boolean isInitialized = holder.isInitialized();
    link[5] = addMirror(holder);
    link[6] = isInitialized ? -1 : add(holder.klass());
    if (field.isFinal() && isInitialized) {
      addValue(field, link);
    }
    return link;
  }

  // As HotSpot's compilers take it. System.in, out and err are final, and set by native code.
  private void addValue(HotSpotResolvedJavaField field, long[] link) {
    if (field.getDeclaringClass().getName().equals("Ljava/lang/System;")) {
      return;
    }
    JavaConstant value = compilation.vm.constants.readFieldValue(field, null);
    if (value == null) {
      return;
    }
    if (value.getJavaKind() != JavaKind.Object) {
      link[7] = NUMBER;
      link[8] = bits(value);
    } else if (value.isNull()) {
      link[7] = NULL;
    } else {
      link[7] = OBJECT;
      link[8] = add(value);
      Integer length = compilation.vm.constants.readArrayLength(value);
      link[9] = length == null ? -1 : length;
    }
  }

  long[] call(int index, int opcode) {
    ResolvedConstants.Call known = resolved.call(index, opcode);
    HotSpotResolvedJavaMethod knownTarget = known == null ? null : known.target();
    if (knownTarget == null) {
      return lookUpCall(index, opcode);
    }
    callDescriptor = known.descriptor;
    return numbered(known.link.clone(), opcode, knownTarget);
  }

  private long[] lookUpCall(int index, int opcode) {
    JavaMethod named = pool.lookupMethod(index, opcode);
    callDescriptor = named.getSignature().toMethodDescriptor();
    long[] link = {0, 0, 0, -1, -1, 0, 0};
    if (!(named instanceof HotSpotResolvedJavaMethod)) {
      return link;
    }
    HotSpotResolvedJavaMethod target = (HotSpotResolvedJavaMethod) named;
    HotSpotResolvedObjectType holder = target.getDeclaringClass();
    // The VM has linked the call site to a method that takes a further argument, the appendix.
    if (opcode == INVOKEDYNAMIC || (opcode == INVOKEVIRTUAL && target.isStatic())) {
      callDescriptor = siteDescriptor(index, opcode, target);
      if (callDescriptor == null) {
        return null;
      }
      JavaConstant appendix = pool.lookupAppendix(index, opcode);
      link[0] = 1;
      link[1] = STATIC;
      link[2] = compilation.add(target);
      link[3] = appendix == null || appendix.isNull() ? -1 : add(appendix);
      return link;
    }
    if (!linkDirectly(target, holder, opcode, link)
        // The VM numbers methods when it links their class, before there are objects.
        || (compilation.vm.isRecorded && !holder.isLinked())) {
      return link;
    }
    link[0] = 1;
    link[6] = Intrinsics.of(target);
    resolved.add(index, opcode, new ResolvedConstants.Call(link.clone(), callDescriptor, target));
    return numbered(link, opcode, target);
  }

  /** With what has another number in each compilation. */
  private long[] numbered(long[] link, int opcode, HotSpotResolvedJavaMethod target) {
    HotSpotResolvedObjectType own = method.getDeclaringClass();
    if (opcode == INVOKESPECIAL && own.isInterface() && !target.isConstructor()) {
      link[4] = add(own.klass());
      link[5] = own.superCheckOffset();
    }
    link[2] = compilation.add(target);
    return link;
  }

  /** What the call site itself takes, from what its adapter takes. */
  private String siteDescriptor(int index, int opcode, HotSpotResolvedJavaMethod adapter) {
    JavaConstant appendix = pool.lookupAppendix(index, opcode);
    boolean hasAppendix = appendix != null && !appendix.isNull();
    jdk.vm.ci.meta.Signature signature = adapter.getSignature();
    int first = opcode == INVOKEVIRTUAL ? 1 : 0; // the method handle
    int last = signature.getParameterCount(false) - (hasAppendix ? 1 : 0);
    StringBuilder descriptor = new StringBuilder("(");
    for (int i = first; i < last; i++) {
      descriptor.append(signature.getParameterType(i, null).getName());
    }
    return descriptor.append(')').append(signature.getReturnType(null).getName()).toString();
  }

  private boolean linkDirectly(HotSpotResolvedJavaMethod target, HotSpotResolvedObjectType holder,
      int opcode, long[] link) {
    if ((opcode == INVOKESTATIC) != target.isStatic()) {
      return false;
    }
    switch (opcode) {
      case INVOKESTATIC:
        link[1] = STATIC;
        return holder.isLinked(); // The first call initializes it.
      case INVOKESPECIAL:
        link[1] = SPECIAL;
        return !target.isAbstract();
      case INVOKEVIRTUAL:
        // Names of methods are looked up each time, those of classes are known.
        boolean isBasic =
            holder.getName().equals("Ljava/lang/invoke/MethodHandle;")
                && target.getName().equals("invokeBasic");
        // An abstract class need not declare the methods of its interfaces: such a call is resolved
        // to the interface's, and is virtual all the same.
        link[1] = isBasic || target.canBeStaticallyBound() ? SPECIAL : VIRTUAL;
        return true;
      case INVOKEINTERFACE:
        link[1] = INTERFACE;
        return holder.isInterface() || holder.getName().equals("Ljava/lang/Object;");
      default:
        return false;
    }
  }

  private long[] typeLink(JavaType named, int opcode) {
    long[] link = new long[7];
    if (!(named instanceof HotSpotResolvedObjectType)) {
      return link;
    }
    HotSpotResolvedObjectType type = (HotSpotResolvedObjectType) named;
    if (opcode == ANEWARRAY) {
      type = (HotSpotResolvedObjectType) type.getArrayClass();
    }
    link[0] = 1;
    link[1] = add(type.klass());
    if (opcode == NEW) {
      link[4] = type.isLinked() && !type.isAbstract() && !type.isInterface() ? 1 : 0;
      link[5] = type.isInitialized() ? 0 : 1;
      link[6] = type.hasFinalizer() ? 1 : 0;
    }
    if (type.isArray() || link[4] == 1) {
      link[2] = type.layoutHelper();
    }
    link[3] = type.superCheckOffset();
    return link;
  }

  long[] type(int index, int opcode) {
    return typeLink(pool.lookupType(index, opcode), opcode);
  }

  long[] primitiveArray(int code) {
    Class<?>[] types = {
      boolean[].class, char[].class, float[].class, double[].class, byte[].class, short[].class,
      int[].class, long[].class
    };
    return typeLink(compilation.vm.objectType(types[code - 4]), CHECKCAST);
  }

  long[] caughtType(int handler) {
    return typeLink(handlers[handler].getCatchType(), INSTANCEOF);
  }

  long[] constant(int index) {
    Object found = Lookup.constant(pool, index);
    long[] link = new long[5];
    if (found instanceof HotSpotResolvedObjectType) {
      link[0] = REFERENCE;
      link[1] = 1;
      link[4] = addMirror((HotSpotResolvedObjectType) found);
    } else if (found instanceof JavaType) {
      link[0] = REFERENCE;
    } else if (found instanceof JavaConstant) {
      JavaConstant constant = (JavaConstant) found;
      link[1] = 1;
      link[0] = Sites.kindNumber(constant.getJavaKind());
      if (constant.getJavaKind() == JavaKind.Object) {
        link[3] = constant.isNull() ? 1 : 0;
        link[4] = constant.isNull() ? 0 : add(constant);
      } else {
        link[2] = bits(constant);
      }
    } else {
      return Lookup.unresolved(pool, index);
    }
    return link;
  }

  private static long bits(JavaConstant constant) {
    switch (constant.getJavaKind()) {
      case Float:
        return Float.floatToRawIntBits(constant.asFloat());
      case Double:
        return Double.doubleToRawLongBits(constant.asDouble());
      default:
        return constant.asLong();
    }
  }

  /**
   * Of a method that a call was linked to: where the VM has it, or 0 where the call is of the VM's
   * way to call on from method handles; 1 if an interface declares it, 2 if this method is not the
   * program's.
   */
  long[] target(int number) {
    HotSpotResolvedJavaMethod target = compilation.method(number);
    HotSpotResolvedObjectType holder = target.getDeclaringClass();
    boolean callsOn = target.isNative() && holder.getName().equals("Ljava/lang/invoke/MethodHandle;");
    return new long[] {
      callsOn ? 0 : Native.pointer(target),
      (holder.isInterface() ? 1 : 0) | (isNotOfProgram(method.getDeclaringClass()) ? 2 : 0)
    };
  }

  /** Of the compiler itself, or glue that the VM makes for method handles. */
  private static boolean isNotOfProgram(HotSpotResolvedObjectType type) {
    String name = type.getName();
    return name.startsWith("Ljdk/vm/ci/") || name.startsWith("Lyieldpoint/compiler/")
        || name.startsWith("Ljava/lang/invoke/LambdaForm$");
  }

  /** Of the call that was linked to that method: see CalleeLink. Null: more than one, or unknown. */
  long[] onlyCallee(int index, int opcode, int number) {
    return named(callees.only(
        pool, index, opcode, compilation.method(number), resolved.call(index, opcode)));
  }

  /** The same for the method that a class of that name declares. */
  long[] calleeOf(String className, int bci, int opcode, int number) {
    return named(callees.of(className, bci, opcode, compilation.method(number)));
  }

  private long[] named(long[] link) {
    calleeName = link == null ? null : compilation.nameOf(compilation.method((int) link[0]));
    return link;
  }

  /** A call goes to that method without a dispatch. */
  void bind(int number) {
    compilation.assume(number);
  }

  /** A callee's body, to be inlined: see body(). Null as well where it is not to be inlined. */
  Object[] open(int number) {
    if (!Callees.mayBeInlined(compilation.method(number))) {
      return null;
    }
    compilation.inline(number);
    return new Task(compilation, compilation.method(number)).body();
  }

  long holder() {
    return addMirror(method.getDeclaringClass());
  }

  long holderClass() {
    return add(method.getDeclaringClass().klass());
  }
}
