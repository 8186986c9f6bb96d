import java.util.ArrayDeque;
import java.util.function.Supplier;

/** Monitors of compiled code: what is said is the same on every JVM. */
public final class Monitors {
  private static final int ROUNDS = 30_000;
  private static final int THREADS = 4;
  private static long total;

  private long count;
  private int depth;

  private Monitors() {}

  public static void main(String[] arguments) {
    say("contended", Monitors::contended);
    say("handed over", Monitors::handedOver);
    say("recursive", Monitors::recursive);
    say("interleaved", Monitors::interleaved);
    say("more than fit", Monitors::moreThanFit);
    say("left by exceptions", Monitors::leftByExceptions);
    say("left to the interpreter", Monitors::leftToTheInterpreter);
    say("hashed while locked", Monitors::hashedWhileLocked);
    say("collected while locked", Monitors::collectedWhileLocked);
    say("held by a loop", Monitors::heldByALoop);
    say("held by nobody", Monitors::heldByNobody);
  }

  private static void say(String name, Supplier<Object> test) {
    System.out.println(name + ": " + test.get());
  }

  private interface Body {
    void run(int thread) throws InterruptedException;
  }

  private static void inThreads(Body body) {
    Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      int number = t;
      threads[t] = new Thread(() -> {
        try {
          body.run(number);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void free(Object lock) {
    if (Thread.holdsLock(lock)) {
      throw new IllegalStateException("still held");
    }
  }

  private synchronized long add(int by) {
    count += by;
    return count;
  }

  private static synchronized void addToAll(int by) {
    total += by;
  }

  /** Neither an increment is lost, nor do two threads see each other inside. */
  private static Object contended() {
    Monitors shared = new Monitors();
    int[] inside = new int[1];
    inThreads(thread -> {
      for (int i = 0; i < 10 * ROUNDS; i++) {
        shared.add(1);
        addToAll(2);
        synchronized (inside) {
          if (++inside[0] != 1) {
            throw new IllegalStateException("two are inside");
          }
          --inside[0];
        }
      }
    });
    return shared.count + " " + total;
  }

  private static final class Queue {
    private final ArrayDeque<Integer> items = new ArrayDeque<>();

    synchronized void put(int item) throws InterruptedException {
      while (items.size() >= 3) {
        wait();
      }
      items.add(item);
      notifyAll();
    }

    synchronized int take() throws InterruptedException {
      while (items.isEmpty()) {
        wait();
      }
      int item = items.remove();
      notifyAll();
      return item;
    }
  }

  private static Object handedOver() {
    Queue queue = new Queue();
    long[] sums = new long[THREADS];
    inThreads(thread -> {
      for (int i = 0; i < ROUNDS / 6; i++) {
        if (thread % 2 == 0) {
          queue.put(i * (thread + 1));
        } else {
          sums[thread] += queue.take();
        }
      }
    });
    long sum = 0;
    for (long one : sums) {
      sum += one;
    }
    return sum;
  }

  private synchronized int climb(int levels) {
    depth++;
    int result = levels == 0 ? depth : climb(levels - 1) + 1;
    depth--;
    return result;
  }

  private static Object recursive() {
    Monitors one = new Monitors();
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      sum += one.climb(i % 40);
      free(one);
    }
    return sum + " " + one.depth;
  }

  private static int interleave(Object a, Object b, int[] c, int i) {
    synchronized (a) {
      synchronized (b) {
        synchronized (a) {
          synchronized (c) {
            synchronized (b) {
              c[0] += i;
            }
          }
        }
        synchronized (a) {
          return c[0];
        }
      }
    }
  }

  private static Object interleaved() {
    Object a = new Object();
    Object b = new Object();
    int[] c = new int[1];
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      if (i % 100 == 0) {
        a = new Object();
        b = new Object();
      }
      sum += interleave(a, b, c, i);
      free(a);
      free(b);
      free(c);
    }
    return sum;
  }

  private static int lockAll(Object[] locks, int from) {
    if (from == locks.length) {
      return 1;
    }
    synchronized (locks[from]) {
      return lockAll(locks, from + 1) + (Thread.holdsLock(locks[locks.length - 1]) ? 1 : 0);
    }
  }

  private static Object moreThanFit() {
    long sum = 0;
    for (int i = 0; i < ROUNDS / 4; i++) {
      Object[] locks = new Object[2 + i % 20];
      for (int k = 0; k < locks.length; k++) {
        locks[k] = k % 5 == 4 ? locks[k - 1] : new Object();
      }
      sum += lockAll(locks, 0);
      for (Object lock : locks) {
        free(lock);
      }
    }
    return sum;
  }

  private synchronized int divide(int a, int b) {
    count++;
    return a / b;
  }

  private static synchronized int pick(int[] from, int i) {
    synchronized (from) {
      return from[i];
    }
  }

  private int throwing(int i) {
    synchronized (this) {
      if (i % 3 == 0) {
        throw new IllegalArgumentException();
      }
      return divide(i, i % 4);
    }
  }

  private static Object leftByExceptions() {
    Monitors one = new Monitors();
    int[] few = {1, 2, 3};
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      try {
        sum += one.throwing(i);
        sum += pick(few, i % 5);
      } catch (IllegalArgumentException e) {
        sum += 1000;
      } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
        sum += e.getMessage().length();
      }
      free(one);
      free(few);
      free(Monitors.class);
    }
    return sum + " " + one.count;
  }

