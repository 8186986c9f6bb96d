package org.junit.runner.notification;

import org.junit.runner.Description;

public class RunListener {
  public void testStarted(Description test) throws Exception {}

  public void testFinished(Description test) throws Exception {}
}
