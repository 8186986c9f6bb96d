package wl;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often methods really ran, counted by themselves as they begin: what profiles are held against.
 * Any number of threads.
 */
final class Counts {
  private static final Map<String, LongAdder> ALL = new ConcurrentSkipListMap<>();

  private Counts() {}

  /** Of a method by its name in profiles' form, such as "wl.Lu.factor([[D[I)V". */
  static LongAdder of(String method) {
    return ALL.computeIfAbsent(method, unused -> new LongAdder());
  }

  static void print(PrintStream out) {
    ALL.forEach((method, calls) -> out.printf("COUNT %s %d calls%n", method, calls.sum()));
  }
}
