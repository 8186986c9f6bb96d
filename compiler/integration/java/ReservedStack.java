import jdk.internal.vm.annotation.ReservedStackAccess;

/** Overflows of the stack, again and again in a method that may then use its reserved zone. */
public final class ReservedStack {
  private static final int ROUNDS = 40;
  private static final int CALLS_BEFORE = 10_000;
  private static final int CALLEES = 8; // Their frames fit in the zone, interpreted as well.

  static int begun;
  static int ended;

  private ReservedStack() {}

  static int use(int callees) {
    return callees == 0 ? 0 : 1 + use(callees - 1);
  }

  @ReservedStackAccess
  static void critical() {
    begun++;
    use(CALLEES);
    ended++;
  }

  static int overflow(int n) {
    critical();
    return 1 + overflow(n + 1);
  }

  /** So that the stack ends elsewhere in each round. */
  static int from(int depth) {
    return depth == 0 ? overflow(0) : 1 + from(depth - 1);
  }

  public static void main(String[] arguments) throws InterruptedException {
    for (int i = 0; i < CALLS_BEFORE; i++) {
      critical();
      if (i % 200 == 0) {
        Thread.sleep(1);
      }
    }
    int cutShort = 0;
    for (int i = 0; i < ROUNDS; i++) {
      begun = 0;
      ended = 0;
      try {
        from(i);
      } catch (StackOverflowError e) {
        cutShort += begun == ended ? 0 : 1;
      }
    }
    System.out.println("cut short: " + cutShort);
  }
}
