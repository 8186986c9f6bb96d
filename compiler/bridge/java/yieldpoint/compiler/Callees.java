package yieldpoint.compiler;

import java.util.Set;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.hotspot.HotSpotResolvedObjectType;
import jdk.vm.ci.meta.Assumptions;
import jdk.vm.ci.meta.ConstantPool;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.JavaType;
import jdk.vm.ci.meta.JavaTypeProfile;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/**
 * Which methods the calls of one method may lead to, for inlining: by the hierarchy of the classes
 * that are loaded now. Answers are the numbers of CalleeLink, in the order of its members.
 */
final class Callees {
  private static final int INVOKEVIRTUAL = 182;
  private static final int INVOKESPECIAL = 183;
  private static final int INVOKESTATIC = 184;

  // CalleeLink::Obstacle.
  private static final int NO_CODE = 1;
  private static final int NOT_INITIALIZED = 2;
  // GuardLink::Kind.
  private static final int IS_OF_CLASS = 1;
  private static final int IS_OF_SUBCLASS = 2;
  private static final int HAS_METHOD = 3;
  private static final int IS_OF_SUBCLASS_AND_HAS_METHOD = 4;

  // Of Math: what the VM computes, and what their own code does, is the same.
  private static final Set<String> EXACT =
      Set.of("floor", "ceil", "rint", "min", "max", "signum", "copySign");

  private final Compilation compilation;
  private final HotSpotResolvedJavaMethod caller;

  Callees(Compilation compilation, HotSpotResolvedJavaMethod caller) {
    this.compilation = compilation;
    this.caller = caller;
  }

  /** As Method::FullName has it. */
  static String name(HotSpotResolvedJavaMethod method) {
    return method.getDeclaringClass().toJavaName() + "." + method.getName()
        + method.getSignature().toMethodDescriptor();
  }

  /**
   * The only method that the call of `target` can lead to, or null.
   *
   * @param known of the call; null: nothing
   */
  long[] only(ConstantPool pool, int index, int opcode, HotSpotResolvedJavaMethod target,
      ResolvedConstants.Call known) {
    if (target.isStatic() != (opcode == INVOKESTATIC)) {
      return null; // The glue of a method handle.
    }
    if (opcode == INVOKESTATIC || opcode == INVOKESPECIAL || target.canBeStaticallyBound()) {
      return opcode == INVOKESPECIAL && !isSelected(target) ? null : link(target, compilation.add(target));
    }
    HotSpotResolvedObjectType holder = target.getDeclaringClass();
    if (holder.isInterface()) {
      return onlyOfInterface(holder, target);
    }
    HotSpotResolvedObjectType receiver = known == null ? null : known.receiver();
    if (receiver == null) {
      receiver = opcode == INVOKEVIRTUAL ? receiver(pool, index, holder, known) : holder;
    }
    Assumptions.AssumptionResult<ResolvedJavaMethod> found =
        receiver.findUniqueConcreteMethod(target);
    return found == null ? null : link(callee(found), compilation.add(found));
  }

  // The class that the call names where it is one below the method's, else that.
  private static HotSpotResolvedObjectType receiver(ConstantPool pool, int index,
      HotSpotResolvedObjectType holder, ResolvedConstants.Call known) {
    JavaType named = pool.lookupReferencedType(index, INVOKEVIRTUAL);
    if (!(named instanceof HotSpotResolvedObjectType)) {
      return holder;
    }
    HotSpotResolvedObjectType type = (HotSpotResolvedObjectType) named;
    boolean isClass = !type.isArray() && !type.isInterface();
    if (isClass && !type.isLinked()) {
      return holder;
    }
    HotSpotResolvedObjectType receiver = isClass && holder.isAssignableFrom(type) ? type : holder;
    if (known != null) {
      known.setReceiver(receiver);
    }
    return receiver;
  }

  // A call of super's method leads to the nearest one above the caller's class, whichever class it
  // names.
  private boolean isSelected(HotSpotResolvedJavaMethod target) {
    HotSpotResolvedObjectType own = caller.getDeclaringClass();
    HotSpotResolvedObjectType holder = target.getDeclaringClass();
    return target.isConstructor() || target.isPrivate() || holder.isInterface()
        || holder.equals(own) || (own.getSuperclass() != null
            && target.equals(own.getSuperclass().resolveConcreteMethod(target, own)));
  }

  private static HotSpotResolvedJavaMethod callee(
      Assumptions.AssumptionResult<ResolvedJavaMethod> found) {
    return (HotSpotResolvedJavaMethod) found.getResult();
  }

  // Nobody promises that a receiver implements the interface that a call names: with a check
  // of the class that implements it no assumption is made about the interface.
  private long[] onlyOfInterface(HotSpotResolvedObjectType type, HotSpotResolvedJavaMethod target) {
    HotSpotResolvedObjectType implementor = (HotSpotResolvedObjectType) type.getSingleImplementor();
    if (implementor == null || implementor.isInterface() || !implementor.isLinked()
        || target.isDefault()) {
      return null;
    }
    Assumptions.AssumptionResult<ResolvedJavaMethod> found =
        implementor.findUniqueConcreteMethod(target);
    if (found == null || callee(found).getDeclaringClass().isInterface()) {
      return null;
    }
    long[] link = link(callee(found), compilation.add(found));
    guardClass(link, IS_OF_SUBCLASS, implementor);
    return link;
  }

