package programs;

import agents.Redefiner;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Arguments: the class file that Subject becomes, and "retransform" or "keep". Before JDK 21 a
 * retransformed class is again what it was before its redefinition, if any agent has rewritten it
 * (JDK-7124710).
 */
public final class Redefined {
  public static void main(String[] args) throws Exception { //< Redefined.main (root) 1
    int sum = Subject.many(); //> Subject.many 1
    for (int i = 0; i < 50000; i++) {
      sum += Subject.run(i); //> Subject.run 50000
    }
    Redefiner.redefine(Subject.class, Files.readAllBytes(Path.of(args[0])));
    for (int i = 0; i < 40000; i++) {
      sum += Subject.run(i); //> Subject.run 40000
    }
    if (args[1].equals("retransform")) {
      Redefiner.retransform(Subject.class);
    }
    for (int i = 0; i < 30000; i++) {
      sum += Subject.run(i); //> Subject.run 30000
    }
    System.out.println(sum);
  }
}
