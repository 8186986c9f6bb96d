/**
 * What its properties say: prints `text` (or the time, where that is `now`), sleeps for `sleep`
 * milliseconds and ends with `code`.
 */
public class Adjustable {
  public static void main(String[] args) throws Exception {
    String text = System.getProperty("text", args.length > 0 ? args[0] : "text");
    System.out.println(text.equals("now") ? String.valueOf(System.nanoTime()) : text);
    Thread.sleep(Long.getLong("sleep", 600));
    System.exit(Integer.getInteger("code", 0));
  }
}
