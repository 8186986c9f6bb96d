package torture;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The JDK's own code, with its natives and intrinsics: collections, text, numbers, streams. */
public final class Library implements Stressor {
  private static final Pattern WORD = Pattern.compile("(\\w+?)(\\d+)");

  private static long collections(Random random) {
    Map<Integer, List<String>> tree = new TreeMap<>(Comparator.reverseOrder());
    Map<String, Integer> hashed = new HashMap<>();
    ConcurrentHashMap<Integer, Integer> concurrent = new ConcurrentHashMap<>();
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      int x = random.nextInt(500);
      tree.computeIfAbsent(x, k -> new ArrayList<>()).add("v" + i);
      hashed.merge("k" + x, i, Integer::sum);
      concurrent.merge(x % 50, 1, Integer::sum);
      list.add(x);
    }
    Collections.sort(list, Comparator.<Integer>comparingInt(x -> x % 100).thenComparing(x -> -x));
    return tree.hashCode() + 31L * hashed.hashCode() + 7L * concurrent.hashCode() + list.hashCode();
  }

  private static long text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      text.append("word").append(random.nextInt(1000)).append(i % 5 == 0 ? "\n" : " ");
    }
    long checksum = 0;
    for (Matcher matcher = WORD.matcher(text); matcher.find(); ) {
      checksum = Stressor.mix(checksum, matcher.group(1).hashCode() + matcher.group(2).length());
    }
    for (String line : text.toString().split("\n")) {
      checksum = Stressor.mix(checksum, String.format("%s|%8.3f", line, 1.0 / line.length())
          .toUpperCase(java.util.Locale.ROOT).hashCode());
    }
    return checksum;
  }

  private static long numbers(Random random) {
    BigInteger product = BigInteger.ONE;
    double sum = 0;
    for (int i = 1; i < 120; i++) {
      product = product.multiply(BigInteger.valueOf(random.nextInt(100000) + 1L)).add(
          BigInteger.valueOf(i));
      sum += StrictMath.sin(i) * Math.sqrt(i) + Math.fma(i, 0.5, sum / 2);
    }
    return product.mod(BigInteger.valueOf(1_000_000_007)).longValue()
        ^ Double.doubleToLongBits(sum);
  }

  private static long bytes(Random random) throws IOException, GeneralSecurityException {
    byte[] data = new byte[20000];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) random.nextInt(16);
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(data);
    }
    byte[] again =
        new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes();
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(again);
    ByteBuffer direct = ByteBuffer.allocateDirect(64);
    direct.put(digest).flip();
    String text = new String(digest, StandardCharsets.ISO_8859_1);
    return Stressor.mix(direct.getLong(), text.getBytes(StandardCharsets.UTF_8).length);
  }

  @Override
  public long run(long seed, int round) throws IOException, GeneralSecurityException {
    Random random = new Random(seed);
    long checksum = collections(random);
    checksum = Stressor.mix(checksum, text(random));
    checksum = Stressor.mix(checksum, numbers(random));
    return Stressor.mix(checksum, bytes(random));
  }
}
