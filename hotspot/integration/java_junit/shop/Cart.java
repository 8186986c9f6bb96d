package shop;

/** What the tests of this folder test. */
final class Cart {
  private int items;

  void add(int count) {
    check(count);
    items += count;
  }

  void clear() {
    items = 0;
  }

  int items() {
    return items;
  }

  private static void check(int count) {
    if (count < 0) {
      throw refusal();
    }
  }

  private static IllegalArgumentException refusal() {
    return new IllegalArgumentException();
  }

  void neverCalled() {
    clear();
  }
}
