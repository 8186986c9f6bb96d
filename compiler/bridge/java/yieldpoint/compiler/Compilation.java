package yieldpoint.compiler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.vm.ci.code.BailoutException;
import jdk.vm.ci.code.InstalledCode;
import jdk.vm.ci.code.site.DataPatch;
import jdk.vm.ci.hotspot.HotSpotCompilationRequest;
import jdk.vm.ci.hotspot.HotSpotCompiledCode;
import jdk.vm.ci.hotspot.HotSpotCompiledNmethod;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.hotspot.HotSpotResolvedObjectType;
import jdk.vm.ci.meta.Assumptions;
import jdk.vm.ci.meta.Constant;
import jdk.vm.ci.meta.ConstantPool;
import jdk.vm.ci.meta.JavaConstant;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/** One compilation: what its code refers to and relies on, whichever method of it does. */
final class Compilation {
  static final int DATA_ALIGNMENT = 8;

  private static final int MOST_ATTEMPTS = 3;

  final Vm vm;
  private final HotSpotResolvedJavaMethod method;
  private final int level;
  /** What the compiler asks about the method itself. */
  final Task task;
  private final List<Constant> constants = new ArrayList<>();
  private final Map<Constant, Integer> numbers = new HashMap<>();
  private final Map<HotSpotResolvedObjectType, Integer> mirrors = new HashMap<>();
  private final List<ResolvedJavaMethod> methods = new ArrayList<>();
  private final Map<ResolvedJavaMethod, String> names = new HashMap<>();
  private final Map<ConstantPool, Integer> pools = new IdentityHashMap<>();
  private final Set<ResolvedJavaMethod> inlined = new LinkedHashSet<>();
  // By number of the callee: under which assumption about classes it is the only one.
  private final Map<Integer, Assumptions.AssumptionResult<ResolvedJavaMethod>> conditions =
      new HashMap<>();
  private final Assumptions assumptions = new Assumptions();

  /** What compile has installed, and how large it is. */
  InstalledCode installed;
  int codeBytes;
  /** As Native.compiled takes them. */
  int[] inlinedCalls;

  private Compilation(Vm vm, HotSpotResolvedJavaMethod method, int level) {
    this.vm = vm;
    this.method = method;
    this.level = level;
    task = new Task(this, method);
    inlined.add(method); // The method itself changes when it is redefined, as those in it.
  }

  /** Of a class or method the same number each time, so that the code knows it for the same. */
  long add(Constant constant) {
    if (constant instanceof JavaConstant) {
      // Not asked for its hash code: the program may see which numbers its objects get.
      return append(constant);
    }
    return numbers.computeIfAbsent(constant, this::append);
  }

  private int append(Constant constant) {
    constants.add(constant);
    return constants.size() - 1;
  }

  /** The same number each time as well. */
  long addMirror(HotSpotResolvedObjectType type) {
    Integer known = mirrors.get(type);
    if (known == null) {
      known = append(vm.constants.asJavaClass(type));
      mirrors.put(type, known);
    }
    return known;
  }

  /** Each time another number. */
  long add(ResolvedJavaMethod named) {
    methods.add(named);
    return methods.size() - 1;
  }

  long add(Assumptions.AssumptionResult<ResolvedJavaMethod> callee) {
    int number = (int) add(callee.getResult());
    conditions.put(number, callee);
    return number;
  }

  /**
   * As profiles have it, where calls have weights. Else it only tells the methods of this
   * compilation apart: most of them are asked about, and few are inlined.
   */
  String nameOf(HotSpotResolvedJavaMethod named) {
    String name = names.get(named);
    if (name == null) {
      name = vm.hasWeights ? Callees.name(named) : Integer.toString(names.size());
      names.put(named, name);
    }
    return name;
  }

  /** JVMCI has one object for the constants of all methods of a class, as long as it is used. */
  int numberOf(ConstantPool pool) {
    Integer known = pools.get(pool);
    if (known == null) {
      known = pools.size();
      pools.put(pool, known);
    }
    return known;
  }

  HotSpotResolvedJavaMethod method(int number) {
    return (HotSpotResolvedJavaMethod) methods.get(number);
  }

  /** Its code is in this one: it changes when the method is redefined, or is not the callee. */
  void inline(int number) {
    inlined.add(methods.get(number));
    assume(number);
  }

  /** From now on the code holds only as long as that method is the callee. */
  void assume(int number) {
    Assumptions.AssumptionResult<ResolvedJavaMethod> condition = conditions.get(number);
    if (condition != null) {
      condition.recordTo(assumptions);
    }
  }

  /** How compiling a method has ended. */
  static final class Outcome {
    /** The last attempt; null where there was none. */
    Compilation compilation;
    /** Null: its code is installed. */
    String refusal;
    boolean mayWorkLater;
  }

  /**
   * Compiles and installs, again where classes that were loaded meanwhile have made an assumption
   * wrong. Throws nothing.
   *
   * @param level of Native
   */
  static Outcome of(Vm vm, HotSpotCompilationRequest request, int level) {
    Outcome outcome = new Outcome();
    outcome.mayWorkLater = true;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && outcome.mayWorkLater; attempt++) {
      outcome.mayWorkLater = false;
      try {
        outcome.compilation = new Compilation(vm, request.getMethod(), level);
        outcome.refusal = outcome.compilation.compile(request);
      } catch (BailoutException e) {
        outcome.refusal = "the VM: " + String.valueOf(e.getMessage()).split("\n")[0];
        outcome.mayWorkLater = !e.isPermanent();
      } catch (OutOfMemoryError e) {
        // The program's heap is full, as it need not be later.
        outcome.refusal = "no memory";
        outcome.mayWorkLater = true;
        return outcome;
      } catch (Throwable e) {
        outcome.refusal = "error: " + e;
        if (Statistics.VERBOSE) {
          e.printStackTrace();
        }
      }
    }
    return outcome;
  }

  /** Compiles and installs; returns null, or why it did not. */
  private String compile(HotSpotCompilationRequest request) {
    long start = Native.cpuNanos();
    Object[] body = task.body();
    if (body == null) {
      return "no code";
    }
    Object result = Native.compile(body, request.getEntryBCI(), level);
    if (result instanceof String) {
      return (String) result;
    }
    long translated = Native.cpuNanos();
    Object[] parts = (Object[]) result;
    byte[] code = (byte[]) parts[0];
    Sites sites = new Sites((int[]) parts[1], method, methods, constants);
    HotSpotCompiledNmethod compiled =
        new HotSpotCompiledNmethod(
            method.getName(), code, code.length, sites.all(), assumptions.toArray(),
            inlined.toArray(new ResolvedJavaMethod[0]), new HotSpotCompiledCode.Comment[0],
            new byte[0], DATA_ALIGNMENT, new DataPatch[0], false, sites.frameBytes(),
            sites.rescueSlot(), method, request.getEntryBCI(), request.getId(),
            request.getJvmciEnv(), false);
    installed = vm.codeCache.installCode(method, compiled, null, null, true);
    codeBytes = code.length;
    inlinedCalls = (int[]) parts[4];
    long end = Native.cpuNanos();
    Statistics.compiled(method, request.getEntryBCI(), code.length, (int[]) parts[2],
        translated - start, end - translated, end - start);
    Statistics.notOptimized(method, (String) parts[5]);
    Inlining.decided(method, methods, (int[]) parts[3]);
    return null;
  }
}
