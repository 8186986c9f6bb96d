package yieldpoint.compiler;

import java.util.List;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/** What was decided about calls, counted by reason. */
final class Inlining {
  // Of each decision of Native.compile: caller or -1, bytecode index, callee or -1, reason, flags.
  private static final int NUMBERS = 5;
  private static final int IS_INLINED = 1;
  private static final int IS_GUARDED = 2;

  private static final String[] REASONS = Native.inlineReasons();
  private static final long[] inlined = new long[REASONS.length];
  private static final long[] guarded = new long[REASONS.length];
  private static final long[] refused = new long[REASONS.length];

  private Inlining() {}

  static void decided(HotSpotResolvedJavaMethod method,
      List<ResolvedJavaMethod> methods, int[] decisions) {
    for (int i = 0; i < decisions.length; i += NUMBERS) {
      int reason = decisions[i + 3];
      int flags = decisions[i + 4];
      boolean isInlined = (flags & IS_INLINED) != 0;
      boolean isGuarded = (flags & IS_GUARDED) != 0;
      synchronized (Inlining.class) {
        (isInlined ? inlined : refused)[reason]++;
        guarded[reason] += isGuarded ? 1 : 0;
      }
      if (Statistics.VERBOSE) {
        ResolvedJavaMethod caller = decisions[i] < 0 ? method : methods.get(decisions[i]);
        String callee =
            decisions[i + 2] < 0 ? "a call" : methods.get(decisions[i + 2]).format("%H.%n(%p)%r");
        System.err.println("yieldpoint: " + (isInlined ? "inlined " : "not inlined ") + callee
            + " at " + caller.format("%H.%n(%p)%r") + ":" + decisions[i + 1] + ": "
            + REASONS[reason] + (isGuarded ? ", guarded" : ""));
      }
    }
  }

  /** Two lines; empty where nothing was decided. */
  static synchronized String summary() {
    long ofInlined = sum(inlined);
    long ofRefused = sum(refused);
    if (ofInlined + ofRefused == 0) {
      return "";
    }
    return String.format("yieldpoint: inlined %d calls, %d guarded:%s%n"
        + "yieldpoint: not inlined %d calls:%s%n", ofInlined, sum(guarded),
        byReason(inlined, guarded), ofRefused, byReason(refused, null));
  }

  private static long sum(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  private static String byReason(long[] counts, long[] ofThem) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        text.append(text.length() == 0 ? " " : ", ").append(REASONS[i]).append(' ')
            .append(counts[i]);
        if (ofThem != null && ofThem[i] != 0) {
          text.append(" (").append(ofThem[i]).append(" guarded)");
        }
      }
    }
    return text.toString();
  }
}
