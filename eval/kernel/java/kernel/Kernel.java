package kernel;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.IntSupplier;

/**
 * {@code Kernel BATCHES CALLS}: little but calls, a known number of them. A batch runs each part
 * with about CALLS calls. The second half of the batches is timed, by the thread's CPU time.
 *
 * <p>Every part has a call site of its own, which therefore sees one, two or three receivers. All
 * receivers are loaded before the first part runs: none profits from classes not loaded yet.
 */
public final class Kernel {
  private static final class Part {
    final String name;
    final long callsPerBatch;
    final IntSupplier work;
    long nanos;

    Part(String name, long callsPerBatch, IntSupplier work) {
      this.name = name;
      this.callsPerBatch = callsPerBatch;
      this.work = work;
    }
  }

  private static final int MASK = 1023;
  // Constructors that ran for the receivers: a shape's runs that of Shape, too.
  private static final int CALLS_OF_SETUP = 3 * 2 + 3;

  private final Targets.Shape[][] shapes = new Targets.Shape[4][MASK + 1];
  private final Targets.Filter[][] filters = new Targets.Filter[4][MASK + 1];
  private final int calls;
  private final int depth;
  private Targets.Link last;

  private Kernel(int calls) {
    this.calls = calls;
    int n = 1;
    while (callsOfFibonacci(n + 1) <= calls) {
      n++;
    }
    depth = n;
    Targets.Shape[] shape = {new Targets.Square(), new Targets.Circle(), new Targets.Line()};
    Targets.Filter[] filter = {new Targets.Shift(), new Targets.Add(), new Targets.Flip()};
    for (int receivers = 1; receivers <= 3; receivers++) {
      for (int i = 0; i <= MASK; i++) {
        shapes[receivers][i] = shape[i % receivers];
        filters[receivers][i] = filter[i % receivers];
      }
    }
  }

  /** fibonacci(n) included. */
  private static long callsOfFibonacci(int n) {
    long calls = 1;
    long before = 1;
    for (int i = 2; i <= n; i++) {
      long next = 1 + calls + before;
      before = calls;
      calls = next;
    }
    return calls;
  }

  private int statics() {
    int x = 1;
    for (int i = 0; i < calls; i++) {
      x = Targets.mix(x);
    }
    return x;
  }

  private int recursion() {
    return Targets.fibonacci(depth);
  }

  private int virtual1() {
    int x = 1;
    for (int i = 0; i < calls; i++) {
      x = shapes[1][i & MASK].step(x);
    }
    return x;
  }

  private int virtual2() {
    int x = 1;
    for (int i = 0; i < calls; i++) {
      x = shapes[2][i & MASK].step(x);
    }
    return x;
  }

  private int virtual3() {
    int x = 1;
    for (int i = 0; i < calls; i++) {
      x = shapes[3][i & MASK].step(x);
    }
    return x;
  }

  private int interface1() {
    int x = 1;
    for (int i = 0; i < calls; i++) {
      x = filters[1][i & MASK].apply(x);
    }
    return x;
  }

  private int interface2() {
    int x = 1;
    for (int i = 0; i < calls; i++) {
      x = filters[2][i & MASK].apply(x);
    }
    return x;
  }

  private int interface3() {
    int x = 1;
    for (int i = 0; i < calls; i++) {
      x = filters[3][i & MASK].apply(x);
    }
    return x;
  }

  private int constructors() {
    for (int i = 0; i < calls; i++) {
      last = new Targets.Link(i, last == null || (i & 15) == 0 ? null : last);
    }
    return last.value;
  }

  private Part[] parts() {
    return new Part[] {
      new Part("static", calls, this::statics),
      new Part("recursion", callsOfFibonacci(depth), this::recursion),
      new Part("virtual, 1 receiver", calls, this::virtual1),
      new Part("virtual, 2 receivers", calls, this::virtual2),
      new Part("virtual, 3 receivers", calls, this::virtual3),
      new Part("interface, 1 receiver", calls, this::interface1),
      new Part("interface, 2 receivers", calls, this::interface2),
      new Part("interface, 3 receivers", calls, this::interface3),
      new Part("constructor", 2L * calls, this::constructors), // a link's and its node's
    };
  }

  public static void main(String[] args) {
    int batches = Integer.parseInt(args[0]);
    Part[] parts = new Kernel(Integer.parseInt(args[1])).parts();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long checksum = 0;
    for (int batch = 0; batch < batches; batch++) {
      for (Part part : parts) {
        long start = threads.getCurrentThreadCpuTime();
        checksum = checksum * 31 + part.work.getAsInt();
        if (batch >= batches / 2) {
          part.nanos += threads.getCurrentThreadCpuTime() - start;
        }
      }
    }
    long calls = CALLS_OF_SETUP;
    for (Part part : parts) {
      calls += batches * part.callsPerBatch;
      long timed = (batches - batches / 2) * part.callsPerBatch;
      System.out.printf("PART %s: %d calls, %.4f ns%n", part.name, timed,
          (double) part.nanos / timed);
    }
    System.out.printf("CALLS %d%nCHECKSUM %016x%n", calls, checksum);
  }
}
