package yieldpoint.compiler;

import java.util.List;
import jdk.vm.ci.code.CompilationRequest;
import jdk.vm.ci.code.CompilationRequestResult;
import jdk.vm.ci.hotspot.HotSpotCompilationRequest;
import jdk.vm.ci.hotspot.HotSpotCompilationRequestResult;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.runtime.JVMCICompiler;

/** What HotSpot asks to compile its hottest methods. A method that is refused stays interpreted. */
final class BaseCompiler implements JVMCICompiler {
  // CollectedHeap::Serial, Parallel, G1.
  private static final int FIRST_COLLECTOR = 1;
  private static final int LAST_COLLECTOR = 3;

  // Made before the heap is full.
  private static final CompilationRequestResult NO_MEMORY =
      HotSpotCompilationRequestResult.failure("no memory", true);

  // What has values of its own, but for what needs the library. A class whose initialization fails
  // for lack of memory is never there again.
  private static final List<Class<?>> INITIALIZED =
      List.of(Intrinsics.class, Recompiler.class, ResolvedConstants.class, Sites.class,
          Statistics.class);

  /** While the VM starts, before the program can fill the heap. */
  BaseCompiler(HotSpotJVMCIRuntime runtime) {
    // C1 compiles what compiles: soon, and beside the thread that does.
    runtime.excludeFromJVMCICompilation(
        HotSpotJVMCIRuntime.class.getModule(), BaseCompiler.class.getModule());
    try {
      for (Class<?> type : INITIALIZED) {
        Class.forName(type.getName(), true, type.getClassLoader());
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean isGCSupported(int collector) {
    return collector >= FIRST_COLLECTOR && collector <= LAST_COLLECTOR;
  }

  /** Throws nothing, as the VM would end the process: not even where the program fills the heap. */
  @Override
  public CompilationRequestResult compileMethod(CompilationRequest asked) {
    try {
      return compile((HotSpotCompilationRequest) asked);
    } catch (Throwable e) {
      return NO_MEMORY;
    }
  }

  private static CompilationRequestResult compile(HotSpotCompilationRequest request) {
    HotSpotResolvedJavaMethod method = request.getMethod();
    Vm vm;
    try {
      vm = Vm.get();
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    } catch (Throwable e) {
      return refused(method, "error: " + e, false);
    }
    Recompiler.Account account = Recompiler.Account.ofVm(vm);
    // With a controller, this is the lowest level.
    Compilation.Outcome outcome = Compilation.of(vm, request, vm.isAdaptive ? Native.BASE : vm.highestLevel);
    if (account != null && outcome.compilation != null) {
      account.end(request, outcome.compilation, outcome.refusal);
    }
    return outcome.refusal == null
        ? HotSpotCompilationRequestResult.success(0)
        : refused(method, outcome.refusal, outcome.mayWorkLater);
  }

  private static CompilationRequestResult refused(
      HotSpotResolvedJavaMethod method, String refusal, boolean mayWorkLater) {
    Statistics.refused(method, refusal);
    return HotSpotCompilationRequestResult.failure(refusal, mayWorkLater);
  }
}
