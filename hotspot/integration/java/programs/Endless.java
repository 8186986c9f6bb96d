package programs;

import java.io.IOException;

/** Calls the same few methods again and again until its input ends. */
public final class Endless {
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
      }
    });
    worker.setDaemon(true);
    worker.start();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Goes on.
    }
  }
}
