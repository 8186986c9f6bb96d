package org.junit.runner;

import java.util.List;
import org.junit.runner.notification.Failure;

public class Result {
  public native boolean wasSuccessful();

  public native int getRunCount();

  public native int getFailureCount();

  public native List<Failure> getFailures();
}
