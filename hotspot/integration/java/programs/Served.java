package programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Works when a line on stdin says so and answers with a line, for tests that attach meanwhile. */
public final class Served {
  static int leaf(int x) {
    return x * 5 + 1;
  }

  static int twice(int x) {
    return leaf(x) + leaf(x + 1); //> Served.leaf 30000, Served.leaf 30000
  }

  static int work(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += twice(i); //> Served.twice 30000
    }
    return sum;
  }

  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(work(Integer.parseInt(line))); //> Served.work 1
    }
  }
}
