import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Methods for which compiled code calls functions of the VM: what is said is the same on every JVM of
 * one JDK, to the last bit.
 */
public final class Leaves {
  private static final int NUMBERS = 20_000;
  private static final int LENGTHS = 301;
  private static final double[] SPECIAL = {
    0.0, -0.0, 1, -1, 0.5, 2, 3, -3, Math.PI, Math.PI / 2, -Math.PI / 4, Math.E, 10, 100, 1e-10,
    1e22, -1e22, 1e300, -1e300, 709.78, 709.79, -745.13, -745.14, 1 << 20, Double.MAX_VALUE,
    Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL, 4e-320, Double.NaN,
    Double.longBitsToDouble(0x7ff0_0000_0000_0001L), Double.longBitsToDouble(0xfff8_1234_5678_9abcL),
    Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
  };
  private static final byte[] BYTES = new byte[LENGTHS + 40];
  private static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(BYTES.length);

  private static long random = 1;

  private Leaves() {}

  public static void main(String[] arguments) throws NoSuchAlgorithmException {
    for (int i = 0; i < BYTES.length; i++) {
      BYTES[i] = (byte) (random() >>> 20);
    }
    DIRECT.put(BYTES);
    for (int round = 0; round < 3; round++) { // What the first one calls is compiled in the last one.
      random = round;
      sayAll();
    }
    System.out.println("time goes on: " + timeGoesOn());
  }

  private static void sayAll() throws NoSuchAlgorithmException {
    say("sin", NUMBERS, i -> bits(Math.sin(number(i))));
    say("cos", NUMBERS, i -> bits(Math.cos(number(i))));
    say("tan", NUMBERS, i -> bits(Math.tan(number(i))));
    say("tanh", NUMBERS, i -> bits(Math.tanh(number(i))));
    say("exp", NUMBERS, i -> bits(Math.exp(number(i))));
    say("log", NUMBERS, i -> bits(Math.log(number(i))));
    say("log10", NUMBERS, i -> bits(Math.log10(number(i))));
    say("pow", NUMBERS, i -> power(number(i), number(i / SPECIAL.length)));
    say("abs", NUMBERS, i -> bits(Math.abs(number(i))) + bits(Math.abs((float) number(i))));
    say("exact", NUMBERS, i -> exact(number(i), i));
    say("strict sin", NUMBERS, i -> bits(StrictMath.sin(number(i))));
    say("strict pow", NUMBERS, i -> bits(StrictMath.pow(number(i), 1.5)));
    say("several", NUMBERS, i -> several(number(i), i));
    say("CRC32", LENGTHS, i -> sums(new CRC32(), i));
    say("CRC32C", LENGTHS, i -> sums(new CRC32C(), i));
    say("Adler32", LENGTHS, i -> sums(new Adler32(), i));
    say("bytes differ", LENGTHS, i -> bytesDiffer(i));
    say("others differ", LENGTHS, i -> othersDiffer(i));
    say("shifts", LENGTHS, i -> shifts(i));
    for (String name : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512"}) {
      MessageDigest digest = MessageDigest.getInstance(name);
      say(name, LENGTHS, i -> digests(digest, i));
    }
  }

  private static void say(String name, int times, IntToLongFunction part) {
    long hash = 0;
    for (int i = 0; i < times; i++) {
      hash = hash * 31 + part.applyAsLong(i);
    }
    System.out.println(name + ": " + hash);
  }

  private static long random() {
    random = random * 6364136223846793005L + 1442695040888963407L;
    return random;
  }

  private static long bits(double x) {
    return Double.doubleToRawLongBits(x);
  }

  /** Some are special, some any, the others of the size that programs have. */
  private static double number(int i) {
    switch (i & 3) {
      case 0:
        return SPECIAL[i / 4 % SPECIAL.length];
      case 1:
        return Double.longBitsToDouble(random());
      case 2:
        return random() * 0x1p-63 * 10;
      default:
        return random() * 0x1p-63 * 1000;
    }
  }

  /** Which of two that are no numbers comes of them, nothing says. */
  private static long power(double x, double y) {
    long result = bits(Math.pow(x, y));
    return Double.isNaN(x) && Double.isNaN(y) ? 0 : result;
  }

