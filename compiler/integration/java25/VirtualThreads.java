import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads leave their carriers with frames of compiled code below, and monitors held. */
public final class VirtualThreads {
  private static final int THREADS = 100;
  private static final int STEPS = 120;
  private static final Object LOCK = new Object();
  private static final ReentrantLock OTHER = new ReentrantLock();
  private static int shared;
  private static long sum;

  private VirtualThreads() {}

  private static synchronized void step(int i) {
    shared += i;
    if (i % 50 == 0) {
      Thread.yield();
    }
  }

  private static int deep(int depth, int thread) {
    if (depth == 0) {
      Thread.yield();
      return thread;
    }
    return deep(depth - 1, thread) * 3 + new int[] {depth}[0];
  }

  private static int work(int thread, Object own) throws InterruptedException {
    int result = 0;
    for (int i = 0; i < STEPS; i++) {
      step(i);
      synchronized (own) {
        synchronized (LOCK) {
          sum += i ^ thread;
          if (i % 60 == 0) {
            Thread.yield();
          }
          if (i % 100 == 3) {
            LOCK.wait(1);
          }
        }
        result += deep(i % 20, thread);
      }
      OTHER.lock();
      try {
        result ^= i;
      } finally {
        OTHER.unlock();
      }
    }
    return result;
  }

  public static void main(String[] arguments) throws Exception {
    for (int round = 0; round < 3; round++) {
      long hash = 0;
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          int thread = t;
          results.add(threads.submit(() -> work(thread, new Object())));
        }
        for (Future<Integer> result : results) {
          hash = hash * 31 + result.get();
        }
      }
      System.gc();
      System.out.println(hash + " " + shared + " " + sum);
    }
  }
}
