/** Says when it began, in milliseconds since 1970, and ends. */
public final class Hello {
  public static void main(String[] args) {
    System.out.println("BEGAN " + System.currentTimeMillis());
  }
}
