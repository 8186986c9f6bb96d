package programs;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.function.IntUnaryOperator;

/**
 * A hidden class of the program's own. The JVM shows agents no class file of it: calls of its methods
 * are not observed, the calls that it makes are.
 */
public final class HiddenClasses {
  public static final class Guest implements IntUnaryOperator {
    @Override
    public int applyAsInt(int x) {
      return leaf(x) + leaf(x + 1); //> HiddenClasses.leaf 30000, HiddenClasses.leaf 30000
    }
  }

  static int leaf(int x) {
    return x * 3 + 1;
  }

  static int run(IntUnaryOperator guest, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += guest.applyAsInt(i) + leaf(i); //> HiddenClasses.leaf 30000
    }
    return sum;
  }

  public static void main(String[] args) throws Exception { //< HiddenClasses.main (root) 1
    byte[] bytes;
    try (InputStream in = HiddenClasses.class.getResourceAsStream("HiddenClasses$Guest.class")) {
      bytes = in.readAllBytes();
    }
    Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
    IntUnaryOperator guest = (IntUnaryOperator) hidden.getDeclaredConstructor().newInstance();
    System.out.println(hidden.isHidden() + " " + run(guest, 30000)); //> HiddenClasses.run 1
  }
}
