package torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Other processes: fork and exec, and once a whole JVM. */
public final class Processes implements Stressor {
  private static int run(StringBuilder output, String... command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    output.append(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    return process.waitFor();
  }

  @Override
  public long run(long seed, int round) throws IOException, InterruptedException {
    StringBuilder output = new StringBuilder();
    long checksum = seed;
    for (int i = 0; i < 3; i++) {
      checksum = Stressor.mix(checksum, run(output, "true"));
      checksum = Stressor.mix(checksum, run(output, "sh", "-c", "echo " + i + "; exit " + i));
    }
    checksum = Stressor.mix(checksum, output.toString().hashCode());
    if (round == 0) {
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      checksum = Stressor.mix(checksum, run(output, java, "-XX:TieredStopAtLevel=1", "-version"));
    }
    return checksum;
  }
}
