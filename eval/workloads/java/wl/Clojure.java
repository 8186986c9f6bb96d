package wl;

import clojure.lang.Compiler;
import clojure.lang.RT;
import java.io.StringReader;
import java.nio.file.Path;

/**
 * Clojure compiles a namespace, bench.clj, and runs its functions on persistent collections and on
 * its own source; then four threads move money between accounts in transactions that are tried again
 * when they clash. It is compiled once, as classes of functions get other names each time.
 */
public final class Clojure implements Workload {
  private static final int RUNS = 8;
  private static final int THREADS = 4;
  private static final int TRANSFERS_PER_THREAD = 3000;
  private String script;

  @Override
  public void setup(Path data) throws Exception {
    script = Trees.read(data.resolve("bench.clj"));
    RT.init();
    Compiler.load(new StringReader(script), "bench.clj", "bench.clj");
  }

  @Override
  public long run() throws Exception {
    long checksum = ((Number) RT.var("bench", "expanded-size").invoke(script)).longValue();
    for (int i = 0; i < RUNS; i++) {
      checksum = Checksums.mix(checksum, call("compute"));
      call("open-accounts");
      Workers.run(
          THREADS,
          worker -> RT.var("bench", "transfer").invoke(worker, TRANSFERS_PER_THREAD));
      checksum = Checksums.mix(checksum, call("balances"));
    }
    return checksum;
  }

  private static long call(String function) {
    return Checksums.crc(RT.var("bench", function).invoke().toString());
  }
}
