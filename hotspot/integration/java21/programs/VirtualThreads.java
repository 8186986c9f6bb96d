package programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Ten thousand virtual threads, some of which block half-way through their calls. */
public final class VirtualThreads {
  static final AtomicLong TOTAL = new AtomicLong();

  static int leaf(int x) {
    return x + 1;
  }

  static int parking(int x) {
    LockSupport.parkNanos(100_000);
    return leaf(x); //> VirtualThreads.leaf 10000
  }

  static int yielding(int x) {
    Thread.yield();
    return leaf(x); //> VirtualThreads.leaf 10000
  }

  static void task() { //< VirtualThreads.task java.lang.Thread.runWith 10000
    int sum = 0;
    for (int i = 0; i < 20; i++) {
      sum += leaf(i); //> VirtualThreads.leaf 200000
    }
    sum += parking(1); //> VirtualThreads.parking 10000
    sum += leaf(2); //> VirtualThreads.leaf 10000
    sum += yielding(3); //> VirtualThreads.yielding 10000
    sum += leaf(4); //> VirtualThreads.leaf 10000
    TOTAL.addAndGet(sum);
  }

  /** Depth makes continuations thaw frame by frame, through return barriers. */
  static int deep(int depth) {
    if (depth == 0) {
      Thread.yield();
      return leaf(0); //> VirtualThreads.leaf 5000
    }
    int below = deep(depth - 1); //> VirtualThreads.deep 250000
    return below + leaf(depth); //> VirtualThreads.leaf 250000
  }

  static void deepTask() { //< VirtualThreads.deepTask java.lang.Thread.runWith 50
    for (int i = 0; i < 100; i++) {
      TOTAL.addAndGet(deep(50)); //> VirtualThreads.deep 5000
    }
  }

  static void exchange(int n) throws InterruptedException {
    SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    Thread producer =
        Thread.startVirtualThread(
            () -> {
              for (int i = 0; i < n; i++) {
                try {
                  queue.put(leaf(i)); //> VirtualThreads.leaf 1000
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    for (int i = 0; i < n; i++) {
      TOTAL.addAndGet(leaf(queue.take())); //> VirtualThreads.leaf 1000
    }
    producer.join();
  }
  //< VirtualThreads.<clinit> (root) 1
  //< VirtualThreads.lambda$exchange$* java.lang.Thread.runWith 1

  static void all(int n, Runnable body) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      threads.add(Thread.startVirtualThread(body));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  public static void main(String[] args) throws InterruptedException { //< VirtualThreads.main (root) 1
    all(10000, VirtualThreads::task); //> VirtualThreads.all 1
    all(50, VirtualThreads::deepTask); //> VirtualThreads.all 1
    exchange(1000); //> VirtualThreads.exchange 1
    System.out.println(TOTAL);
  }
}
