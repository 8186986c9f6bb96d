/**
 * Methods that become hot while no object can be made: the compiler has no memory, either. Some become
 * hot before that. With an argument none does, and there is room for a few small objects: JVMCI makes
 * some before it asks the compiler.
 */
public final class HeapFull {
  private static final int CALLS_BEFORE = 20_000;
  private static final int CALLS = 200_000;
  private static final int METHODS = 6;

  static Object[] kept;
  static long sum;

  private HeapFull() {}

  static int hot0(int x) {
    return (x * 3 >>> 1) ^ x;
  }

  static int hot1(int x) {
    return (x * 5 >>> 2) ^ x + 1;
  }

  static int hot2(int x) {
    return (x * 7 >>> 3) ^ x + 2;
  }

  static int hot3(int x) {
    return (x * 9 >>> 4) ^ x + 3;
  }

  static int hot4(int x) {
    return (x * 11 >>> 5) ^ x + 4;
  }

  static int hot5(int x) {
    return (x * 13 >>> 6) ^ x + 5;
  }

  static void call(int which) {
    for (int i = 0; i < CALLS; i++) {
      switch (which) {
        case 0: sum += hot0(i); break;
        case 1: sum += hot1(i); break;
        case 2: sum += hot2(i); break;
        case 3: sum += hot3(i); break;
        case 4: sum += hot4(i); break;
        case 5: sum += hot5(i); break;
        default:
      }
    }
  }

  /** Until no object of that many elements can be made. */
  static void fill(int smallest) {
    for (int length = 1 << 20; length >= smallest; length /= 2) {
      try {
        while (true) {
          Object[] next = new Object[length];
          next[0] = kept;
          kept = next;
        }
      } catch (OutOfMemoryError e) {
        // On with smaller ones.
      }
    }
  }

  static int warm(int i) {
    return i * 7 + 1;
  }

  public static void main(String[] arguments) throws InterruptedException {
    for (int i = 0; i < CALLS_BEFORE && arguments.length == 0; i++) {
      sum += warm(i);
      if (i % 200 == 0) {
        Thread.sleep(2);
      }
    }
    for (int which = 0; which < METHODS; which++) {
      fill(arguments.length == 0 ? 2 : 256);
      call(which);
      kept = null;
    }
    System.out.println("sum " + sum);
  }
}
