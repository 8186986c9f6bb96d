package yieldpoint.compiler;

import jdk.vm.ci.code.BailoutException;
import jdk.vm.ci.code.CompilationRequest;
import jdk.vm.ci.code.CompilationRequestResult;
import jdk.vm.ci.hotspot.HotSpotCompilationRequest;
import jdk.vm.ci.hotspot.HotSpotCompilationRequestResult;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.runtime.JVMCICompiler;

/** What HotSpot asks to compile its hottest methods. A method that is refused stays interpreted. */
final class BaseCompiler implements JVMCICompiler {
  // CollectedHeap::Serial, Parallel, G1.
  private static final int FIRST_COLLECTOR = 1;
  private static final int LAST_COLLECTOR = 3;

  private static final int MOST_ATTEMPTS = 3;

  @Override
  public boolean isGCSupported(int collector) {
    return collector >= FIRST_COLLECTOR && collector <= LAST_COLLECTOR;
  }

  @Override
  public CompilationRequestResult compileMethod(CompilationRequest asked) {
    HotSpotCompilationRequest request = (HotSpotCompilationRequest) asked;
    HotSpotResolvedJavaMethod method = request.getMethod();
    String refusal = null;
    boolean mayWorkLater = true;
    Compilation compilation = null;
    Recompiler.Account account = null;
    // Classes that are loaded meanwhile may make an assumption wrong: then it is done again.
    for (int attempt = 0; attempt < MOST_ATTEMPTS && mayWorkLater; attempt++) {
      mayWorkLater = false;
      try {
        Vm vm = Vm.get();
        if (account == null) {
          account = Recompiler.Account.ofVm(vm);
        }
        compilation = new Compilation(vm, method);
        refusal = compilation.compile(request);
      } catch (BailoutException e) {
        refusal = "the VM: " + String.valueOf(e.getMessage()).split("\n")[0];
        mayWorkLater = !e.isPermanent();
      } catch (Throwable e) {
        refusal = "error: " + e;
        if (Statistics.VERBOSE) {
          e.printStackTrace();
        }
      }
    }
    if (account != null && compilation != null) {
      account.end(request, compilation, refusal);
    }
    if (refusal == null) {
      return HotSpotCompilationRequestResult.success(0);
    }
    Statistics.refused(method, refusal);
    return HotSpotCompilationRequestResult.failure(refusal, mayWorkLater);
  }
}
