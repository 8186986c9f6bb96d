package yieldpoint;

import org.junit.runner.Description;
import org.junit.runner.notification.RunListener;

/** Marks the tests of JUnit 4 where they run without JUnit Platform. Has to be named to the runner. */
public final class JUnit4Listener extends RunListener {
  @Override
  public void testStarted(Description test) {
    Tests.begun(nameOf(test));
  }

  @Override
  public void testFinished(Description test) {
    Tests.ended(nameOf(test));
  }

  private static String nameOf(Description test) {
    String method = test.getMethodName();
    return method == null ? test.getDisplayName() : test.getClassName() + "." + method + "()";
  }
}
