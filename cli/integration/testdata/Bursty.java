import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that work in bursts and pause between them, as a service's do. A burst is a number of
 * requests; a request makes 200 calls of outer, and each of those five of work. Arguments: SECONDS,
 * then groups of threads, each as KEY=VALUE,...:
 *
 * <pre>
 * threads=N     how many at a time (1)
 * burst=N       requests between two pauses (1)
 * pause=MICROS  0 for none (0)
 * by=HOW        park, sleep, lock (one thread parks and has the lock that others wait for), io
 *               (reading from a pipe) (park)
 * life=MILLIS   how long a thread lives until another takes its place; 0 for all the time (0)
 * kind=KIND     platform or virtual, which is the same before JDK 21 (platform)
 * </pre>
 *
 * Prints its process id at the start, and at the end lines "COUNT METHOD N calls".
 */
public class Bursty {
  static final int OUTER_PER_REQUEST = 200;
  static final int WORK_PER_OUTER = 5;
  static final LongAdder requests = new LongAdder();
  static volatile int sink;

  static int work(int x) {
    int sum = x;
    for (int i = 0; i < 40; i++) {
      sum = sum * 31 + (sum >>> 3) + i;
    }
    return sum;
  }

  static int outer(int x) {
    int sum = 0;
    for (int i = 0; i < WORK_PER_OUTER; i++) {
      sum += work(x + i);
    }
    return sum;
  }

  static int request(int number) {
    int sum = 0;
    for (int i = 0; i < OUTER_PER_REQUEST; i++) {
      sum += outer(number + i);
    }
    return sum;
  }

  public static void main(String[] args) throws Exception {
    System.out.println("PID " + ProcessHandle.current().pid());
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
    List<Group> groups = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      groups.add(new Group(args[i], end));
    }
    for (Group group : groups) {
      group.start();
    }
    for (Group group : groups) {
      group.join();
    }
    long count = requests.sum();
    System.out.println("COUNT Bursty.request(I)I " + count + " calls");
    count *= OUTER_PER_REQUEST;
    System.out.println("COUNT Bursty.outer(I)I " + count + " calls");
    System.out.println("COUNT Bursty.work(I)I " + count * WORK_PER_OUTER + " calls");
  }

  /** Threads of one pattern. */
  static class Group {
    final long end;
    final List<Place> places = new ArrayList<>();
    int threads = 1;
    int burst = 1;
    long pauseNanos;
    String by = "park";
    long lifeNanos;
    ThreadFactory factory = Thread::new;

    Group(String text, long end) throws Exception {
      this.end = end;
      for (String part : text.split(",")) {
        String value = part.substring(part.indexOf('=') + 1);
        switch (part.substring(0, part.indexOf('='))) {
          case "threads":
            threads = Integer.parseInt(value);
            break;
          case "burst":
            burst = Integer.parseInt(value);
            break;
          case "pause":
            pauseNanos = Long.parseLong(value) * 1000;
            break;
          case "by":
            by = value;
            break;
          case "life":
            lifeNanos = Long.parseLong(value) * 1_000_000;
            break;
          case "kind":
            factory = value.equals("virtual") ? virtualThreads() : factory;
            break;
          default:
            throw new IllegalArgumentException(part);
        }
      }
      for (int i = 0; i < threads; i++) {
        places.add(new Place(this));
      }
    }

    /** By reflection: this is compiled for Java 11. */
    static ThreadFactory virtualThreads() {
      try {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
            Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
      } catch (ReflectiveOperationException e) {
        return Executors.defaultThreadFactory();
      }
    }

    void start() {
      for (Place place : places) {
        place.keeper.start();
      }
      if (by.equals("io")) {
        Thread clock = new Thread(this::tick, "clock");
        clock.setDaemon(true);
        clock.start();
      }
    }

    void join() throws Exception {
      for (Place place : places) {
        place.keeper.join();
      }
    }

    /** Gives those that read something to read after each pause. */
    void tick() {
      try {
        while (true) {
          LockSupport.parkNanos(pauseNanos);
          for (Place place : places) {
            place.pipe.sink().write(ByteBuffer.allocate(1)); // Does nothing when it is full.
          }
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    void pause(Place place) throws Exception {
      if (pauseNanos == 0) {
        return;
      }
      switch (by) {
        case "park":
          LockSupport.parkNanos(pauseNanos);
          break;
        case "sleep":
          Thread.sleep(pauseNanos / 1_000_000, (int) (pauseNanos % 1_000_000));
          break;
        case "lock":
          synchronized (this) {
            LockSupport.parkNanos(pauseNanos);
          }
          break;
        case "io":
          place.pipe.source().read(ByteBuffer.allocate(1));
          break;
        default:
          throw new IllegalArgumentException(by);
      }
    }
  }

  /** Where there is one thread of a group after the other. */
  static class Place {
    final Group group;
    final Pipe pipe;
    final Thread keeper;

    Place(Group group) throws Exception {
      this.group = group;
      pipe = Pipe.open();
      pipe.sink().configureBlocking(false);
      keeper = group.lifeNanos == 0 ? group.factory.newThread(this::work) : new Thread(this::keep);
    }

    void keep() {
      try {
        while (System.nanoTime() < group.end) {
          Thread thread = group.factory.newThread(this::work);
          thread.start();
          thread.join();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void work() {
      long last =
          group.lifeNanos == 0
              ? group.end
              : Math.min(group.end, System.nanoTime() + group.lifeNanos);
      try {
        int number = 0;
        while (System.nanoTime() < last) {
          for (int i = 0; i < group.burst; i++) {
            requests.increment();
            sink += request(number++);
          }
          group.pause(this);
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
