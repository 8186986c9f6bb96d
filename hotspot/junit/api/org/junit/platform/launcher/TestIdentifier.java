package org.junit.platform.launcher;

import java.util.Optional;
import org.junit.platform.engine.TestSource;

public final class TestIdentifier {
  private TestIdentifier() {}

  public native boolean isTest();

  public native String getUniqueId();

  public native String getLegacyReportingName();

  public native Optional<TestSource> getSource();
}
