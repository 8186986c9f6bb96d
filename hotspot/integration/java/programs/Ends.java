package programs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Ends in the way that its argument says, after calls whose number is known. */
public final class Ends {
  static int leaf(int x) {
    return x + 3;
  }

  static int work() {
    int sum = 0;
    for (int i = 0; i < 100_000; i++) {
      sum += leaf(i); //> Ends.leaf 100000
    }
    return sum;
  }

  static int fill(List<long[]> kept) {
    kept.add(new long[1 << 20]);
    return kept.size();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    System.out.println(work()); //> Ends.work 1
    switch (args[0]) {
      case "exit":
        System.exit(7);
        break;
      case "halt":
        Runtime.getRuntime().halt(8);
        break;
      case "throw":
        throw new IllegalStateException("on purpose");
      case "wait":
        System.in.read();
        break;
      case "memory":
        List<long[]> kept = new ArrayList<>();
        try {
          while (fill(kept) > 0) {}
        } catch (OutOfMemoryError e) {
          kept.clear();
          System.out.println(work());
        }
        break;
      case "fork":
        Process process =
            new ProcessBuilder("/bin/echo", "from the child")
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        System.out.println("child: " + process.waitFor());
        break;
      default:
        break;
    }
  }
}
