package yieldpoint;

import org.junit.runner.JUnitCore;

/** As JUnitCore's main, with the listener. Arguments: the test classes. */
public final class JUnit4 {
  private JUnit4() {}

  public static void main(String[] classes) throws ClassNotFoundException {
    Class<?>[] tests = new Class<?>[classes.length];
    for (int i = 0; i < classes.length; i++) {
      tests[i] = Class.forName(classes[i], false, ClassLoader.getSystemClassLoader());
    }
    JUnitCore core = new JUnitCore();
    core.addListener(new JUnit4Listener());
    org.junit.runner.Result result = core.run(tests);
    for (org.junit.runner.notification.Failure failure : result.getFailures()) {
      System.out.println(failure);
    }
    System.out.println(result.getRunCount() + " tests, " + result.getFailureCount() + " failures");
    System.exit(result.wasSuccessful() ? 0 : 1);
  }
}