  private static long exact(double x, int i) {
    double y = SPECIAL[i / 7 % SPECIAL.length];
    long hash = bits(Math.floor(x)) * 31 + bits(Math.ceil(x));
    hash = hash * 31 + bits(Math.rint(x)) + bits(Math.signum(x));
    return hash * 31 + bits(Math.max(x, y)) * 7 + bits(Math.min(x, y)) + bits(Math.copySign(x, y));
  }

  /** Values that are needed behind calls, and calls that are made once for two. */
  private static long several(double x, int i) {
    double[] sums = {x, i, 0};
    for (int j = 0; j < 3; j++) {
      sums[j] += Math.sin(x) * j + Math.sin(x);
      if (j == i % 4) {
        sums[2] -= Math.exp(sums[0]) + x;
      }
    }
    return bits(sums[0]) * 7 + bits(sums[1]) * 5 + bits(sums[2]) + i;
  }

  private static long sums(Checksum sum, int length) {
    long hash = 0;
    for (int offset = 0; offset < 20; offset++) {
      sum.update(BYTES, offset, length);
      hash = hash * 31 + sum.getValue();
      DIRECT.limit(offset + length).position(offset);
      sum.update(DIRECT);
      hash = hash * 31 + sum.getValue();
      sum.update(offset);
    }
    sum.reset();
    sum.update(BYTES, BYTES.length - length, length);
    return hash ^ sum.getValue();
  }

  private static long bytesDiffer(int length) {
    byte[] other = Arrays.copyOf(BYTES, length);
    byte[] one = Arrays.copyOf(BYTES, length);
    long hash = Arrays.mismatch(one, other) + (Arrays.equals(one, other) ? 10 : 0);
    for (int i = 0; i < length; i += 1 + i / 8) {
      other[i] ^= 1 << (i & 7);
      hash = hash * 31 + Arrays.mismatch(one, other);
      hash = hash * 31 + Arrays.compare(one, i / 2, length, other, i / 2, length);
      hash = hash * 31 + ByteBuffer.wrap(one).mismatch(ByteBuffer.wrap(other));
      DIRECT.limit(length).position(i / 2);
      hash = hash * 31 + DIRECT.mismatch(ByteBuffer.wrap(other, i / 2, length - i / 2));
      other[i] ^= 1 << (i & 7);
    }
    return hash;
  }

  private static long othersDiffer(int length) {
    char[] chars = new char[length];
    int[] ints = new int[length];
    long[] longs = new long[length];
    double[] doubles = new double[length];
    char[] otherChars = new char[length];
    int[] otherInts = new int[length];
    long[] otherLongs = new long[length];
    double[] otherDoubles = new double[length];
    long hash = 0;
    for (int i = length - 1; i >= 0; i -= 1 + i / 4) {
      otherChars[i] = 'x';
      otherInts[i] = 1 << 31;
      otherLongs[i] = 1L << 63;
      otherDoubles[i] = (i & 1) == 0 ? -0.0 : 1;
      hash = hash * 31 + Arrays.mismatch(chars, otherChars) + Arrays.mismatch(ints, otherInts);
      hash = hash * 31 + Arrays.mismatch(longs, otherLongs);
      hash = hash * 31 + Arrays.mismatch(doubles, otherDoubles);
      hash = hash * 31 + (Arrays.equals(ints, 0, i, otherInts, 0, i) ? 1 : 0);
    }
    return hash;
  }

  private static long shifts(int length) {
    BigInteger number = new BigInteger(1, Arrays.copyOf(BYTES, length * 4));
    long hash = 0;
    for (int by : new int[] {1, 31, 32, 33, 63, 500, length * 8}) {
      hash = hash * 31 + number.shiftLeft(by).hashCode() + number.shiftRight(by).hashCode();
      hash = hash * 31 + number.negate().shiftRight(by).hashCode();
    }
    return hash;
  }

  private static long digests(MessageDigest digest, int length) {
    digest.update(BYTES, length % 7, length);
    digest.update(BYTES, 0, length);
    return Arrays.hashCode(digest.digest());
  }

  private static boolean timeGoesOn() {
    long first = System.nanoTime();
    long last = first;
    for (int i = 0; i < NUMBERS; i++) {
      long now = System.nanoTime();
      long before = Instant.now().toEpochMilli();
      long millis = System.currentTimeMillis();
      if (now < last || millis < before || millis > Instant.now().toEpochMilli()) {
        return false;
      }
      last = now;
    }
    return last > first;
  }
}
