/** Threads that another one stops while they allocate. A lock that they left is free for others. */
public final class Stopped {
  private static final int ROUNDS = 200;
  private static final int STEPS_BEFORE = 20_000;

  static Object last;
  // So that collections take long, and threads are stopped in them.
  static final Object[] LIVE = new Object[300_000];
  static int count;

  private Stopped() {}

  static void enter(Object lock) {
    synchronized (lock) {
      count++;
    }
  }

  static void step(Object lock) {
    last = new long[8];
    enter(lock);
  }

  static void run(Object lock) {
    try {
      while (true) {
        step(lock);
      }
    } catch (ThreadDeath e) {
      last = e;
    }
  }

  @SuppressWarnings({"deprecation", "removal"})
  public static void main(String[] arguments) throws InterruptedException {
    for (int i = 0; i < LIVE.length; i++) {
      LIVE[i] = new Object[2];
    }
    Object lock = new Object();
    for (int i = 0; i < STEPS_BEFORE; i++) {
      step(lock);
      if (i % 200 == 0) {
        Thread.sleep(1);
      }
    }
    for (int i = 0; i < ROUNDS; i++) {
      Thread thread = new Thread(() -> run(lock));
      thread.start();
      Thread.sleep(1 + i % 3);
      thread.stop();
      thread.join();
      enter(lock);
    }
    System.out.println("all stopped");
  }
}
