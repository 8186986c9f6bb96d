import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call takes by how it is dispatched: prints a name and ns of CPU time for each. `yp aos
 * --verbose` says on System.err what has been compiled.
 */
public final class Dispatch {
  private static final int CALLS = 2_000_000;
  private static final int REPEATS = 9; // The shortest counts.

  // No call waits for what another gives. Each call site has a family of classes for itself, in which it is the first caller, or the tenth.
  abstract static class Inline {
    abstract int next(int n);
  }

  static final class InlineOne extends Inline {
    @Override
    int next(int n) {
      return n + 1;
    }
  }

  static final class InlineOther extends Inline {
    @Override
    int next(int n) {
      return n - 1;
    }
  }

  abstract static class Table {
    abstract int next(int n);
  }

  static final class TableOne extends Table {
    @Override
    int next(int n) {
      return n + 1;
    }
  }

  static final class TableOther extends Table {
    @Override
    int next(int n) {
      return n - 1;
    }
  }

  abstract static class Tenth {
    abstract int next(int n);
  }

  static final class TenthOne extends Tenth {
    @Override
    int next(int n) {
      return n + 1;
    }
  }

  static final class TenthOther extends Tenth {
    @Override
    int next(int n) {
      return n - 1;
    }
  }

  interface Face {
    int next(int n);
  }

  static final class FaceOne implements Face {
    @Override
    public int next(int n) {
      return n + 1;
    }
  }

  static final class FaceOther implements Face {
    @Override
    public int next(int n) {
      return n - 1;
    }
  }

  static int next(int n) {
    return n + 1;
  }

  static int direct(int calls) {
    int n = 0;
    for (int i = 0; i < calls; i++) {
      n = next(i);
    }
    return n;
  }

  static int inlineCache(Inline inline, int calls) {
    int n = 0;
    for (int i = 0; i < calls; i++) {
      n = inline.next(i);
    }
    return n;
  }

  static int table(Table table, int calls) {
    int n = 0;
    for (int i = 0; i < calls; i++) {
      n = table.next(i);
    }
    return n;
  }

  static int others(Tenth tenth) {
    return tenth.next(1) + tenth.next(2) + tenth.next(3) + tenth.next(4) + tenth.next(5)
        + tenth.next(6) + tenth.next(7) + tenth.next(8) + tenth.next(9);
  }

  static int tenthCaller(Tenth tenth, int calls) {
    int n = 0;
    for (int i = 0; i < calls; i++) {
      n = tenth.next(i);
    }
    return n;
  }

  static int interfaceCache(Face face, int calls) {
    int n = 0;
    for (int i = 0; i < calls; i++) {
      n = face.next(i);
    }
    return n;
  }

  static int interfaceTable(Face face, int calls) {
    int n = 0;
    for (int i = 0; i < calls; i++) {
      n = face.next(i);
    }
    return n;
  }

  private interface Work {
    int run(int calls);
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static void measure(String name, Work work) {
    long best = Long.MAX_VALUE;
    long sum = 0;
    for (int i = 0; i < REPEATS; i++) {
      long start = THREADS.getCurrentThreadCpuTime();
      sum += work.run(CALLS);
      best = Math.min(best, THREADS.getCurrentThreadCpuTime() - start);
    }
    if (sum != (long) REPEATS * CALLS) {
      throw new IllegalStateException(name + " " + sum);
    }
    System.out.println(name + " " + (double) best / CALLS);
  }

  private static List<String> names(Class<?>... types) {
    List<String> names = new ArrayList<>();
    for (Class<?> type : types) {
      for (Method method : type.getDeclaredMethods()) {
        if (type != Dispatch.class || method.getParameterCount() > 0 && !method.isSynthetic()
            && method.getReturnType() == int.class) {
          names.add(type.getName() + "." + method.getName());
        }
      }
    }
    return names;
  }

  public static void main(String[] arguments) throws Exception {
    Tenth[] tenths = {new TenthOne(), new TenthOther()};
    Compiled all = new Compiled(names(Dispatch.class, InlineOne.class, TableOne.class,
        TableOther.class, TenthOne.class, FaceOne.class, FaceOther.class));
    PrintStream console = System.err;
    System.setErr(new PrintStream((OutputStream) all, true));
    long end = System.nanoTime() + 30_000_000_000L;
    while (!all.has("Dispatch.others") && System.nanoTime() < end) {
      for (int i = 0; i < 500; i++) {
        others(tenths[i % 2]);
      }
      Thread.sleep(1);
    }
    Inline inline = new InlineOne();
    Table[] tables = {new TableOther(), new TableOne()};
    Face face = new FaceOne();
    Face[] faces = {new FaceOther(), new FaceOne()};
    while (all.missing() != null) {
      if (System.nanoTime() > end) {
        console.println("not compiled: " + all.missing());
        System.exit(3);
      }
      for (int i = 0; i < 100; i++) {
        direct(9);
        inlineCache(inline, 9);
        table(tables[i % 2], 9);
        others(tenths[i % 2]);
        tenthCaller(tenths[i % 2], 9);
        interfaceCache(face, 9);
        interfaceTable(faces[i % 2], 9);
      }
      Thread.sleep(1);
    }
    System.setErr(console);
    for (int i = 0; i < 500; i++) {
      table(tables[i % 2], 9);
      tenthCaller(tenths[i % 2], 9);
      interfaceTable(faces[i % 2], 9);
    }
    measure("direct", Dispatch::direct);
    measure("inline-cache", calls -> inlineCache(inline, calls));
    measure("vtable", calls -> table(tables[1], calls));
    measure("vtable-tenth-caller", calls -> tenthCaller(tenths[0], calls));
    measure("interface-cache", calls -> interfaceCache(face, calls));
    measure("itable", calls -> interfaceTable(faces[1], calls));
  }
}
