package programs;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes the JDK work: collections, streams, strings, formats, big numbers, threads. */
public final class Collections {
  public static void main(String[] args) throws Exception {
    Map<String, List<Integer>> groups =
        IntStream.range(0, 20_000)
            .boxed()
            .collect(Collectors.groupingBy(i -> "k" + i % 97, TreeMap::new, Collectors.toList()));
    long sum = groups.values().stream().mapToLong(List::size).sum();
    ConcurrentHashMap<Integer, Long> counts = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  counts.merge(i & 255, 1L, Long::sum);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    BigInteger product = BigInteger.ONE;
    for (int i = 1; i < 300; i++) {
      product = product.multiply(BigInteger.valueOf(i));
    }
    String text =
        Pattern.compile("[02468]").matcher(product.toString()).replaceAll("-").substring(0, 40);
    System.out.println(
        String.format("%d %d %s %x", sum, counts.get(7), text, groups.toString().hashCode()));
  }
}
