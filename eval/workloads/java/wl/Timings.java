package wl;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much CPU time methods really took, callees included, and how often they were called: what
 * estimates are measured against. For methods of tens of microseconds and more, as a call costs two
 * clock readings. One thread.
 */
final class Timings {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Map<String, Timings> ALL = new TreeMap<>();

  private final String method;
  private long nanos;
  private long calls;

  private Timings(String method) {
    this.method = method;
  }

  /** Of a method by its name in profiles' form, such as "wl.Lu.factor([[D[I)V". */
  static Timings of(String method) {
    return ALL.computeIfAbsent(method, Timings::new);
  }

  /** Of the thread's CPU time, in nanoseconds. */
  static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  void add(long begunNanos) {
    nanos += now() - begunNanos;
    calls++;
  }

  static void print(PrintStream out) {
    for (Timings each : ALL.values()) {
      out.printf("TIME %s %d ns %d calls%n", each.method, each.nanos, each.calls);
    }
  }
}
