package wl;

import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import java.io.File;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** Checkstyle applies Sun's checks to sources of java.util. */
public final class Checkstyle implements Workload, AuditListener {
  private static final int MAX_FILES = 60;
  private final List<File> sources = new ArrayList<>();
  private long checksum;
  private long errors;

  @Override
  public void setup(Path data) throws Exception {
    for (Path file : Trees.files(data.resolve("jdksrc/java.base/java/util"), ".java")) {
      if (!file.toString().contains("/concurrent/") && sources.size() < MAX_FILES) {
        sources.add(file.toFile());
      }
    }
  }

  @Override
  public long run() throws Exception {
    checksum = 0;
    errors = 0;
    Checker checker = new Checker();
    checker.setModuleClassLoader(Checker.class.getClassLoader());
    checker.configure(
        ConfigurationLoader.loadConfiguration(
            "/sun_checks.xml", new PropertiesExpander(System.getProperties())));
    checker.addListener(this);
    int reported = checker.process(sources);
    checker.destroy();
    return Checksums.mix(checksum, errors + reported);
  }

  @Override
  public void addError(AuditEvent event) {
    errors++;
    checksum +=
        Checksums.crc(
            Paths.get(event.getFileName()).getFileName()
                + ":"
                + event.getLine()
                + ":"
                + event.getColumn()
                + event.getMessage());
  }

  @Override
  public void addException(AuditEvent event, Throwable thrown) {
    thrown.printStackTrace();
    checksum++;
  }

  @Override
  public void auditStarted(AuditEvent event) {}

  @Override
  public void auditFinished(AuditEvent event) {}

  @Override
  public void fileStarted(AuditEvent event) {}

  @Override
  public void fileFinished(AuditEvent event) {}
}
