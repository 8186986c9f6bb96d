package wl;

import java.nio.file.Path;
import java.util.List;
import org.antlr.v4.Tool;

/** The ANTLR 4 tool generates Checkstyle's Javadoc lexer and parser from their grammars. */
public final class Antlr4 implements Workload {
  private static final int ROUNDS = 4;
  private Path grammars;

  @Override
  public void setup(Path data) {
    grammars = data.resolve("grammars");
  }

  @Override
  public long run() throws Exception {
    long checksum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Path out = Trees.temporaryFolder("antlr4");
      for (String grammar : List.of("JavadocLexer.g4", "JavadocParser.g4")) {
        String[] arguments = {
          "-o", out.toString(), "-lib", out.toString(), "-visitor", "-long-messages",
          grammars.resolve(grammar).toString()
        };
        new Tool(arguments).processGrammarsOnCommandLine();
      }
      checksum = Checksums.mix(checksum, Checksums.generatedSources(out));
      Trees.delete(out);
    }
    return checksum;
  }
}
