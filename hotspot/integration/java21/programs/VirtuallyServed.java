package programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Makes the same calls on virtual threads, which change their carriers, for each line of input. */
public final class VirtuallyServed {
  static final AtomicLong TOTAL = new AtomicLong();

  static int leaf(int x) {
    return x * 5 + 1;
  }

  /** Never called: gives the call sites below high numbers. */
  static int manySites(int sum) {
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    sum += leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum) + leaf(sum);
    return sum;
  }

  static void task() { //< VirtuallyServed.task java.lang.Thread.runWith 200
    int sum = 0;
    for (int i = 0; i < 50; i++) {
      sum += leaf(i); //> VirtuallyServed.leaf 10000
      Thread.yield();
      sum += leaf(sum); //> VirtuallyServed.leaf 10000
    }
    TOTAL.addAndGet(sum);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    while (in.readLine() != null) {
      TOTAL.set(0);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        threads.add(Thread.startVirtualThread(VirtuallyServed::task));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(TOTAL.get());
    }
  }
}
