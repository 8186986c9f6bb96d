/**
 * Runs Contexts, whose methods tell it their contexts. Then prints for each method how often it was
 * entered and left, and for each two methods how often one called the other. A site's number is
 * that of its method times 1000, and more.
 */
public final class ContextCounter {
  private static final int METHODS = 100;
  private static final int CALLS = 100_000;

  // A context for each call: number 0 is outside of everything.
  private static final int[] methods = new int[CALLS];
  private static final int[] callers = new int[CALLS];
  private static final int[] left = new int[CALLS];
  private static int calls;
  private static int current;
  private static int wrong;

  private ContextCounter() {}

  public static int enter(int method) {
    int context = ++calls;
    methods[context] = method;
    callers[context] = current;
    current = context;
    return context;
  }

  public static void site(int context, int site) {
    if (methods[context] != site / 1000) {
      wrong++;
    }
    current = context;
  }

  public static void leave(int context) {
    left[context]++;
    current = callers[context];
  }

  public static void main(String[] args) {
    Contexts.main(args);
    int[] entered = new int[METHODS];
    int[] leftOf = new int[METHODS];
    int[][] edges = new int[METHODS][METHODS];
    for (int context = 1; context <= calls; context++) {
      int method = methods[context];
      entered[method]++;
      leftOf[method] += left[context];
      edges[methods[callers[context]]][method]++;
      if (left[context] > 1) {
        wrong++;
      }
    }
    System.out.println("wrong " + wrong);
    for (int method = 0; method < METHODS; method++) {
      System.out.println("entered " + method + " " + entered[method]);
      System.out.println("left " + method + " " + leftOf[method]);
      for (int callee = 0; callee < METHODS; callee++) {
        if (edges[method][callee] != 0) {
          System.out.println("edge " + method + " " + callee + " " + edges[method][callee]);
        }
      }
    }
  }
}
