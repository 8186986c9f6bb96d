import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * A loop without a jump: a throw whose handler stands before it. No Java compiler makes one. Needs
 * `yp aos --verbose`, which says when the loop is compiled.
 */
public final class HandlerLoop {
  private static final int LONGEST = 400_000_000; // Where nothing stops it: about a second.

  private static final int COLLECTIONS = 3; // The first may come before the loop.

  public static volatile boolean collected;
  private static volatile boolean entered;

  private HandlerLoop() {}

  /** static int run(Throwable, int n): counts n down until it is 0 or the flag is set; gives n. */
  private static void makeRun(CodeBuilder code) {
    Label handler = code.newLabel();
    Label start = code.newLabel();
    Label end = code.newLabel();
    code.aload(0)
        .labelBinding(handler).iinc(1, -1).iload(1).ifeq(end)
        .getstatic(ClassDesc.of("HandlerLoop"), "collected", ConstantDescs.CD_boolean).ifne(end)
        .labelBinding(start).athrow()
        .labelBinding(end).pop().iload(1).ireturn()
        .exceptionCatchAll(start, end, handler);
  }

  private static MethodHandle run() throws ReflectiveOperationException {
    byte[] bytes =
        ClassFile.of().build(ClassDesc.of("HandlerLoop$Made"),
            made -> made.withMethodBody("run",
                MethodTypeDesc.ofDescriptor("(Ljava/lang/Throwable;I)I"), ClassFile.ACC_STATIC,
                HandlerLoop::makeRun));
    return MethodHandles.lookup().findStatic(MethodHandles.lookup().defineClass(bytes), "run",
        MethodType.methodType(int.class, Throwable.class, int.class));
  }

  private static int call(MethodHandle run, Throwable thrown, int n) {
    try {
      return (int) run.invokeExact(thrown, n);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    MethodHandle run = run();
    Throwable thrown = new Throwable();
    Compiled.await(List.of("HandlerLoop$Made.run"), () -> {
      for (int i = 0; i < 100; i++) {
        call(run, thrown, 3);
      }
    });
    int[] left = {0};
    Thread thread =
        new Thread(
            () -> {
              entered = true;
              left[0] = call(run, thrown, LONGEST);
            });
    thread.start();
    while (!entered) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    collected = true;
    thread.join();
    System.out.println("stopped by the flag: " + (left[0] > 0));
  }
}
