package org.junit.runner;

public class Description {
  public native String getDisplayName();

  public native String getClassName();

  public native String getMethodName();
}
