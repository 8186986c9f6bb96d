package yieldpoint;

import java.util.function.Consumer;

/**
 * Tells Yieldpoint's agent in this JVM which tests run. Without the agent nothing happens.
 *
 * <p>Tests may overlap, as they do when they run in parallel: what is reached while several run
 * counts for each of them.
 */
public final class Tests {
  private Tests() {}

  /** A test of that name begins, beside those that run. */
  public static void begun(String name) {
    tell(Tests::begin, name);
  }

  /** The latest test of that name ends; nothing happens if none runs. */
  public static void ended(String name) {
    tell(Tests::end, name);
  }

  /** What runs from now on prepares the next test that begins, and counts as reached by that. */
  public static void preparing() {
    tell(Tests::prepare, "");
  }

  /** What runs from now on prepares no test. */
  public static void resting() {
    tell(Tests::rest, "");
  }

  private static void tell(Consumer<String> agent, String name) {
    try {
      agent.accept(name);
    } catch (UnsatisfiedLinkError noAgent) {
      // Nothing is recorded.
    }
  }

  private static native void begin(String name);

  private static native void end(String name);

  private static native void prepare(String none);

  private static native void rest(String none);
}
