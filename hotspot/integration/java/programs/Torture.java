package programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import torture.Stressor;

/**
 * Everything at once that makes a profiler's life hard. What it prints depends on the seed, the
 * number of rounds and the stressors alone, so that it must be the same with and without an agent,
 * under every collector.
 *
 * <p>Arguments: seed, rounds, threads, milliseconds between garbage collections (0: none are asked
 * for), and the names of the stressors (default: all). Needs -javaagent:redefiner.jar.
 */
public final class Torture {
  private static final class Task {
    final String name;
    final Stressor stressor;
    final int round;

    Task(String name, Stressor stressor, int round) {
      this.name = name;
      this.stressor = stressor;
      this.round = round;
    }
  }

  // What only newer JDKs have, and then is on the class path.
  private static void addIfThere(Map<String, Stressor> all, String name, String type)
      throws ReflectiveOperationException {
    try {
      all.put(name, (Stressor) Class.forName(type).getDeclaredConstructor().newInstance());
    } catch (ClassNotFoundException e) {
      // This JDK has it not.
    }
  }

  private static Map<String, Stressor> stressors() throws ReflectiveOperationException {
    Map<String, Stressor> all = new LinkedHashMap<>();
    all.put("arguments", new torture.Arguments());
    all.put("deoptimization", new torture.Deoptimization());
    all.put("dispatch", new torture.Dispatch());
    all.put("exceptions", new torture.Exceptions());
    all.put("garbage", new torture.Garbage());
    all.put("handles", new torture.Handles());
    all.put("lambdas", new torture.Lambdas());
    addIfThere(all, "hidden", "torture.HiddenClasses");
    all.put("library", new torture.Library());
    all.put("loaders", new torture.Loaders());
    all.put("monitors", new torture.Monitors());
    all.put("overflow", new torture.Overflow());
    all.put("processes", new torture.Processes());
    all.put("redefinitions", new torture.Redefinitions());
    all.put("reflection", new torture.Reflection());
    all.put("threads", new torture.ShortThreads());
    addIfThere(all, "virtual", "torture.VirtualThreads");
    all.put("walks", new torture.Walks());
    return all;
  }

  private static void collect(long millis) {
    try {
      while (true) {
        Thread.sleep(millis);
        System.gc();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void work(List<Task> tasks, AtomicInteger next, long seed,
      Map<String, AtomicLong> checksums) {
    for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
      Task task = tasks.get(i);
      long own = Stressor.mix(Stressor.mix(seed, task.name.hashCode()), task.round);
      try {
        long checksum = task.stressor.run(own, task.round);
        checksums.get(task.name).addAndGet(Stressor.mix(checksum, task.round));
      } catch (Throwable e) {
        System.err.println(task.name + " failed in round " + task.round);
        e.printStackTrace();
        System.exit(3);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    long seed = Long.parseLong(args[0]);
    int rounds = Integer.parseInt(args[1]);
    int threads = Integer.parseInt(args[2]);
    long collectEveryMillis = Long.parseLong(args[3]);
    Map<String, Stressor> stressors = stressors();
    if (args.length > 4) {
      stressors.keySet().retainAll(List.of(args).subList(4, args.length));
    }

    List<Task> tasks = new ArrayList<>();
    Map<String, AtomicLong> checksums = new LinkedHashMap<>();
    stressors.forEach(
        (name, stressor) -> {
          checksums.put(name, new AtomicLong());
          for (int round = 0; round < rounds; round++) {
            tasks.add(new Task(name, stressor, round));
          }
        });
    Collections.shuffle(tasks, new Random(seed));

    if (collectEveryMillis > 0) {
      Thread collector = new Thread(() -> collect(collectEveryMillis), "collector");
      collector.setDaemon(true);
      collector.start();
    }
    AtomicInteger next = new AtomicInteger();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(new Thread(() -> work(tasks, next, seed, checksums), "torture-" + i));
    }
    workers.forEach(Thread::start);
    for (Thread worker : workers) {
      worker.join();
    }
    checksums.forEach((name, sum) -> System.out.printf("%s %016x%n", name, sum.get()));
  }
}
