package torture;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads that block in many frames and resume, in order and by exception, also pinned. */
public final class VirtualThreads implements Stressor {
  private static final class Interrupted extends RuntimeException {
    Interrupted(Throwable cause) {
      super(null, cause, false, false);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();

  static int leaf(int x) {
    return x * 3 + 1;
  }

  static void block(int way) {
    switch (way % 4) {
      case 0 -> Thread.yield();
      case 1 -> LockSupport.parkNanos(20_000);
      case 2 -> {
        try {
          Thread.sleep(0, 50_000);
        } catch (InterruptedException e) {
          throw new Interrupted(e);
        }
      }
      default -> pinned(way);
    }
  }

  static synchronized void pinned(int way) {
    if (way > 0) {
      Thread.yield();
    }
  }

  /** Thawed frame by frame while it returns or throws. */
  static int deep(int depth, int x, double y) {
    if (depth == 0) {
      block(x);
      if (x % 5 == 0) {
        throw new Interrupted(null);
      }
      return leaf(x);
    }
    int below = deep(depth - 1, x, y + 1);
    return below + leaf(depth) + (int) y;
  }

  private static int caught(int depth, int x) {
    try {
      return deep(depth, x, 0.5);
    } catch (Interrupted e) {
      return -depth;
    }
  }

  private long task(int number) {
    long checksum = 0;
    for (int i = 0; i < 6; i++) {
      checksum = Stressor.mix(checksum, caught((number + 7 * i) % 60, number + i));
      lock.lock();
      try {
        checksum = Stressor.mix(checksum, leaf(i));
        if (i == 3) {
          Thread.yield();
        }
      } finally {
        lock.unlock();
      }
    }
    return checksum;
  }

  private static long exchange(int n) throws InterruptedException {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
    Thread producer =
        Thread.startVirtualThread(
            () -> {
              for (int i = 0; i < n; i++) {
                try {
                  queue.put(leaf(i));
                } catch (InterruptedException e) {
                  throw new Interrupted(e);
                }
              }
            });
    long checksum = 0;
    for (int i = 0; i < n; i++) {
      checksum = Stressor.mix(checksum, leaf(queue.take()));
    }
    producer.join();
    return checksum;
  }

  @Override
  public long run(long seed, int round) throws InterruptedException {
    VirtualThreads subject = new VirtualThreads();
    AtomicLong sum = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      int number = i + (int) (seed & 0xff);
      threads.add(Thread.startVirtualThread(() -> sum.addAndGet(subject.task(number))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return Stressor.mix(sum.get(), exchange(150));
  }
}