  /** What is caught while monitors are held: the interpreter goes on with them. */
  private static int goOn(Object a, int[] b, int i) {
    int result = 0;
    synchronized (a) {
      synchronized (b) {
        try {
          b[i & 3] = i;
          result = 10 / (i % 3);
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
          result = Thread.holdsLock(a) && Thread.holdsLock(b) ? -1 : -1_000_000;
        }
        synchronized (a) {
          result++;
        }
      }
      if (!Thread.holdsLock(a) || Thread.holdsLock(b)) {
        result = -1_000_000;
      }
    }
    return result;
  }

  private static Object leftToTheInterpreter() {
    Object a = new Object();
    int[] b = new int[3];
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      sum += goOn(a, b, i);
      free(a);
      free(b);
    }
    return sum;
  }

  private static boolean hash(Object lock, int i) {
    synchronized (lock) {
      int inside = i % 2 == 0 ? System.identityHashCode(lock) : 0;
      synchronized (lock) {
        return inside == 0 || inside == System.identityHashCode(lock);
      }
    }
  }

  private static Object hashedWhileLocked() {
    int same = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Object lock = new Object();
      int before = i % 3 == 0 ? System.identityHashCode(lock) : 0;
      same += hash(lock, i) ? 1 : 0;
      same += before == 0 || before == System.identityHashCode(lock) ? 1 : 0;
      free(lock);
    }
    return same;
  }

  private static int allocate(Object lock, int i) {
    synchronized (lock) {
      int[][] garbage = new int[20][];
      for (int k = 0; k < garbage.length; k++) {
        garbage[k] = new int[i % 100];
      }
      synchronized (garbage) {
        return garbage[19].length + (Thread.holdsLock(lock) ? 1 : 0);
      }
    }
  }

  private static Object collectedWhileLocked() {
    Object old = new Object();
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Object lock = i % 2 == 0 ? old : new Object();
      sum += allocate(lock, i);
      free(lock);
    }
    return sum;
  }

  /** Entered on the stack, in a loop that holds monitors of the interpreter's. */
  private static Object heldByALoop() {
    Object a = new Object();
    int[] b = new int[1];
    long sum = 0;
    synchronized (a) {
      synchronized (b) {
        for (int i = 0; i < 50 * ROUNDS; i++) {
          synchronized (a) {
            sum = sum * 31 + i;
          }
          synchronized (b) {
            b[0] ^= (int) sum;
          }
        }
      }
      sum += Thread.holdsLock(a) && !Thread.holdsLock(b) ? 0 : 1;
    }
    free(a);
    return sum + " " + b[0];
  }

  /** Null has no monitor; neither has one been entered then. */
  private static Object heldByNobody() {
    int caught = 0;
    Object outer = new Object();
    for (int i = 0; i < ROUNDS; i++) {
      Object inner = i % 16 == 0 ? null : outer;
      try {
        synchronized (outer) {
          synchronized (inner) {
            caught += 0;
          }
        }
      } catch (NullPointerException e) {
        caught++;
      }
      free(outer);
    }
    return caught;
  }
}
