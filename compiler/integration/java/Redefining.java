import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/** A class that is redefined again and again, between calls of its methods from compiled code. */
public final class Redefining {
  private static final int ROUNDS = 6;
  // In which what is called is compiled anew.
  private static final long ROUND_NANOS = isInterpreted() ? 0 : 400_000_000;
  private static final byte MARK = 77; // In the class file: the number that value() gives.
  private static Instrumentation instrumentation;

  interface Valued {
    int other();
  }

  static class Subject implements Valued {
    int value() {
      return 77;
    }

    @Override
    public int other() {
      return value() + 1000;
    }

    static int fixed() {
      return 77;
    }
  }

  static final class Derived extends Subject {}

  public static void premain(String arguments, Instrumentation given) {
    instrumentation = given;
  }

  private static boolean isInterpreted() {
    return System.getProperty("java.vm.info").startsWith("interpreted");
  }

  static int call(Subject subject, Valued valued) {
    return subject.value() + valued.other() + Subject.fixed();
  }

  private static byte[] classFile(int value) throws Exception {
    String name = Subject.class.getName() + ".class";
    try (InputStream in = Redefining.class.getResourceAsStream(name)) {
      byte[] bytes = in.readAllBytes();
      for (int i = 0; i + 2 < bytes.length; i++) {
        // bipush 77; ireturn
        if (bytes[i] == 16 && bytes[i + 1] == MARK && bytes[i + 2] == (byte) 172) {
          bytes[i + 1] = (byte) value;
        }
      }
      return bytes;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Subject[] subjects = {new Subject(), new Derived()};
    boolean isRight = true;
    for (int round = 0; round < ROUNDS; round++) {
      int value = 1 + round % 100;
      instrumentation.redefineClasses(new ClassDefinition(Subject.class, classFile(value)));
      long end = System.nanoTime() + ROUND_NANOS;
      for (int i = 0; i % 1000 != 0 || System.nanoTime() < end; i++) {
        isRight &= call(subjects[i % 2], subjects[(i / 2) % 2]) == 3 * value + 1000;
      }
    }
    System.out.println(isRight);
  }
}
