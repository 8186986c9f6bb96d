package torture;

import java.util.concurrent.atomic.AtomicLong;

/** Threads that end before a profiler has got used to them. */
public final class ShortThreads implements Stressor {
  static int work(int x) {
    return x < 2 ? 1 : work(x - 1) + work(x - 2);
  }

  @Override
  public long run(long seed, int round) throws InterruptedException {
    AtomicLong sum = new AtomicLong();
    for (int i = 0; i < 40; i++) {
      int n = i;
      Thread[] threads = new Thread[3];
      for (int t = 0; t < threads.length; t++) {
        threads[t] = new Thread(() -> sum.addAndGet(work(n % 14)));
        threads[t].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    return Stressor.mix(seed, sum.get());
  }
}
