package programs;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Calls of all kinds, at known rates, in a method that is called often; then what the VM has counted.
 * Arguments: the path of the native library, how often, and Java sources to compile besides.
 */
public final class Profiled {
    private Profiled() {}

    /** Of a class's methods, in JSON, or summed up over all methods when there is no name. */
    static native String read(String className, int feature);

    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    abstract static class Named {
        final int name(int i) {
            return i ^ 1;
        }

        int sides() {
            return 0;
        }
    }

    static class One extends Named implements Shape {
        public int area() {
            return 1;
        }

        int sides() {
            return 1;
        }
    }

    static class Two extends One {
        public int area() {
            return 2;
        }

        int sides() {
            return super.sides() + 1; // 1 of each
        }
    }

    static class Three extends Named implements Shape {
        public int area() {
            return 3;
        }

        public int twice() {
            return 6;
        }
    }

    static class Four extends Two {
        public int area() {
            return 4;
        }
    }

    static final Shape[] SHAPES = {new One(), new Two(), new Three(), new Four()};
    static final Named[] NAMED = {new One(), new Two(), new Three(), new Four()};
    static int sum;

    static int leaf(int i) {
        return i + 1;
    }

    static int rare(int i) {
        return i + 2;
    }

    private int own(int i) {
        return i + 3;
    }

    /** Each call says how often it is made for one of work. */
    static int work(Profiled self, int i) {
        int result = leaf(i); // 1
        for (int k = 0; k < 3; k++) {
            result += NAMED[1].name(k); // 3
        }
        if (i % 10 == 0) {
            result += rare(i); // 0.1
        }
        result += self.own(i); // 1
        result += new Two().hashCode() & 1; // <init> 1, hashCode 1
        result += NAMED[1].sides(); // 1, of Two
        result += NAMED[i % 4 == 0 ? 0 : 2].sides(); // 0.25 of One, 0.75 of Named
        result += SHAPES[i % 2].area(); // 0.5 of One, 0.5 of Two
        result += SHAPES[i % 4 == 0 ? 0 : 2].twice(); // 0.25 of Shape, 0.75 of Three
        result += SHAPES[i & 3].area(); // 0.25 of each, two of which have a row
        result += SHAPES[i & 1].equals(self) ? 1 : 0; // 0.5 and 0.5, both of Object
        return result;
    }

    static void compile(List<String> sources) throws Exception {
        Path out = Files.createTempDirectory(Path.of("."), "profiled");
        List<String> arguments = new ArrayList<>(sources);
        arguments.addAll(0, List.of("-d", out.toString()));
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        ToolProvider.findFirst("javac").orElseThrow()
                .run(nowhere, nowhere, arguments.toArray(new String[0]));
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        Profiled self = new Profiled();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            sum += work(self, i);
        }
        if (args.length > 2) {
            compile(List.of(args).subList(2, args.length));
        }
        int feature = Runtime.version().feature();
        System.out.print(read("programs/Profiled", feature));
        System.out.print(read("programs/Profiled$Two", feature));
        System.out.print(read(null, feature));
    }
}
