package yieldpoint;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Marks the tests of a JUnit Platform launcher: Surefire, Gradle, ant's junitlauncher, IDEs. */
public final class PlatformListener implements TestExecutionListener {
  private final AtomicInteger openClasses = new AtomicInteger();

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      Tests.begun(nameOf(test));
    } else if (isClass(test)) {
      openClasses.incrementAndGet();
      Tests.preparing(); // What is before all tests of a class, and the first one's instance.
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      Tests.ended(nameOf(test));
      Tests.preparing(); // Jupiter makes the next test's instance before that begins.
    } else if (isClass(test)) {
      if (openClasses.decrementAndGet() > 0) { // A nested one.
        Tests.preparing();
      } else {
        Tests.resting();
      }
    }
  }

  private static boolean isClass(TestIdentifier test) {
    return test.getSource().orElse(null) instanceof ClassSource;
  }

  /** "shop.CartTest.add()", and with an invocation's number "shop.CartTest.add(int)[2]". */
  private static String nameOf(TestIdentifier test) {
    TestSource source = test.getSource().orElse(null);
    if (source instanceof MethodSource) {
      MethodSource method = (MethodSource) source;
      String name = test.getLegacyReportingName();
      if (!name.startsWith(method.getMethodName())) { // An engine that names tests as it likes.
        name = method.getMethodName() + " " + name;
      }
      return method.getClassName() + "." + name + (name.indexOf('(') < 0 ? "()" : ""); // Vintage's.
    }
    return test.getUniqueId();
  }
}
