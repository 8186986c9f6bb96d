package kernel;

/** All that the kernel's parts call: who counts calls to these classes must get Kernel's number. */
final class Targets {
  static int mix(int x) {
    return x * 31 + 7;
  }

  static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }

  abstract static class Shape {
    abstract int step(int x);
  }

  static final class Square extends Shape {
    @Override
    int step(int x) {
      return x * x + 1;
    }
  }

  static final class Circle extends Shape {
    @Override
    int step(int x) {
      return x * 3 + 2;
    }
  }

  static final class Line extends Shape {
    @Override
    int step(int x) {
      return x ^ 0x55;
    }
  }

  interface Filter {
    int apply(int x);
  }

  static final class Shift implements Filter {
    @Override
    public int apply(int x) {
      return (x << 1) + 1;
    }
  }

  static final class Add implements Filter {
    @Override
    public int apply(int x) {
      return x + 13;
    }
  }

  static final class Flip implements Filter {
    @Override
    public int apply(int x) {
      return ~x * 5;
    }
  }

  static class Node {
    final int value;

    Node(int value) {
      this.value = value;
    }
  }

  /** Two constructors per object, but for Object's own. */
  static final class Link extends Node {
    final Node next;

    Link(int value, Node next) {
      super(value);
      this.next = next;
    }
  }

  private Targets() {}
}
