package programs;

import java.util.Map;
import java.util.TreeSet;

/**
 * Prints what it sees of its JVM while it works for so many milliseconds: threads, and classes in
 * the stacks of all. With "-" it works until its input ends, and looks at nothing.
 */
public final class Stacks {
  static volatile boolean done;

  static int leaf(int x) {
    return x + 1;
  }

  static int work(int x) {
    return leaf(x) + leaf(x + 1);
  }

  static void run() {
    int sum = 0;
    while (!done) {
      sum += work(sum);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread worker = new Thread(Stacks::run, "worker");
    worker.start();
    TreeSet<String> threads = new TreeSet<>();
    TreeSet<String> classes = new TreeSet<>();
    boolean looks = !args[0].equals("-");
    long end = System.nanoTime() + (looks ? Long.parseLong(args[0]) * 1_000_000 : 0);
    while (!looks && System.in.read() >= 0) {
      // What comes is of no interest.
    }
    while (looks && System.nanoTime() < end) {
      for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
        threads.add(entry.getKey().getName());
        for (StackTraceElement frame : entry.getValue()) {
          classes.add(frame.getClassName());
        }
      }
    }
    done = true;
    worker.join();
    for (String thread : threads) {
      System.out.println("thread " + thread);
    }
    for (String type : classes) {
      System.out.println("class " + type);
    }
  }
}
