package wl;

import java.io.PrintStream;
import java.nio.file.Paths;
import java.time.Duration;

/**
 * {@code Harness CLASS ITERATIONS DATA}: runs a workload and prints one line for its set-up, two for
 * each iteration, with its checksum and with the process's CPU time, how long methods took that the
 * workload times, how often those ran that count themselves, and the checksum of all. Exits with 3
 * when they differ.
 */
public final class Harness {
  public static void main(String[] args) {
    try {
      System.exit(run(args) ? 0 : 3);
    } catch (Throwable thrown) {
      thrown.printStackTrace();
      System.exit(1); // A service's threads would keep the JVM alive.
    }
  }

  /** Whether all iterations had the same result. */
  private static boolean run(String[] args) throws Exception {
    String name = args[0];
    int iterations = Integer.parseInt(args[1]);
    Workload workload =
        (Workload) Class.forName("wl." + name).getDeclaredConstructor().newInstance();
    PrintStream out = System.out; // workloads may replace System.out

    long setupStart = System.nanoTime();
    workload.setup(Paths.get(args[2]).toAbsolutePath());
    out.printf("SETUP %s %d ms%n", name, millisSince(setupStart));

    long first = 0;
    boolean same = true;
    for (int i = 0; i < iterations; i++) {
      long cpuStart = cpuMillis();
      long start = System.nanoTime();
      long checksum = workload.run();
      out.printf("ITER %s %d %d ms %016x%n", name, i, millisSince(start), checksum);
      out.printf("CPU %s %d %d ms%n", name, i, cpuMillis() - cpuStart);
      if (i == 0) {
        first = checksum;
      }
      same &= checksum == first;
    }
    Timings.print(out);
    Counts.print(out);
    out.printf("CHECKSUM %s %016x%s%n", name, first, same ? "" : " MISMATCH");
    out.flush();
    return same;
  }

  /** Of all threads, in steps of the kernel's clock tick, 10 ms. */
  private static long cpuMillis() {
    return ProcessHandle.current().info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }

  private static long millisSince(long start) {
    return (System.nanoTime() - start) / 1_000_000;
  }
}
