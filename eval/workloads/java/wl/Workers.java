package wl;

/** Threads that share one job. */
final class Workers {
  private Workers() {}

  interface Job {
    void run(int worker) throws Exception;
  }

  /** Runs the job in {@code count} new threads; waits for all; rethrows what one of them threw. */
  static void run(int count, Job job) throws Exception {
    Thread[] threads = new Thread[count];
    Throwable[] failure = new Throwable[1];
    for (int i = 0; i < count; i++) {
      int worker = i;
      threads[i] =
          new Thread(
              () -> {
                try {
                  job.run(worker);
                } catch (Throwable thrown) {
                  failure[0] = thrown;
                }
              },
              "wl-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure[0] != null) {
      throw new RuntimeException(failure[0]);
    }
  }
}
