package wl;

import com.google.javascript.jscomp.CommandLineRunner;
import com.google.javascript.jscomp.CompilationLevel;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.Result;
import com.google.javascript.jscomp.SourceFile;
import com.google.javascript.jscomp.WarningLevel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;

/** The Closure compiler checks types in, optimizes and shortens a generated JavaScript program. */
public final class Jscomp implements Workload {
  private static final int CLASSES = 60;

  private List<SourceFile> externs;
  private String program;

  @Override
  public void setup(Path data) throws Exception {
    Compiler.setLoggingLevel(Level.OFF);
    externs = CommandLineRunner.getDefaultExterns();
    program = program(new Random(10));
  }

  @Override
  public long run() {
    Compiler compiler = new Compiler();
    compiler.disableThreads();
    CompilerOptions options = new CompilerOptions();
    CompilationLevel.ADVANCED_OPTIMIZATIONS.setOptionsForCompilationLevel(options);
    WarningLevel.QUIET.setOptionsForWarningLevel(options);
    options.setCheckTypes(true);
    Result result =
        compiler.compile(externs, List.of(SourceFile.fromCode("program.js", program)), options);
    if (!result.success) {
      throw new IllegalStateException(result.errors[0].toString());
    }
    return Checksums.crc(compiler.toSource());
  }

  /** Classes that inherit from and call each other, some never used. */
  private static String program(Random random) {
    StringBuilder js = new StringBuilder();
    js.append("/** @constructor */ function Base(x) { this.x = x; this.log = []; }\n");
    js.append("Base.prototype.value = function(n) { return this.x * n; };\n");
    for (int i = 0; i < CLASSES; i++) {
      appendClass(js, random, i);
    }
    js.append("var total = 0, all = [];\n");
    for (int i = 0; i < CLASSES; i += 2) {
      js.append("all.push(new C").append(i).append("(").append(i * 3 % 7).append("));\n");
    }
    js.append("for (var i = 0; i < all.length; i++) {\n");
    js.append("  total += all[i].value(i) + all[i].fold([i, 2, 3]);\n");
    js.append("  window['console']['log'](all[i].name() + ': ' + total);\n}\n");
    return js.toString();
  }

  private static void appendClass(StringBuilder js, Random random, int number) {
    String name = "C" + number;
    String parent = number == 0 ? "Base" : "C" + random.nextInt(number);
    js.append("/** @constructor @extends {").append(parent).append("} */\n");
    js.append("function ").append(name).append("(x) { ").append(parent).append(".call(this, x); ");
    js.append("this.limit = ").append(random.nextInt(100)).append("; }\n");
    js.append("(function() { var Link = function() {}; Link.prototype = ").append(parent);
    js.append(".prototype; ").append(name).append(".prototype = new Link(); })();\n");
    String prototype = name + ".prototype.";
    js.append(prototype).append("name = function() { return '").append(Documents.words(random, 2));
    js.append("' + ' ' + this.limit + (false ? 'never' : ''); };\n");
    js.append(prototype).append("value = function(n) {\n");
    js.append("  var low = 0, high = this.limit, unused = n * 2, debug = false;\n");
    js.append("  while (low < high) {\n    var middle = (low + high) >> 1;\n");
    js.append("    if (middle * middle < n + ").append(random.nextInt(50));
    js.append(") { low = middle + 1; } else { high = middle; }\n");
    js.append("    if (debug) { this.log.push(low, high); }\n  }\n");
    js.append("  return ").append(parent).append(".prototype.value.call(this, low) + ");
    js.append(random.nextInt(9)).append(" * 60 * 60;\n};\n");
    js.append(prototype).append("fold = function(list) {\n");
    js.append("  var sum = 0;\n  for (var k in list) {\n    switch (list[k] % 4) {\n");
    for (int k = 0; k < 3; k++) {
      js.append("      case ").append(k).append(": sum += helper").append(number);
      js.append("(list[k], ").append(random.nextInt(20)).append("); break;\n");
    }
    js.append("      default: try { sum -= this.value(sum); } catch (e) { sum = 0; }\n");
    js.append("    }\n  }\n");
    js.append("  var add = function(a) { return function(b) { return a + b + sum; }; };\n");
    js.append("  return add(").append(random.nextInt(9)).append(")(sum) || this.x;\n};\n");
    js.append("function helper").append(number).append("(a, b) {\n");
    js.append("  var t = {left: a, right: b};\n  t.left ^= t.right << 3;\n");
    js.append("  if (typeof a == 'undefined') return null;\n");
    js.append("  return t.left > ").append(random.nextInt(30));
    js.append(" ? t.left - t.right : Math.max(t.right, ").append(random.nextInt(9));
    js.append(");\n}\n");
  }
}
