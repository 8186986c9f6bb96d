package yieldpoint.compiler;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdk.vm.ci.code.CodeCacheProvider;
import jdk.vm.ci.code.InstalledCode;
import jdk.vm.ci.code.site.DataPatch;
import jdk.vm.ci.hotspot.HotSpotCompiledCode;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.hotspot.HotSpotResolvedObjectType;
import jdk.vm.ci.hotspot.HotSpotVMConfigAccess;
import jdk.vm.ci.hotspot.HotSpotVMConfigStore;
import jdk.vm.ci.hotspot.VMField;
import jdk.vm.ci.hotspot.VMFlag;
import jdk.vm.ci.meta.Assumptions;
import jdk.vm.ci.meta.ConstantReflectionProvider;
import jdk.vm.ci.meta.DeoptimizationAction;
import jdk.vm.ci.meta.DeoptimizationReason;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.MetaAccessProvider;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.runtime.JVMCIBackend;

/** This VM, once it has been told to the compiler and has the compiler's stubs. */
final class Vm {
  static final int JDK = Runtime.version().feature();

  private static final int NO_SUCH_FLAG = -1;

  final CodeCacheProvider codeCache;
  final MetaAccessProvider metaAccess;
  final ConstantReflectionProvider constants;
  final boolean isRecorded;
  /** Of calls: whether a profile, or what is recorded, says where they go. */
  final boolean hasWeights;
  final boolean isAdaptive;
  /** Of Native. */
  final int highestLevel;

  private static Vm vm;
  private static String refusal;

  /** Starts the compiler when it is first asked for anything. */
  static synchronized Vm get() {
    if (vm == null && refusal == null) {
      try {
        vm = new Vm();
      } catch (OutOfMemoryError e) {
        throw e; // Started again when it is asked again.
      } catch (Throwable e) {
        refusal = String.valueOf(e.getMessage());
        System.err.println("yieldpoint: the compiler does not work in this JVM: " + refusal);
      }
    }
    if (refusal != null) {
      throw new IllegalStateException(refusal);
    }
    return vm;
  }

  private Vm() {
    System.load(System.getProperty("yieldpoint.compiler.library"));
    Native.findJvmciMethods();
    HotSpotJVMCIRuntime runtime = HotSpotJVMCIRuntime.runtime();
    JVMCIBackend backend = runtime.getHostJVMCIBackend();
    codeCache = backend.getCodeCache();
    metaAccess = backend.getMetaAccess();
    constants = backend.getConstantReflection();
    String why = tell(runtime.getConfigStore());
    if (why != null) {
      throw new IllegalStateException(why);
    }
    isRecorded = Native.isRecorded();
    String inline = System.getProperty("yieldpoint.compiler.inline", "none");
    hasWeights = !List.of("none", "static", "all").contains(inline);
    why = Native.useInlining(inline);
    if (why != null) {
      System.err.println("yieldpoint: nothing is inlined: " + why);
    }
    highestLevel = Boolean.getBoolean("yieldpoint.compiler.optimize") ? Native.OPT2 : Native.OPT1;
    isAdaptive = Native.isAdaptive();
    String[] stubs = Native.stubNames();
    for (int i = 0; i < stubs.length; i++) {
      Native.setStubAddress(i, install(stubs[i], Native.assembleStub(i)));
    }
    Statistics.start();
    if (isAdaptive) {
      Recompiler.start(this);
    }
  }

