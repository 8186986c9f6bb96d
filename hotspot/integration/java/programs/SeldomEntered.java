package programs;

/**
 * A method that is seldom entered, and then calls in a long loop, beside others that are called all
 * the time. Argument: how many rounds, each with LOOP calls of step and BESIDE calls of often.
 */
public final class SeldomEntered {
    private static final int LOOP = 3000;
    private static final int BESIDE = 600_000;

    private SeldomEntered() {}

    private static long step(long x) {
        return x * 6364136223846793005L + 1442695040888963407L;
    }

    static long round(long x) {
        for (int i = 0; i < LOOP; ++i) {
            x = step(x);
        }
        return x;
    }

    static long often(long x, int i) {
        return (x ^ i) + (x >>> 7);
    }

    static long beside(long x) {
        for (int i = 0; i < BESIDE; ++i) {
            x = often(x, i);
        }
        return x;
    }

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[0]);
        long x = 1;
        for (int i = 0; i < rounds; ++i) {
            x = beside(round(x));
        }
        System.out.println(x);
    }
}
