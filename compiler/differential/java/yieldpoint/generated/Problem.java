package yieldpoint.generated;

/** What generated methods throw. */
public class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;
}
