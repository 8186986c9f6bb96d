/** What the probes of roundtrip_unittest.cc call. */
public final class ProbeOwner {
  private ProbeOwner() {}

  public static void check(int id) {}

  public static void site(int id) {}

  public static int enterContext(int id) {
    return id;
  }

  public static void siteContext(int context, int site) {}

  public static void leaveContext(int context) {}

  public static void receive(Object receiver, int id) {}
}
