package yieldpoint.compiler;

import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.runtime.JVMCICompiler;
import jdk.vm.ci.runtime.JVMCICompilerFactory;
import jdk.vm.ci.runtime.JVMCIRuntime;
import jdk.vm.ci.services.JVMCIServiceLocator;

/** How JVMCI finds the compiler: by -Djvmci.Compiler=yieldpoint. */
public final class Locator extends JVMCIServiceLocator {
  @Override
  protected <S> S getProvider(Class<S> service) {
    return service == JVMCICompilerFactory.class ? service.cast(new Factory()) : null;
  }

  private static final class Factory implements JVMCICompilerFactory {
    @Override
    public String getCompilerName() {
      return "yieldpoint";
    }

    @Override
    public JVMCICompiler createCompiler(JVMCIRuntime runtime) {
      return new BaseCompiler((HotSpotJVMCIRuntime) runtime);
    }
  }
}
