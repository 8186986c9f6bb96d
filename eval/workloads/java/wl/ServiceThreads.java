package wl;

import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Formulas are computed by a thread for each request, which lives for some milliseconds: a virtual
 * thread where the JDK has them (21 and later), else one of the system's. Beside them two threads are
 * busy that live as long as the program, each with a fixed amount of work in an iteration.
 */
public final class ServiceThreads implements Workload {
  private static final int REQUESTS = 1000;
  private static final int AT_ONCE = 16;
  private static final int STEPS = 20;
  private static final int BUSY = 2;
  private static final int BUSY_ROUNDS = 8000;

  private static final LongAdder SERVE = Counts.of("wl.ServiceThreads$Request.serve()J");
  private static final LongAdder STEP = Counts.of("wl.ServiceThreads.step(JI)J");
  private static final LongAdder ROUND = Counts.of("wl.ServiceThreads$Miner.round(I)J");
  private static final LongAdder HASH = Counts.of("wl.ServiceThreads.hash(J)J");

  private final AtomicLong sum = new AtomicLong();
  private final Semaphore places = new Semaphore(AT_ONCE);
  private final Formula[] formulas = new Formula[8];
  private final Miner[] miners = new Miner[BUSY];
  private ThreadFactory threads;

  @Override
  public void setup(Path data) throws Exception {
    threads = threadFactory();
    for (int i = 0; i < formulas.length; i++) {
      formulas[i] = formula(i + 1, 5);
    }
    for (int i = 0; i < BUSY; i++) {
      miners[i] = new Miner(i);
      Thread thread = new Thread(miners[i], "wl-miner-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** By reflection: this is compiled for Java 11. */
  private static ThreadFactory threadFactory() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return (ThreadFactory)
          Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      return Executors.defaultThreadFactory();
    }
  }

  @Override
  public long run() throws Exception {
    sum.set(0);
    CountDownLatch done = new CountDownLatch(REQUESTS + BUSY);
    for (Miner miner : miners) {
      miner.orders.add(done);
    }
    for (int i = 0; i < REQUESTS; i++) {
      places.acquire();
      threads.newThread(new Request(i, done)).start();
    }
    done.await();
    return sum.get();
  }

  /** A formula of sums, products and mixtures, the same for the same numbers. */
  private static Formula formula(int seed, int depth) {
    if (depth == 0) {
      return seed % 3 == 0 ? new Number(seed) : new Variable();
    }
    Formula left = formula(seed * 7 + 1, depth - 1);
    Formula right = formula(seed * 5 + 2, depth - 1);
    switch (Math.floorMod(seed, 3)) {
      case 0:
        return new Sum(left, right);
      case 1:
        return new Product(left, right);
      default:
        return new Mixture(left, right);
    }
  }

  private long step(long x, int number) {
    STEP.increment();
    return formulas[number % formulas.length].of(x + number);
  }

  private interface Formula {
    long of(long x);
  }

  private static final class Number implements Formula {
    private final long value;

    Number(long value) {
      this.value = value;
    }

    @Override
    public long of(long x) {
      return value;
    }
  }

  private static final class Variable implements Formula {
    @Override
    public long of(long x) {
      return x;
    }
  }

  private static final class Sum implements Formula {
    private final Formula left;
    private final Formula right;

    Sum(Formula left, Formula right) {
      this.left = left;
      this.right = right;
    }

    @Override
    public long of(long x) {
      return left.of(x) + right.of(x + 1);
    }
  }

  private static final class Product implements Formula {
    private final Formula left;
    private final Formula right;

    Product(Formula left, Formula right) {
      this.left = left;
      this.right = right;
    }

    @Override
    public long of(long x) {
      return left.of(x) * right.of(x - 1);
    }
  }

  private static final class Mixture implements Formula {
    private final Formula left;
    private final Formula right;

    Mixture(Formula left, Formula right) {
      this.left = left;
      this.right = right;
    }

    @Override
    public long of(long x) {
      return hash(left.of(x)) ^ right.of(x);
    }
  }

  private static long hash(long x) {
    HASH.increment();
    long y = x;
    for (int i = 0; i < 8; i++) {
      y = (y ^ (y >>> 30)) * 0xBF58476D1CE4E5B9L + i;
    }
    return y;
  }

  private final class Request implements Runnable {
    private final int number;
    private final CountDownLatch done;

    Request(int number, CountDownLatch done) {
      this.number = number;
      this.done = done;
    }

    @Override
    public void run() {
      try {
        sum.addAndGet(serve());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        places.release();
        done.countDown();
      }
    }

    /** Works, waits and works again. */
    private long serve() throws InterruptedException {
      SERVE.increment();
      long x = number;
      for (int i = 0; i < STEPS; i++) {
        x = step(x, i);
      }
      Thread.sleep(1 + number % 4);
      for (int i = 0; i < STEPS; i++) {
        x = step(x, i);
      }
      return x;
    }
  }

  /** Waits for an order, and then computes without a pause. */
  private final class Miner implements Runnable {
    private final BlockingQueue<CountDownLatch> orders = new LinkedBlockingQueue<>();
    private final int number;

    Miner(int number) {
      this.number = number;
    }

    @Override
    public void run() {
      try {
        while (true) {
          CountDownLatch done = orders.take();
          long x = 0;
          for (int i = 0; i < BUSY_ROUNDS; i++) {
            x += round(i);
          }
          sum.addAndGet(x);
          done.countDown();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private long round(int index) {
      ROUND.increment();
      long x = number * 1_000_003L + index;
      for (int i = 0; i < STEPS; i++) {
        x = step(x, i);
      }
      return x;
    }
  }
}
