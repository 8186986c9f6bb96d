package agents;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * Another agent in the same JVM. It redefines classes on request, and rewrites bytecode itself: in
 * programs.Subject every {@code sipush 12345} becomes {@code sipush 23456}.
 */
public final class Redefiner implements ClassFileTransformer {
  private static final int SIPUSH = 0x11;
  private static Instrumentation instrumentation;

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
    given.addTransformer(new Redefiner(), "retransforms".equals(options));
  }

  public static void redefine(Class<?> type, byte[] bytes) throws Exception {
    instrumentation.redefineClasses(new ClassDefinition(type, bytes));
  }

  public static void retransform(Class<?> type) throws Exception {
    instrumentation.retransformClasses(type);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    if (!"programs/Subject".equals(name)) {
      return null;
    }
    byte[] changed = bytes.clone();
    for (int i = 0; i + 2 < changed.length; i++) {
      if (changed[i] == SIPUSH && changed[i + 1] == (byte) 0x30 && changed[i + 2] == (byte) 0x39) {
        changed[i + 1] = (byte) 0x5b;
        changed[i + 2] = (byte) 0xa0;
      }
    }
    return changed;
  }
}
