import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

/** Rewrites Loop's constant "plain text" to one of equal length, at load and again on demand. */
public class RewritingAgent implements ClassFileTransformer {
  public static void premain(String args, Instrumentation instrumentation) throws Exception {
    instrumentation.addTransformer(new RewritingAgent(), true);
    instrumentation.retransformClasses(Class.forName("Loop"));
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (!"Loop".equals(name)) {
      return null;
    }
    byte[] from = "plain text".getBytes(StandardCharsets.US_ASCII);
    byte[] to = "rewritten!".getBytes(StandardCharsets.US_ASCII);
    byte[] result = bytes.clone();
    for (int i = 0; i + from.length <= result.length; i++) {
      if (java.util.Arrays.equals(result, i, i + from.length, from, 0, from.length)) {
        System.arraycopy(to, 0, result, i, to.length);
      }
    }
    return result;
  }
}
