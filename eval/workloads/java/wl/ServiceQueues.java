package wl;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Actors, queues and timers: producers put jobs in bursts into a bounded queue and sleep; workers
 * take them, park as if they waited for a device, write to a journal's thread by a pipe, and send
 * messages to actors, which run on a pool; some jobs are looked at again later by a timer, and a task
 * runs at a fixed rate. What is computed does not depend on their order.
 */
public final class ServiceQueues implements Workload {
  private static final int PRODUCERS = 4;
  private static final int JOBS_PER_PRODUCER = 1500;
  private static final int BURST = 25;
  private static final int WORKERS = 8;
  private static final int ACTORS = 64;
  private static final int MESSAGES_PER_JOB = 4;
  private static final int REMINDED = 10; // one job of so many
  private static final int TICKS = 100;

  private static final LongAdder PROCESS = Counts.of("wl.ServiceQueues.process(I)V");
  private static final LongAdder WEIGH = Counts.of("wl.ServiceQueues.weigh(II)J");
  private static final LongAdder RECEIVE = Counts.of("wl.ServiceQueues$Actor.receive(J)V");
  private static final LongAdder REMIND = Counts.of("wl.ServiceQueues$Reminder.run()V");
  private static final LongAdder TICK = Counts.of("wl.ServiceQueues$Ticker.tick(I)V");
  private static final LongAdder NOTE = Counts.of("wl.ServiceQueues$Journal.note(I)V");

  private final BlockingQueue<Integer> jobs = new ArrayBlockingQueue<>(64);
  private final ExecutorService pool = Executors.newFixedThreadPool(4);
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final Actor[] actors = new Actor[ACTORS];
  private CountDownLatch messages;
  private CountDownLatch reminders;
  private Journal journal;

  @Override
  public void setup(Path data) {
    for (int i = 0; i < ACTORS; i++) {
      actors[i] = new Actor();
    }
  }

  @Override
  public long run() throws Exception {
    int count = PRODUCERS * JOBS_PER_PRODUCER;
    for (Actor actor : actors) {
      actor.sum = 0;
    }
    messages = new CountDownLatch(count * MESSAGES_PER_JOB);
    reminders = new CountDownLatch(count / REMINDED);
    journal = new Journal(count);
    Thread reader = new Thread(journal, "wl-journal");
    reader.start();
    Ticker ticker = new Ticker();
    ScheduledFuture<?> ticks = timer.scheduleAtFixedRate(ticker, 5, 5, TimeUnit.MILLISECONDS);
    Workers.run(
        PRODUCERS + WORKERS,
        number -> {
          if (number < PRODUCERS) {
            produce(number);
          } else {
            consume(count / WORKERS);
          }
        });
    messages.await();
    reminders.await();
    ticker.done.await();
    ticks.cancel(false);
    reader.join();
    long checksum = Checksums.mix(journal.sum, ticker.sum);
    for (Actor actor : actors) {
      checksum = Checksums.mix(checksum, actor.sum);
    }
    return checksum;
  }

  private void produce(int number) throws InterruptedException {
    for (int i = 0; i < JOBS_PER_PRODUCER; i++) {
      jobs.put(number * JOBS_PER_PRODUCER + i);
      if (i % BURST == BURST - 1) {
        Thread.sleep(1 + i / BURST % 5);
      }
    }
  }

  private void consume(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      process(jobs.take());
    }
  }

  private void process(int job) throws Exception {
    PROCESS.increment();
    for (int i = 0; i < MESSAGES_PER_JOB; i++) {
      long weight = 0;
      for (int j = 0; j < 20; j++) {
        weight += weigh(job + i, j);
      }
      actors[(job * MESSAGES_PER_JOB + i) % ACTORS].send(weight);
    }
    if (job % 8 == 0) {
      LockSupport.parkNanos(300_000);
    }
    journal.write(job);
    if (job % REMINDED == 0) {
      timer.schedule(new Reminder(job), 1 + job % 7, TimeUnit.MILLISECONDS);
    }
  }

  private static long weigh(int job, int step) {
    WEIGH.increment();
    long x = job * 31L + step;
    for (int i = 0; i < 3; i++) {
      x = stir(x, i);
    }
    return x;
  }

  private static long stir(long x, int round) {
    long y = x ^ (x >>> 29);
    for (int i = 0; i <= round; i++) {
      y = y * 6364136223846793005L + 1442695040888963407L;
    }
    return y;
  }

  /** Has a mailbox, and is run by the pool while there is something in it: by one thread at a time. */
  private final class Actor implements Runnable {
    private final Queue<Long> mailbox = new ArrayDeque<>();
    private boolean running;
    private long sum; // Of the thread that runs it.

    void send(long message) {
      boolean start;
      synchronized (mailbox) {
        mailbox.add(message);
        start = !running;
        running = true;
      }
      if (start) {
        pool.execute(this);
      }
    }

    @Override
    public void run() {
      while (true) {
        Long message;
        synchronized (mailbox) {
          message = mailbox.poll();
          if (message == null) {
            running = false;
            return;
          }
        }
        receive(message);
        messages.countDown();
      }
    }

    private void receive(long message) {
      RECEIVE.increment();
      long x = message;
      for (int i = 0; i < 50; i++) {
        x = stir(x, i % 4);
      }
      sum += x;
    }
  }

  /** A job that is looked at again. */
  private final class Reminder implements Runnable {
    private final int job;

    Reminder(int job) {
      this.job = job;
    }

    @Override
    public void run() {
      REMIND.increment();
      for (int i = 0; i < 100; i++) {
        journal.add(weigh(job, i));
      }
      reminders.countDown();
    }
  }

  private static final class Ticker implements Runnable {
    private final CountDownLatch done = new CountDownLatch(TICKS);
    private long sum;

    @Override
    public void run() {
      if (done.getCount() > 0) {
        tick((int) done.getCount());
        done.countDown();
      }
    }

    private void tick(int left) {
      TICK.increment();
      for (int i = 0; i < 200; i++) {
        sum += weigh(left, i);
      }
    }
  }

  /** Reads what the workers write into a pipe; all sums come together here. */
  private static final class Journal implements Runnable {
    private final Pipe pipe;
    private final int count;
    private long sum;

    Journal(int count) throws Exception {
      pipe = Pipe.open();
      this.count = count;
    }

    /** By any thread. */
    void write(int job) throws Exception {
      ByteBuffer bytes = ByteBuffer.allocate(4).putInt(job);
      bytes.flip();
      synchronized (pipe) {
        while (bytes.hasRemaining()) {
          pipe.sink().write(bytes);
        }
      }
    }

    synchronized void add(long value) {
      sum += value;
    }

    @Override
    public void run() {
      ByteBuffer bytes = ByteBuffer.allocate(4);
      try {
        for (int i = 0; i < count; i++) {
          bytes.clear();
          while (bytes.hasRemaining()) {
            if (pipe.source().read(bytes) < 0) {
              throw new IllegalStateException("the journal ends early");
            }
          }
          note(bytes.getInt(0));
        }
        pipe.sink().close();
        pipe.source().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private void note(int job) {
      NOTE.increment();
      add(weigh(job, 0));
    }
  }
}
