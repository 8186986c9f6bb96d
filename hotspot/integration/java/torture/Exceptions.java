package torture;

import java.util.Random;

/** Exceptions through many compiled frames, explicit and implicit. */
public final class Exceptions implements Stressor {
  private static final class Light extends RuntimeException {
    final int value;

    Light(int value) {
      super(null, null, false, false);
      this.value = value;
    }
  }

  private static final class Heavy extends Exception {
    final int value;

    Heavy(int value) {
      this.value = value;
    }
  }

  private static final class Node {
    int value = 1;
    Node next;

    int get() {
      return value;
    }
  }

  private int cleaned;

  int light(int depth, int value) {
    if (depth == 0) {
      throw new Light(value);
    }
    return light(depth - 1, value + depth) + 1;
  }

  int cleaning(int depth, int value) {
    if (depth == 0) {
      throw new Light(value);
    }
    try {
      return cleaning(depth - 1, value) + 1;
    } finally {
      cleaned += depth;
    }
  }

  int rethrowing(int depth, int value) throws Heavy {
    if (depth == 0) {
      throw new Heavy(value);
    }
    try {
      return rethrowing(depth - 1, value);
    } catch (Heavy e) {
      if (depth % 8 == 0) {
        throw new Heavy(e.value + depth);
      }
      throw e;
    }
  }

  synchronized int locked(int depth, int value) {
    return depth == 0 ? light(3, value) : locked(depth - 1, value + 1);
  }

  /** How many frames of this class the exception was thrown through. */
  private static int frames(Throwable thrown) {
    int frames = 0;
    for (StackTraceElement element : thrown.getStackTrace()) {
      if (element.getClassName().startsWith("torture.")) {
        frames++;
      }
    }
    return frames;
  }

  static int missing(Node node) {
    return node.get() + node.next.value;
  }

  static int element(int[] array, int index) {
    return array[index];
  }

  static int divide(int a, int b) {
    return a / b + a % b;
  }

  static String cast(Object object) {
    return (String) object;
  }

  static void store(Object[] array, Object value) {
    array[0] = value;
  }

  static int implicit(int n, Node[] nodes, int[] array, Object[] objects) {
    try {
      switch (n % 6) {
        case 0:
          return missing(nodes[n % nodes.length]);
        case 1:
          return element(array, n % (array.length + 3) - 1);
        case 2:
          return divide(n, n % 5);
        case 3:
          return cast(objects[n % objects.length]).length();
        case 4:
          store(n % 4 == 0 ? new Integer[1] : new Object[1], "x");
          return 3;
        default:
          return new byte[n % 7 - 1].length;
      }
    } catch (NullPointerException e) {
      return -1;
    } catch (ArrayIndexOutOfBoundsException e) {
      return -2;
    } catch (ArithmeticException e) {
      return -3;
    } catch (ClassCastException e) {
      return -4;
    } catch (ArrayStoreException e) {
      return -5;
    } catch (NegativeArraySizeException e) {
      return -6;
    }
  }

  @Override
  public long run(long seed, int round) {
    Exceptions subject = new Exceptions();
    Random random = new Random(seed);
    Node[] nodes = {new Node(), null, new Node(), new Node()};
    nodes[0].next = nodes[2];
    int[] array = new int[4];
    Object[] objects = {"a", "bc", 1, null};
    long checksum = 0;
    for (int n = 0; n < 6000; n++) {
      int depth = random.nextInt(24);
      try {
        checksum += n % 3 == 0 ? subject.locked(depth, n) : subject.light(depth, n);
      } catch (Light e) {
        checksum = Stressor.mix(checksum, e.value);
      }
      try {
        checksum += subject.cleaning(depth, n);
      } catch (Light e) {
        checksum = Stressor.mix(checksum, e.value + subject.cleaned);
      }
      if (n % 16 == 0) {
        try {
          checksum += subject.rethrowing(depth, n);
        } catch (Heavy e) {
          checksum = Stressor.mix(checksum, e.value * 100L + depth);
          if (depth < 8) {
            checksum = Stressor.mix(checksum, frames(e));
          }
        }
      }
      for (int i = 0; i < 12; i++) {
        checksum = Stressor.mix(checksum, implicit(n * 12 + i, nodes, array, objects));
      }
    }
    return checksum;
  }
}
