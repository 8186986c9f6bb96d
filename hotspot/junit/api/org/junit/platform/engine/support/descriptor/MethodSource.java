package org.junit.platform.engine.support.descriptor;

import org.junit.platform.engine.TestSource;

public class MethodSource implements TestSource {
  private MethodSource() {}

  public final native String getClassName();

  public final native String getMethodName();
}
