package torture;

import java.util.Map;

/** Others who walk stacks: the program itself sees its own frames only, and all of them. */
public final class Walks implements Stressor {
  private static boolean own(String className) {
    return className.startsWith("torture.Walks");
  }

  private static long frames() {
    return StackWalker.getInstance()
        .walk(frames -> frames.filter(frame -> own(frame.getClassName())).count());
  }

  static long down(int depth, int way) {
    if (depth > 0) {
      return down(depth - 1, way) + 1;
    }
    if (way == 0) {
      return frames();
    }
    int frames = 0;
    for (StackTraceElement element : new Throwable().getStackTrace()) {
      frames += own(element.getClassName()) ? 1 : 0;
    }
    return frames;
  }

  @Override
  public long run(long seed, int round) {
    long checksum = seed;
    for (int i = 0; i < 600; i++) {
      checksum = Stressor.mix(checksum, down(i % 40, i % 2));
      if (i % 60 == 0) {
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        checksum = Stressor.mix(checksum, all.containsKey(Thread.currentThread()) ? 1 : 0);
      }
    }
    return checksum;
  }
}
