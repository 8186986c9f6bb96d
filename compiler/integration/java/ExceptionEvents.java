/** Throws and catches what an agent counts, in methods that were compiled before it wanted to know. */
public final class ExceptionEvents {
  private static final int CALLS_BEFORE = 6_000;
  private static final int CALLS = 300;
  private static final int[] NONE = {};
  private static final int[] CALLED = {0};

  private ExceptionEvents() {}

  private static native void tell(boolean on);

  private static native int thrown();

  private static native int caught();

  private static int here(int i) {
    try {
      if (i >= 0) {
        throw new IllegalStateException();
      }
    } catch (IllegalStateException e) {
      return 1;
    }
    return 0;
  }

  private static int throwing(int i) {
    if (i >= 0) {
      throw new IllegalArgumentException();
    }
    return 1;
  }

  private static int passing(int i) {
    return throwing(i) + 1;
  }

  private static int inCallee(int i) {
    try {
      return passing(i);
    } catch (IllegalStateException e) {
      return 1;
    } catch (IllegalArgumentException e) {
      return 2;
    }
  }

  private static synchronized int rethrowing(int i) {
    try {
      return NONE[i];
    } finally {
      CALLED[0]++;
    }
  }

  private static int byInstruction(int i) {
    try {
      return rethrowing(i);
    } catch (ArrayIndexOutOfBoundsException e) {
      return 1;
    }
  }

  private static int all(int i) {
    return here(i) + inCallee(i) + byInstruction(i);
  }

  public static void main(String[] arguments) throws InterruptedException {
    System.load(arguments[0]);
    int sum = 0;
    for (int i = 0; i < CALLS_BEFORE; i++) {
      sum += all(i);
      if (i % 100 == 0) {
        Thread.sleep(3);
      }
    }
    tell(true);
    for (int i = 0; i < CALLS; i++) {
      sum += all(i);
    }
    tell(false);
    int thrown = thrown();
    int caught = caught();
    for (int i = 0; i < CALLS; i++) {
      sum += all(i);
    }
    System.out.println(sum + " " + thrown + " " + caught + " " + (thrown() == thrown));
  }
}
