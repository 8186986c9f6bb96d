package torture;

/**
 * Runs out of stack in small compiled frames, in locks and through virtual calls. What is left
 * undone by a frame that was cut off shows in the checksum; how deep it went does not.
 */
public final class Overflow implements Stressor {
  private static class Descent {
    private int balance;
    private int locked;
    private Descent other;

    int plain(int x) {
      return 1 + plain(x + 1);
    }

    int balanced(int x) {
      balance++;
      try {
        return other.turn(x + 1, x * 0.5) + 1;
      } finally {
        balance--;
      }
    }

    int turn(int x, double y) {
      return y < 0 ? x : balanced(x + 1);
    }

    synchronized int locking(int x) {
      locked++;
      try {
        return other.locking(x + 1) ^ x;
      } finally {
        locked--;
      }
    }

    int wide(long a, long b, double c, double d, Object e, int x) {
      return wide(b, a + 1, d, c + 1, this, x + 1) + (int) (a ^ b) + (int) (c - d);
    }
  }

  private static final class Turning extends Descent {
    @Override
    int turn(int x, double y) {
      return balanced(x - 1) + (int) y;
    }
  }

  private static void descend(Descent descent, int way) {
    switch (way % 4) {
      case 0:
        descent.plain(0);
        break;
      case 1:
        descent.balanced(0);
        break;
      case 2:
        descent.locking(0);
        break;
      default:
        descent.wide(1, 2, 3, 4, null, 0);
    }
  }

  static int steady(int x) {
    return x < 2 ? x : steady(x - 1) + (steady(x - 2) & 7);
  }

  private static long overflow(long seed) {
    Descent one = new Descent();
    Descent two = new Turning();
    one.other = two;
    two.other = one;
    long checksum = seed;
    for (int i = 0; i < 12; i++) {
      try {
        descend(i % 2 == 0 ? one : two, i + (int) (seed & 3));
        checksum = -1;
      } catch (StackOverflowError e) {
        checksum = Stressor.mix(checksum, i);
      }
      checksum = Stressor.mix(checksum, one.balance + two.balance + one.locked + two.locked);
      checksum = Stressor.mix(checksum, Thread.holdsLock(one) || Thread.holdsLock(two) ? 1 : 0);
      checksum = Stressor.mix(checksum, steady(15 + i % 4));
    }
    return checksum;
  }

  @Override
  public long run(long seed, int round) throws InterruptedException {
    long[] checksum = {0};
    long stackBytes = 192 * 1024 + (seed & 3) * 128 * 1024;
    Thread thread = new Thread(null, () -> checksum[0] = overflow(seed), "overflow", stackBytes);
    thread.start();
    thread.join();
    return checksum[0];
  }
}
