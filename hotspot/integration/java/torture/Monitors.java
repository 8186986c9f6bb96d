package torture;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Synchronised methods under contention, wait and notify, locks. */
public final class Monitors implements Stressor {
  private static final int THREADS = 4;

  private long inMonitor;
  private long inLock;
  private int turn;
  private final ReentrantLock lock = new ReentrantLock();

  synchronized void add(int x) {
    inMonitor += nested(x);
  }

  private synchronized int nested(int x) {
    return x + hashed(x);
  }

  private static synchronized int hashed(int x) {
    return x * 31 & 0xff;
  }

  private void addLocked(int x) {
    lock.lock();
    try {
      inLock += x;
    } finally {
      lock.unlock();
    }
  }

  private synchronized void takeTurns(int me) throws InterruptedException {
    while (turn % THREADS != me) {
      wait();
    }
    turn++;
    notifyAll();
  }

  private void work(int me) {
    try {
      for (int i = 0; i < 4000; i++) {
        add(i);
        addLocked(i ^ me);
        if (i % 100 == 0) {
          takeTurns(me);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long run(long seed, int round) throws InterruptedException {
    Monitors subject = new Monitors();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int me = i;
      threads.add(new Thread(() -> subject.work(me)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return Stressor.mix(Stressor.mix(subject.inMonitor, subject.inLock), subject.turn);
  }
}
