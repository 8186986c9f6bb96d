package yieldpoint.compiler;

import java.util.Map;
import java.util.TreeMap;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;

/**
 * What was compiled and refused, said at the end where -Dyieldpoint.compiler.statistics asks. Nothing
 * is printed under a lock: System.err may be the program's own, and wait for a compilation.
 */
final class Statistics {
  static final boolean SAYS = Boolean.getBoolean("yieldpoint.compiler.statistics");
  static final boolean VERBOSE = Boolean.getBoolean("yieldpoint.compiler.verbose");

  // By Trap of vm_layout.h.
  private static final String[] TRAPS = {
    "unresolved", "unresolved, kept", "null check", "bounds", "division", "class cast",
    "array store", "interpreter", "speculation"
  };

  private static final Map<String, Integer> REFUSALS = new TreeMap<>();
  // By reason: what OPT2 left to a lower level.
  private static final Map<String, Integer> NOT_OPTIMIZED = new TreeMap<>();
  private static final long[] traps = new long[TRAPS.length];
  private static long methods;
  private static long entries;
  private static long bytecodeBytes;
  private static long codeBytes;
  private static long nanos;
  private static long translateNanos;
  private static long installNanos;

  private Statistics() {}

  static void start() {
    if (SAYS) {
      Runtime.getRuntime().addShutdownHook(new Summary());
    }
  }

  private static final class Summary extends Thread {
    @Override
    public void run() {
      System.err.println(summary());
    }
  }

  private static void count(Map<String, Integer> counts, String what) {
    counts.put(what, counts.getOrDefault(what, 0) + 1);
  }

  static void compiled(HotSpotResolvedJavaMethod method, int osrBci, int bytes, int[] trapCounts,
      long translate, long install, long all) {
    add(method, osrBci, bytes, trapCounts, translate, install, all);
    if (VERBOSE) {
      System.err.println("yieldpoint: compiled " + method.format("%H.%n(%p)%r") + " " + osrBci);
    }
  }

  private static synchronized void add(HotSpotResolvedJavaMethod method, int osrBci, int bytes,
      int[] trapCounts, long translate, long install, long all) {
    methods++;
    entries += osrBci >= 0 ? 1 : 0;
    bytecodeBytes += method.getCodeSize();
    codeBytes += bytes;
    translateNanos += translate;
    installNanos += install;
    nanos += all;
    for (int i = 0; i < traps.length; i++) {
      traps[i] += trapCounts[i];
    }
  }

  static void refused(HotSpotResolvedJavaMethod method, String why) {
    synchronized (Statistics.class) {
      count(REFUSALS, why);
    }
    if (VERBOSE) {
      System.err.println("yieldpoint: refused " + method.format("%H.%n(%p)%r") + ": " + why);
    }
  }

  /** Of each method that OPT2 was to compile; null: it did. */
  static void notOptimized(HotSpotResolvedJavaMethod method, String why) {
    if (why == null) {
      return;
    }
    synchronized (Statistics.class) {
      count(NOT_OPTIMIZED, why);
    }
    if (VERBOSE) {
      System.err.println(
          "yieldpoint: not optimized " + method.format("%H.%n(%p)%r") + ": " + why);
    }
  }

  static void failed(String what, Throwable why) {
    if (VERBOSE) {
      System.err.println("yieldpoint: " + what + ": " + why);
    }
  }

  private static synchronized String summary() {
    int refused = REFUSALS.values().stream().mapToInt(Integer::intValue).sum();
    StringBuilder text = new StringBuilder();
    text.append(String.format("yieldpoint: compiled %d methods (%d entries on the stack), refused"
        + " %d%n", methods, entries, refused));
    text.append(String.format("yieldpoint: %d bytes of bytecode, %d of code, %d ms of CPU time (%d"
        + " to translate, %d to install)%n", bytecodeBytes, codeBytes, nanos / 1_000_000,
        translateNanos / 1_000_000, installNanos / 1_000_000));
    for (Map.Entry<String, Integer> refusal : REFUSALS.entrySet()) {
      text.append(String.format("yieldpoint: refused %d: %s%n", refusal.getValue(),
          refusal.getKey()));
    }
    for (Map.Entry<String, Integer> reason : NOT_OPTIMIZED.entrySet()) {
      text.append(String.format("yieldpoint: not optimized %d: %s%n", reason.getValue(),
          reason.getKey()));
    }
    text.append(Inlining.summary());
    text.append("yieldpoint: traps in the code:").append(byReason(traps));
    text.append(String.format("%nyieldpoint: traps taken:")).append(byReason(Native.trapsTaken()));
    return text.toString();
  }

  private static String byReason(long[] counts) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < counts.length; i++) {
      text.append(String.format("%s %s %d", i == 0 ? "" : ",", TRAPS[i], counts[i]));
    }
    return text.toString();
  }
}
