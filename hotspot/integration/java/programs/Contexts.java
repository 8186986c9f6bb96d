package programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Calls whose contexts are known: contexts_test.py counts them. */
public final class Contexts {
  private static int sum;

  public static void main(String[] arguments) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      first();
    }
    for (int i = 0; i < 5; i++) {
      second();
    }
    down(4);
    for (int i = 0; i < 7; i++) {
      catches();
    }
    leaf(); // After an exception: main's again.
    sorts();
    Thread thread = new Thread(Contexts::inThread, "other");
    thread.start();
    thread.join();
    System.out.println(sum);
  }

  private static void first() {
    leaf();
    leaf();
    middle();
  }

  private static void second() {
    middle();
  }

  private static void middle() {
    for (int i = 0; i < 10; i++) {
      leaf();
    }
  }

  private static void leaf() {
    sum++;
  }

  private static void down(int depth) {
    leaf();
    if (depth > 0) {
      down(depth - 1);
    }
  }

  private static void catches() {
    try {
      throwsDeeply(3);
    } catch (IllegalStateException expected) {
      leaf();
    }
  }

  private static void throwsDeeply(int depth) {
    if (depth == 0) {
      throw new IllegalStateException();
    }
    throwsDeeply(depth - 1);
    leaf(); // Never.
  }

  private static void sorts() {
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      list.add(i);
    }
    // In ascending order already: one comparison for each neighbouring pair.
    Collections.sort(list, Contexts::compare);
  }

  private static int compare(Integer a, Integer b) {
    leaf();
    return a - b;
  }

  private static void inThread() {
    second();
  }
}