  private String tell(HotSpotVMConfigStore store) {
    List<String> names = new ArrayList<>();
    List<Long> values = new ArrayList<>();
    for (Map.Entry<String, Long> constant : store.getConstants().entrySet()) {
      names.add(constant.getKey());
      values.add(constant.getValue());
    }
    for (Map.Entry<String, Long> function : store.getAddresses().entrySet()) {
      names.add(function.getKey());
      values.add(function.getValue());
    }
    for (Map.Entry<String, VMField> entry : store.getFields().entrySet()) {
      VMField field = entry.getValue();
      Long value = field.value == null ? Long.valueOf(field.offset) : number(field.value);
      if (value != null) {
        names.add(entry.getKey());
        values.add(value);
      }
    }
    for (Map.Entry<String, VMFlag> flag : store.getFlags().entrySet()) {
      Long value = number(flag.getValue().value);
      if (value != null) {
        names.add("flag:" + flag.getKey());
        values.add(value);
      }
    }
    // The store does not have all flags; which are there depends on the release.
    HotSpotVMConfigAccess access = new HotSpotVMConfigAccess(store);
    for (String name : List.of("LockingMode", "DiagnoseSyncOnValueBasedClasses")) {
      Integer value = access.getFlag(name, Integer.class, NO_SUCH_FLAG);
      if (value != NO_SUCH_FLAG) {
        names.add("flag:" + name);
        values.add(value.longValue());
      }
    }
    for (String name : List.of(
        "UseHeavyMonitors", "UseRTMLocking", "UseRTMForStackLocks", "UseObjectMonitorTable")) {
      names.add("flag:" + name);
      values.add(number(access.getFlag(name, Boolean.class, false)));
    }
    names.add("yp:has_all_intrinsics");
    values.add(number(access.getFlag("InlineNatives", Boolean.class, true)
        && access.getFlag("DisableIntrinsic", String.class, "").isEmpty()
        && access.getFlag("ControlIntrinsic", String.class, "").isEmpty()));
    names.add("yp:jdk");
    values.add((long) JDK);
    for (JavaKind kind : JavaKind.values()) {
      if (kind.isPrimitive() && kind != JavaKind.Void || kind == JavaKind.Object) {
        names.add("yp:array_base:" + Task.letter(kind));
        values.add((long) metaAccess.getArrayBaseOffset(kind));
      }
    }
    names.add("yp:layout:boolean[]");
    values.add((long) objectType(boolean[].class).layoutHelper());
    names.add("yp:layout:byte[]");
    values.add((long) objectType(byte[].class).layoutHelper());
    names.add("yp:object_class");
    values.add(Native.pointer(objectType(Object.class)));
    addTraps(names, values);
    long[] numbers = new long[values.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values.get(i);
    }
    return Native.start(names.toArray(new String[0]), numbers);
  }

  private void addTraps(List<String> names, List<Long> values) {
    DeoptimizationAction none = DeoptimizationAction.None;
    addTrap(names, values, "unresolved", DeoptimizationAction.InvalidateReprofile,
        DeoptimizationReason.Unresolved);
    addTrap(names, values, "unresolved_keep", none, DeoptimizationReason.Unresolved);
    addTrap(names, values, "null_check", none, DeoptimizationReason.NullCheckException);
    addTrap(names, values, "bounds", none, DeoptimizationReason.BoundsCheckException);
    addTrap(names, values, "division", none, DeoptimizationReason.ArithmeticException);
    addTrap(names, values, "class_cast", none, DeoptimizationReason.ClassCastException);
    addTrap(names, values, "array_store", none, DeoptimizationReason.ArrayStoreException);
    addTrap(names, values, "speculation", DeoptimizationAction.InvalidateReprofile,
        DeoptimizationReason.LoopLimitCheck);
    addTrap(names, values, "interpreter", none, DeoptimizationReason.TransferToInterpreter);
  }

  private void addTrap(List<String> names, List<Long> values, String name,
      DeoptimizationAction action, DeoptimizationReason reason) {
    names.add("trap:" + name);
    values.add((long) metaAccess.encodeDeoptActionAndReason(action, reason, 0).asInt());
  }

  private static Long number(Object value) {
    if (value instanceof Boolean) {
      return (Boolean) value ? 1L : 0L;
    }
    return value instanceof Number ? ((Number) value).longValue() : null;
  }

  HotSpotResolvedObjectType objectType(Class<?> type) {
    return (HotSpotResolvedObjectType) metaAccess.lookupJavaType(type);
  }

  private long install(String name, Object[] assembled) {
    byte[] code = (byte[]) assembled[0];
    Sites sites = new Sites((int[]) assembled[1], null, null, null);
    HotSpotCompiledCode compiled =
        new HotSpotCompiledCode(
            "yieldpoint " + name, code, code.length, sites.all(),
            new Assumptions.Assumption[0], new ResolvedJavaMethod[0],
            new HotSpotCompiledCode.Comment[0], new byte[0], Compilation.DATA_ALIGNMENT,
            new DataPatch[0], false, sites.frameBytes(), null);
    InstalledCode installed = codeCache.installCode(null, compiled, null, null, false);
    return installed.getStart();
  }

}