  /**
   * The method that a call of `target` leads to whose receiver's class inherits it from a class of
   * that name, with a guard; or null.
   */
  long[] of(String className, int bci, int opcode, HotSpotResolvedJavaMethod target) {
    HotSpotResolvedObjectType holder = find(className, bci);
    if (holder == null || target.isStatic() || holder.isInterface() || holder.isArray() || !holder.isLinked()
        || !target.getDeclaringClass().isAssignableFrom(holder)) {
      return null;
    }
    HotSpotResolvedJavaMethod callee =
        (HotSpotResolvedJavaMethod) holder.resolveConcreteMethod(target, caller.getDeclaringClass());
    if (callee == null || !callee.getDeclaringClass().equals(holder)) {
      return null;
    }
    HotSpotResolvedObjectType named = target.getDeclaringClass();
    long[] link = link(callee, compilation.add(callee));
    if (opcode == INVOKEVIRTUAL && !named.isInterface()) {
      return target.isInVirtualMethodTable(named)
          ? guardMethod(link, HAS_METHOD, callee, target.vtableEntryOffset(named), holder) : null;
    }
    if (callee.canBeStaticallyBound()) {
      return guardClass(link, IS_OF_SUBCLASS, holder);
    }
    Assumptions.AssumptionResult<?> leaf = holder.isAbstract() ? null : holder.findLeafConcreteSubtype();
    if (leaf != null && holder.equals(leaf.getResult())) {
      return guardClass(link, IS_OF_CLASS, holder); // Which holds for it, whatever is loaded later.
    }
    if (!callee.isInVirtualMethodTable(holder)) {
      return null;
    }
    guardClass(link, IS_OF_SUBCLASS_AND_HAS_METHOD, holder);
    return guardMethod(link, IS_OF_SUBCLASS_AND_HAS_METHOD, callee,
        callee.vtableEntryOffset(holder), holder);
  }

  // Loads nothing: a class that was never called there needs no code.
  private HotSpotResolvedObjectType find(String className, int bci) {
    String descriptor = "L" + className.replace('.', '/') + ";";
    JavaType seen =
        HotSpotJVMCIRuntime.runtime().lookupType(descriptor, caller.getDeclaringClass(), false);
    if (seen instanceof HotSpotResolvedObjectType) {
      return (HotSpotResolvedObjectType) seen;
    }
    // A class of another loader: the VM's own profile has the receivers' classes.
    JavaTypeProfile profile = caller.getProfilingInfo().getTypeProfile(bci);
    if (profile != null) {
      for (JavaTypeProfile.ProfiledType profiled : profile.getTypes()) {
        HotSpotResolvedObjectType type = (HotSpotResolvedObjectType) profiled.getType();
        for (; type != null; type = type.getSuperclass()) {
          if (type.getName().equals(descriptor)) {
            return type;
          }
        }
      }
    }
    return null;
  }

  private long[] link(HotSpotResolvedJavaMethod callee, long number) {
    long[] link = new long[10];
    link[0] = number;
    link[1] = callee.getCodeSize();
    link[2] = obstacle(callee);
    link[9] = callee.isAbstract() ? 1 : 0;
    return link;
  }

  private static int obstacle(HotSpotResolvedJavaMethod callee) {
    HotSpotResolvedObjectType holder = callee.getDeclaringClass();
    if (callee.isAbstract() || callee.isNative()) {
      return NO_CODE;
    } else if (!holder.isLinked() || (callee.isStatic() && !holder.isInitialized())) {
      return NOT_INITIALIZED;
    }
    return 0;
  }

  /** Of a method without an obstacle: whether its code may stand in its caller's. */
  static boolean mayBeInlined(HotSpotResolvedJavaMethod callee) {
    // In its caller, the overflow would be thrown where that returns.
    return callee.canBeInlined() && !Native.usesReservedStack(callee) && !isComputedByVm(callee)
        && !Intrinsics.isLeaf(callee);
  }

  /**
   * Math.sin and others like it. The interpreter does not execute their code but the VM's, whose
   * results differ in the last digit: a program must not see both. HotSpot asks nobody to compile
   * them (AbstractInterpreter::can_be_compiled).
   */
  private static boolean isComputedByVm(HotSpotResolvedJavaMethod method) {
    return method.intrinsicId() != 0
        && method.getDeclaringClass().getName().equals("Ljava/lang/Math;")
        && method.getSignature().getReturnKind() == JavaKind.Double
        && !EXACT.contains(method.getName());
  }

  private long[] guardClass(long[] link, int kind, HotSpotResolvedObjectType type) {
    link[3] = kind;
    link[4] = compilation.add(type.klass());
    link[5] = type.superCheckOffset();
    link[8] = compilation.addMirror(type);
    return link;
  }

  private long[] guardMethod(long[] link, int kind, HotSpotResolvedJavaMethod callee,
      int vtableOffset, HotSpotResolvedObjectType holder) {
    link[3] = kind;
    link[6] = compilation.add(callee.getEncoding());
    link[7] = vtableOffset;
    link[8] = compilation.addMirror(holder);
    return link;
  }
}
