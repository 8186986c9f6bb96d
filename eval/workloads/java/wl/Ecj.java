package wl;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** Eclipse's Java compiler compiles about 50,000 lines (the JDK's internal ASM, renamed). */
public final class Ecj implements Workload {
  private Path sources;

  @Override
  public void setup(Path data) {
    sources = data.resolve("asmsrc");
  }

  @Override
  public long run() throws Exception {
    Path out = Trees.temporaryFolder("ecj");
    StringWriter messages = new StringWriter();
    PrintWriter log = new PrintWriter(messages);
    String[] arguments = {
      "-11", "--system", System.getProperty("wl.jdk17"), "-nowarn", "-proc:none", "-g",
      "-encoding", "UTF-8", "-d", out.toString(), sources.toString()
    };
    if (!BatchCompiler.compile(arguments, log, log, null)) {
      throw new IllegalStateException(messages.toString());
    }
    long checksum = Checksums.classFiles(out);
    Trees.delete(out);
    return checksum;
  }
}
