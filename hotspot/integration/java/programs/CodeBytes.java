package programs;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.TreeMap;

/**
 * Tells what an agent has left in compiled code. Argument: the path of the native library. For each
 * line of input: "work" calls compiled methods for a while; "remember" and "compare" read the code
 * of every compiled method, and tell how many there are, and what is no longer as remembered.
 */
public final class CodeBytes {
    private CodeBytes() {}

    /** Compile id, hash of the first 8 bytes, hash of all, for each compiled method. */
    static native long[] read();

    static int work(int rounds) {
        TreeMap<Integer, String> map = new TreeMap<>();
        for (int i = 0; i < rounds; i++) {
            map.merge(i * 31 % 5003, Integer.toString(i), (a, b) -> a.length() > 20 ? b : a + b);
        }
        return map.hashCode();
    }

    static TreeMap<Long, long[]> snapshot() {
        long[] words = read();
        TreeMap<Long, long[]> byId = new TreeMap<>();
        for (int i = 0; i < words.length; i += 3) {
            byId.put(words[i], new long[] {words[i + 1], words[i + 2]});
        }
        return byId;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        TreeMap<Long, long[]> remembered = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            work(20_000);
        }
        snapshot();
        System.out.println("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals("work")) {
                System.out.println(work(400_000));
            } else if (line.equals("remember")) {
                remembered = snapshot();
                System.out.println(remembered.size());
            } else {
                TreeMap<Long, long[]> now = snapshot();
                now.keySet().retainAll(remembered.keySet());
                int entries = 0;
                int bodies = 0;
                for (var compiled : now.entrySet()) {
                    long[] before = remembered.get(compiled.getKey());
                    entries += compiled.getValue()[0] != before[0] ? 1 : 0;
                    bodies += compiled.getValue()[1] != before[1] ? 1 : 0;
                }
                System.out.println(now.size() + " " + entries + " " + bodies);
            }
        }
    }
}
