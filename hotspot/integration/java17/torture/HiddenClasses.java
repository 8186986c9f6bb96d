package torture;

import java.lang.invoke.MethodHandles;
import java.util.function.IntUnaryOperator;

/** Hidden classes, which go away while their compiled methods have just been in use. */
public final class HiddenClasses implements Stressor {
  /** What is defined as a hidden class; it must not name itself. */
  static final class Hidden implements IntUnaryOperator {
    public Hidden() {}

    @Override
    public int applyAsInt(int x) {
      return Loaders.Guest.shared(x) - (x >> 1);
    }
  }

  private static IntUnaryOperator define() throws ReflectiveOperationException {
    return (IntUnaryOperator)
        MethodHandles.lookup()
            .defineHiddenClass(Throwaway.bytes(Hidden.class.getName()), true)
            .lookupClass()
            .getDeclaredConstructor()
            .newInstance();
  }

  @Override
  public long run(long seed, int round) throws ReflectiveOperationException {
    long checksum = seed;
    for (int i = 0; i < 12; i++) {
      checksum = Stressor.mix(checksum, Loaders.drive(define(), 400));
    }
    return checksum;
  }
}
