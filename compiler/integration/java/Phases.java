import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Two phases with methods of their own; each works until it has used so many ms of CPU time: on a busy
 * machine the compiler, too, takes longer.
 */
final class Phases {
  interface Step {
    int at(int i);
  }

  static int mix(int value) {
    return value * 31 + 7 ^ value >>> 3;
  }

  /** More bytecode than static heuristics inline, and less than a hot call may have. */
  static int scramble(int value) {
    int result = value;
    result ^= result << 13;
    result ^= result >>> 17;
    result ^= result << 5;
    result += value * 3;
    result ^= result >>> 11;
    result ^= result << 7;
    return result;
  }

  static final class Sum implements Step {
    public int at(int i) {
      int sum = i;
      for (int k = 0; k < 100; k++) {
        sum = mix(sum + k);
      }
      return sum;
    }
  }

  static final class Search implements Step {
    private final int[] values = new int[1000];

    public int at(int i) {
      int found = 0;
      for (int k = 0; k < values.length; k++) {
        found += mix(scramble(values[k] + i)) == i ? 1 : 0;
      }
      return found;
    }
  }

  private static long run(Step step, int rounds) {
    long result = 0;
    for (int i = 0; i < rounds; i++) {
      result = result * 17 + step.at(i);
    }
    return result;
  }

  public static void main(String[] arguments) {
    long millis = Long.parseLong(arguments[0]);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (Step step : new Step[] {new Sum(), new Search()}) {
      long end = threads.getCurrentThreadCpuTime() + millis * 1_000_000;
      long first = run(step, 1000);
      int different = 0;
      while (threads.getCurrentThreadCpuTime() < end) {
        different += run(step, 1000) == first ? 0 : 1;
      }
      System.out.println(step.getClass().getName() + " " + first + " " + different);
    }
  }
}
