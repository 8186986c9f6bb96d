/** Runs Shapes, then prints how often the probes of each id were called. */
public final class CallCounter {
  private static final int[] entries = new int[100_000];
  private static final int[] sites = new int[100_000];

  private CallCounter() {}

  public static void check(int id) {
    entries[id]++;
  }

  public static void site(int id) {
    sites[id]++;
  }

  public static void receive(Object receiver, int id) {
    site(id);
  }

  public static void main(String[] args) {
    Shapes.main(args);
    print("entry", entries);
    print("site", sites);
  }

  private static void print(String kind, int[] counts) {
    for (int id = 0; id < counts.length; id++) {
      if (counts[id] != 0) {
        System.out.println(kind + " " + id + " " + counts[id]);
      }
    }
  }
}
