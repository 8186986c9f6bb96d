import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program with known call counts: ROUNDS calls of middle, ten times as many of leaf. Arguments:
 * ROUNDS and how to go on behind them (exit CODE, halt CODE, forever FILE, which touches FILE when the
 * rounds are done).
 */
public class Loop {
  static int leaf(int x) {
    return x * 31 + 7;
  }

  static int middle(int x) {
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += leaf(x + i);
    }
    return sum;
  }

  static int rounds(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += middle(i);
    }
    return sum;
  }

  /** The constant is what RewritingAgent replaces. */
  static String text() {
    return "plain text";
  }

  public static void main(String[] args) throws Exception {
    int sum = rounds(Integer.parseInt(args[0]));
    System.out.println(text() + " " + sum);
    String then = args.length > 1 ? args[1] : "";
    if (then.equals("exit")) {
      System.exit(Integer.parseInt(args[2]));
    } else if (then.equals("halt")) {
      // The drain writes every 100 ms.
      Thread.sleep(500);
      Runtime.getRuntime().halt(Integer.parseInt(args[2]));
    } else if (then.equals("forever")) {
      Files.createFile(Path.of(args[2]));
      while (true) {
        sum += rounds(1000);
        Thread.sleep(1);
      }
    }
  }
}
