package torture;

import agents.Redefiner;
import java.util.function.IntUnaryOperator;

/**
 * Redefines classes whose methods are hot, and while they are on the stack. Each round has its own
 * copy of the class that changes; a class that all rounds share is replaced by itself.
 */
public final class Redefinitions implements Stressor {
  /** Changes: its constants are others after each redefinition. */
  public static final class Changing implements IntUnaryOperator {
    public Runnable inside;

    static int constant() {
      return 12345;
    }

    int step(int x) {
      return x * 7 + constant();
    }

    @Override
    public int applyAsInt(int x) {
      int before = step(x);
      if (inside != null) {
        Runnable once = inside;
        inside = null;
        once.run();
      }
      return (before ^ step(before)) + 12345;
    }
  }

  static final class Shared {
    static int step(int x) {
      return x * 5 + 2;
    }
  }

  private static final int SIPUSH = 0x11;

  /** The class with its numbers plus `delta`. */
  private static byte[] version(int delta) {
    byte[] bytes = Throwaway.bytes(Changing.class.getName());
    for (int i = 0; i + 2 < bytes.length; i++) {
      if (bytes[i] == SIPUSH && bytes[i + 1] == (byte) 0x30 && bytes[i + 2] == (byte) 0x39) {
        bytes[i + 2] += delta;
      }
    }
    return bytes;
  }

  private static void redefine(Class<?> type, byte[] bytes) {
    try {
      Redefiner.redefine(type, bytes);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static long drive(IntUnaryOperator subject, int n) {
    long checksum = 0;
    for (int i = 0; i < n; i++) {
      checksum = Stressor.mix(checksum, subject.applyAsInt(i) + Shared.step(i));
    }
    return checksum;
  }

  @Override
  public long run(long seed, int round) throws Exception {
    IntUnaryOperator subject =
        (IntUnaryOperator) new Throwaway(Changing.class).create(Changing.class);
    Class<?> type = subject.getClass();
    long checksum = drive(subject, 4000);
    for (int i = 1; i <= 3; i++) {
      byte[] next = version(i);
      if (i == 2) {
        type.getField("inside").set(subject, (Runnable) () -> redefine(type, next));
      } else {
        redefine(type, next);
      }
      checksum = Stressor.mix(checksum, drive(subject, 4000));
    }
    redefine(Shared.class, Throwaway.bytes(Shared.class.getName()));
    Redefiner.retransform(Loaders.class);
    return Stressor.mix(checksum, drive(subject, 2000));
  }
}
