package programs;

import java.io.IOException;

/**
 * Calls the same few methods again and again until its input ends. For each line it goes once more
 * through all of them, and says so.
 */
public final class Endless {
  private static volatile long rounds = 0;

  interface Next {
    int next(int x);
  }

  static final class One implements Next {
    @Override
    public int next(int x) {
      return x + 1;
    }
  }

  static final class Two implements Next {
    @Override
    public int next(int x) {
      return x + 2;
    }
  }

  static int step(Next next, int x) {
    return next.next(x);
  }

  public static void main(String[] arguments) throws IOException {
    Next one = new One();
    Next two = new Two();
    Thread worker = new Thread(() -> {
      for (int x = 0; ; ) {
        x = step(one, x);
        x = step(two, x);
        rounds = rounds + 1;
      }
    });
    worker.setDaemon(true);
    worker.start();
    System.out.println("ready");
    for (int read; (read = System.in.read()) >= 0; ) {
      if (read != '\n') continue;
      // The first of them had begun before.
      for (long end = rounds + 2; rounds < end; ) Thread.yield();
      System.out.println("went on");
    }
  }
}
