import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the compiler says of methods where `yp aos --verbose` has it speak: a stream for System.err,
 * which goes on to where that went before.
 */
final class Compiled extends ByteArrayOutputStream {
  private final Set<String> missing = new TreeSet<>();
  private final PrintStream console = System.err;

  /**
   * Of those methods: class and name, as Calls$Base.value, or with parameters where there are more
   * of a name, as Calls$Base.value(int, Object[]).
   */
  Compiled(Collection<String> names) {
    missing.addAll(names);
  }

  @Override
  public synchronized void flush() {
    console.print(toString());
    for (String line : toString().split("\n")) {
      // yieldpoint: compiled Calls.plus(int)int -1
      if (line.trim().endsWith(" -1")) {
        String method = line.replaceFirst(".*: compiled ", "").replaceFirst("[)].*", ")").trim();
        missing.remove(method);
        missing.remove(method.replaceFirst("[(].*", ""));
      }
    }
    reset();
  }

  /** Does it until they are compiled, or ends the process with exit code 3 after a minute. */
  static void await(Collection<String> names, Work work) throws Exception {
    Compiled compiled = new Compiled(names);
    System.setErr(new PrintStream(compiled, true));
    long end = System.nanoTime() + 60_000_000_000L;
    while (compiled.missing() != null) {
      if (System.nanoTime() > end) {
        compiled.console.println("not compiled: " + compiled.missing());
        System.exit(3);
      }
      work.run();
      Thread.sleep(1);
    }
    System.setErr(compiled.console);
  }

  interface Work {
    void run() throws Exception;
  }

  /** Those that have not been compiled yet; null: none. */
  synchronized String missing() {
    return missing.isEmpty() ? null : missing.toString();
  }

  synchronized boolean has(String name) {
    return !missing.contains(name);
  }
}
