package programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The same methods in eight threads at once, then in thousands of short threads. */
public final class Threads {
  static final AtomicLong TOTAL = new AtomicLong();

  static int leaf(int x) {
    return x * 31 + 7;
  }

  static int branch(int x) {
    return leaf(x) + leaf(x + 1); //> Threads.leaf 1600000, Threads.leaf 1600000
  }

  static void work() {
    int sum = 0;
    for (int i = 0; i < 200000; i++) {
      sum += branch(i); //> Threads.branch 1600000
    }
    TOTAL.addAndGet(sum);
  }

  static void shortWork() {
    for (int i = 0; i < 10; i++) {
      TOTAL.addAndGet(leaf(i)); //> Threads.leaf 30000
    }
  }

  /** The VM calls run. */
  static final class Worker extends Thread {
    @Override
    public void run() { //< Worker.run (root) 4
      work(); //> Threads.work 4
    }
  }

  static final class Task implements Runnable {
    @Override
    public void run() { //< Task.run java.lang.Thread.run|java.lang.Thread.runWith 4
      work(); //> Threads.work 4
    }
  }

  public static void main(String[] args) throws InterruptedException { //< Threads.main (root) 1
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(new Worker()); //> Worker.<init> 4
      threads.add(new Thread(new Task())); //> Task.<init> 4
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // At most sixteen at a time.
    for (int round = 0; round < 188; round++) {
      threads.clear();
      for (int i = 0; i < 16 && round * 16 + i < 3000; i++) {
        threads.add(new Thread(Threads::shortWork));
      }
      for (Thread thread : threads) {
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    System.out.println(TOTAL);
  }
  //< Threads.<clinit> (root) 1
  //< Threads.shortWork java.lang.Thread.run|java.lang.Thread.runWith 3000
}
