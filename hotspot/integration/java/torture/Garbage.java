package torture;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.WeakHashMap;

/** Short-lived and long-lived objects, references of all kinds, and a collection now and then. */
public final class Garbage implements Stressor {
  private static final class Node {
    final int value;
    final Node left;
    final Node right;
    byte[] weight;

    Node(int value, Node left, Node right) {
      this.value = value;
      this.left = left;
      this.right = right;
    }

    long sum() {
      return value + (left == null ? 0 : 3 * left.sum()) + (right == null ? 0 : 5 * right.sum());
    }
  }

  private static Node tree(Random random, int depth) {
    if (depth == 0) {
      return null;
    }
    Node node =
        new Node(random.nextInt(100), tree(random, depth - 1), tree(random, depth - 1));
    node.weight = new byte[random.nextInt(64)];
    return node;
  }

  @Override
  public long run(long seed, int round) {
    Random random = new Random(seed);
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    List<Reference<?>> references = new ArrayList<>();
    WeakHashMap<Object, Integer> weak = new WeakHashMap<>();
    Node[] kept = new Node[8];
    long checksum = 0;
    for (int i = 0; i < 120; i++) {
      Node made = tree(random, 9);
      Node replaced = kept[i % kept.length];
      checksum = Stressor.mix(checksum, replaced == null ? 0 : replaced.sum());
      kept[i % kept.length] = made;
      references.add(new WeakReference<>(made, queue));
      references.add(new PhantomReference<>(new Object(), queue));
      references.add(new SoftReference<>(new int[16], queue));
      weak.put(made, i);
      while (queue.poll() != null) {
        weak.size(); // How many there are depends on the collector.
      }
    }
    if (round % 4 == 0) {
      System.gc();
    }
    for (Node node : kept) {
      checksum = Stressor.mix(checksum, node.sum() + weak.get(node));
    }
    Reference.reachabilityFence(references);
    return checksum;
  }
}
