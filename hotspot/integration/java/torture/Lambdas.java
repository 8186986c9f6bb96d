package torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lambdas, method references, streams, string concatenation. */
public final class Lambdas implements Stressor {
  private final int base;

  Lambdas(int base) {
    this.base = base;
  }

  public Lambdas() {
    this(0);
  }

  int plus(int x) {
    return x + base;
  }

  static int twice(int x) {
    return 2 * x;
  }

  static IntUnaryOperator chain(Random random, int length) {
    IntUnaryOperator result = x -> x;
    for (int i = 0; i < length; i++) {
      int captured = random.nextInt(100);
      IntUnaryOperator before = result;
      switch (random.nextInt(5)) {
        case 0:
          result = result.andThen(Lambdas::twice);
          break;
        case 1:
          result = result.compose(new Lambdas(captured)::plus);
          break;
        case 2:
          result = x -> before.applyAsInt(x) ^ captured;
          break;
        case 3:
          IntBinaryOperator both = Math::max;
          result = x -> both.applyAsInt(before.applyAsInt(x), x);
          break;
        default:
          Function<Integer, Integer> boxed = Integer::reverse;
          result = x -> boxed.apply(before.applyAsInt(x));
      }
    }
    return result;
  }

  static String concatenated(int a, long b, double c, Object d, String e, char f, boolean g) {
    return "a" + a + " b" + b + " c" + c + " d" + d + e + f + g;
  }

  static long streamed(int n, int salt) {
    long sum =
        IntStream.range(0, n).map(x -> x * salt).filter(x -> x % 3 != 0).mapToLong(x -> x).sum();
    List<String> names =
        IntStream.range(0, n / 8).mapToObj(x -> "n" + x % 17).collect(Collectors.toList());
    return sum
        + names.stream().collect(Collectors.groupingBy(s -> s, Collectors.counting())).hashCode();
  }

  @Override
  public long run(long seed, int round) {
    Random random = new Random(seed);
    long checksum = 0;
    for (int i = 0; i < 20; i++) {
      IntUnaryOperator chain = chain(random, 8);
      for (int n = 0; n < 500; n++) {
        checksum = Stressor.mix(checksum, chain.applyAsInt(n));
      }
      checksum = Stressor.mix(checksum, streamed(1000, i));
    }
    List<Supplier<String>> suppliers = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      int n = i;
      suppliers.add(() -> concatenated(n, n * 3L, n / 4.0, n, "e", (char) ('a' + n % 26), n > 9));
    }
    for (Supplier<String> supplier : suppliers) {
      checksum = Stressor.mix(checksum, supplier.get().hashCode());
    }
    return checksum;
  }
}
