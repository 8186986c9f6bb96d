package programs;

/** Dense in calls, in one thread, with the same calls in every run; arguments: rounds. */
public final class Kernel {
  interface Visitor {
    int visit(int x);
  }

  static final class Up implements Visitor {
    @Override
    public int visit(int x) {
      return step(x) + 1;
    }
  }

  static final class Down implements Visitor {
    @Override
    public int visit(int x) {
      return step(x) - 1;
    }
  }

  static int step(int x) {
    return (x ^ (x << 3)) + 0x9e37;
  }

  static int equal(int x) {
    return x * 7 + 3;
  }

  /** Seven call sites of one callee, each taken once in a round. */
  static int sevenSites(int x) {
    int sum = equal(x);
    sum ^= equal(sum + 1);
    sum ^= equal(sum + 2);
    sum ^= equal(sum + 3);
    sum ^= equal(sum + 4);
    sum ^= equal(sum + 5);
    sum ^= equal(sum + 6);
    return sum;
  }

  static int visitAll(Visitor up, Visitor down, int x) {
    return up.visit(x) + down.visit(x);
  }

  static int round(int i, Visitor up, Visitor down) {
    return sevenSites(i) + visitAll(up, down, i);
  }

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    Visitor up = new Up();
    Visitor down = new Down();
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += round(i, up, down);
    }
    System.out.println(sum);
  }
}
