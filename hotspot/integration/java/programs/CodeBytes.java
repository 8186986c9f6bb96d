package programs;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.TreeMap;

/**
 * Tells what an agent has left in compiled code. Argument: the path of the native library. For each
 * line of input: "work" calls compiled methods for a while; "remember" and "compare" read the entries
 * of all compiled methods, which is where an agent writes, and tell how many there are, and how many
 * are no longer as remembered. (Further on in their code the VM itself links calls all the time.)
 */
public final class CodeBytes {
    private CodeBytes() {}

    /** Compile id and the entry's 8 bytes, for each compiled method. */
    static native long[] read();

    static int work(int rounds) {
        TreeMap<Integer, String> map = new TreeMap<>();
        for (int i = 0; i < rounds; i++) {
            map.merge(i * 31 % 5003, Integer.toString(i), (a, b) -> a.length() > 20 ? b : a + b);
        }
        return map.hashCode();
    }

    static TreeMap<Long, Long> snapshot() {
        long[] words = read();
        TreeMap<Long, Long> byId = new TreeMap<>();
        for (int i = 0; i < words.length; i += 2) {
            byId.put(words[i], words[i + 1]);
        }
        return byId;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        TreeMap<Long, Long> remembered = new TreeMap<>();
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
                TreeMap<Long, Long> now = snapshot();
                now.keySet().retainAll(remembered.keySet());
                TreeMap<Long, Long> before = remembered;
                long changed = now.entrySet().stream()
                        .filter(entry -> !entry.getValue().equals(before.get(entry.getKey())))
                        .count();
                System.out.println(now.size() + " " + changed);
            }
        }
    }
}
