package programs;

/** A chain of calls whose middle class is excluded, beside direct calls from the same place. */
public final class Filtered {
  interface Step {
    int step(int x);
  }

  static final class Middle implements Step {
    private final Step next;

    Middle(Step next) {
      this.next = next;
    }

    @Override
    public int step(int x) {
      return next.step(x) + Last.fixed(x); //> Last.step 60000, Last.fixed 60000
    }
  }

  static final class Last implements Step {
    @Override
    public int step(int x) {
      return x + 1;
    }

    static int fixed(int x) {
      return x ^ 1;
    }
  }

  static int run(Step step, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += step.step(i); //> Last.step 60000
    }
    return sum;
  }

  public static void main(String[] args) { //< Filtered.main (root) 1
    Last last = new Last(); //> Last.<init> 1
    int sum = 0;
    for (int i = 0; i < 6; i++) {
      sum += run(last, 10000); //> Filtered.run 6
      sum += run(new Middle(last), 10000); //> Filtered.run 6
    }
    System.out.println(sum);
  }
}
