package programs;

/** Calls in contexts of known shares, many of each: one half are of work, three times as many below heavy. */
public final class ContextShares {
    private static int sum;

    private ContextShares() {}

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < rounds; i++) {
            heavy();
            light();
        }
        System.out.println(sum);
    }

    private static void heavy() {
        work();
        work();
        between();
    }

    private static void light() {
        work();
    }

    private static void between() {
        work();
    }

    private static void work() {
        sum++;
    }
}
