package yieldpoint.compiler;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.vm.ci.code.InstalledCode;
import jdk.vm.ci.hotspot.HotSpotCompilationRequest;
import jdk.vm.ci.hotspot.HotSpotObjectConstant;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;

/**
 * Tells the adaptive optimization system of each compilation, and compiles methods again as its
 * controller asks, on a daemon thread of which nothing is recorded. New code takes the place of the
 * old one when it is installed.
 */
final class Recompiler implements Runnable {
  private static final int NOT_OF_A_LOOP = -1;
  private static final long NO_STATE = 0;

  /** A method, without holding its class, so that it can be unloaded. */
  private record Source(WeakReference<Class<?>> holder, String name, String descriptor) {}

  private static final Map<Integer, Source> SOURCES = new ConcurrentHashMap<>();

  private final Vm vm;

  private Recompiler(Vm vm) {
    this.vm = vm;
  }

  static void start(Vm vm) {
    Thread thread = new Thread(new Recompiler(vm), "Yieldpoint recompiler");
    thread.setDaemon(true);
    thread.start();
  }

  /** One compilation, from its beginning to its end. */
  static final class Account {
    private final boolean isAskedByVm;
    private final int level;
    private final long start = System.nanoTime();
    private final long startCpu = Native.cpuNanos();

    private Account(boolean isAskedByVm, int level) {
      this.isAskedByVm = isAskedByVm;
      this.level = level;
    }

    /** Of what HotSpot asks for; null where nobody wants to know. */
    static Account ofVm(Vm vm) {
      return vm.isAdaptive ? new Account(true, Native.BASE) : null;
    }

    void end(
        int method, HotSpotCompilationRequest request, Compilation compilation, String refusal) {
      InstalledCode code = compilation == null ? null : compilation.installed;
      boolean hasCode = refusal == null && code != null;
      Native.compiled(
          method,
          new long[] {
            request == null ? 0 : request.getId(), level,
            request == null ? NOT_OF_A_LOOP : request.getEntryBCI(), isAskedByVm ? 1 : 0, start,
            System.nanoTime(), startCpu, request == null ? 0 : request.getMethod().getCodeSize(),
            hasCode ? code.getStart() : 0, hasCode ? compilation.codeBytes : 0
          },
          hasCode ? compilation.inlinedCalls : null,
          refusal);
    }

    /** The same of what HotSpot has asked for. A failure loses data, not the program's code. */
    void end(HotSpotCompilationRequest request, Compilation compilation, String refusal) {
      try {
        end(register(compilation, request.getMethod()), request, compilation, refusal);
      } catch (RuntimeException | Error e) {
        Statistics.failed("telling of a compilation", e);
      }
    }
  }

  private static int register(Compilation compilation, HotSpotResolvedJavaMethod method) {
    Task task = compilation.task;
    String descriptor = method.getSignature().toMethodDescriptor();
    int id = Native.recordedMethod(task.identity(), descriptor, task.flags());
    if (!SOURCES.containsKey(id)) {
      HotSpotObjectConstant holder =
          (HotSpotObjectConstant) compilation.vm.constants.asJavaClass(method.getDeclaringClass());
      WeakReference<Class<?>> type = new WeakReference<>(holder.asObject(Class.class));
      SOURCES.putIfAbsent(id, new Source(type, method.getName(), descriptor));
    }
    return id;
  }

  @Override
  public void run() {
    while (true) {
      long next = Native.awaitRecompilation();
      if (next < 0) {
        return;
      }
      int id = (int) (next >> 8);
      int level = (int) (next & 0xff);
      Account account = new Account(false, level);
      HotSpotCompilationRequest request = null;
      Compilation.Outcome outcome = new Compilation.Outcome();
      try {
        HotSpotResolvedJavaMethod method = find(SOURCES.get(id));
        if (method == null) {
          outcome.refusal = "its class is gone";
        } else {
          request =
              new HotSpotCompilationRequest(
                  method, NOT_OF_A_LOOP, NO_STATE, method.allocateCompileId(NOT_OF_A_LOOP));
          outcome = Compilation.of(vm, request, level);
        }
      } catch (Throwable e) {
        outcome.refusal = "error: " + e;
        Statistics.failed("compiling again", e);
      }
      account.end(id, request, outcome.compilation, outcome.refusal);
    }
  }

  private HotSpotResolvedJavaMethod find(Source source) {
    Class<?> holder = source == null ? null : source.holder.get();
    if (holder == null) {
      return null;
    }
    ResolvedJavaType type = vm.metaAccess.lookupJavaType(holder);
    ResolvedJavaMethod initializer = type.getClassInitializer();
    if (is(initializer, source)) {
      return (HotSpotResolvedJavaMethod) initializer;
    }
    for (ResolvedJavaMethod[] methods :
        new ResolvedJavaMethod[][] {type.getDeclaredMethods(), type.getDeclaredConstructors()}) {
      for (ResolvedJavaMethod method : methods) {
        if (is(method, source)) {
          return (HotSpotResolvedJavaMethod) method;
        }
      }
    }
    return null;
  }

  private static boolean is(ResolvedJavaMethod method, Source source) {
    return method != null
        && method.getName().equals(source.name)
        && method.getSignature().toMethodDescriptor().equals(source.descriptor);
  }
}
