package wl;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much CPU time methods really took, callees included, and how often they were called: what
 * estimates are measured against. What reading the clock adds is measured, too, and taken off; for
 * methods of microseconds and more. One thread.
 */
final class Timings {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int READINGS = 50_000;
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
    double reading = nanosOfReading();
    for (Timings each : ALL.values()) {
      long nanos = Math.max(0, each.nanos - Math.round(reading * each.calls));
      out.printf("TIME %s %d ns %d calls%n", each.method, nanos, each.calls);
    }
  }

  /** What is measured of nothing. */
  private static double nanosOfReading() {
    Timings nothing = new Timings("");
    for (int round = 0; round < 2; round++) {
      nothing.nanos = 0;
      nothing.calls = 0;
      while (nothing.calls < READINGS) {
        nothing.add(now());
      }
    }
    return (double) nothing.nanos / nothing.calls;
  }
}
