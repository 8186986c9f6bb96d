package programs;

/**
 * Call sites in loops of 2 to 64 calls, all of the same method. Arguments: calls of each loop in a
 * round, rounds, and how many multiplications a call makes, if not one. To be run with leaf never
 * inlined.
 */
public final class Periods {
    private static int steps = 1;

    private Periods() {}

    static long leaf(long x) {
        for (int i = 0; i < steps; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        return x;
    }

    static long period2(int rounds) {
        long x = 2;
        for (int i = 0; i < rounds; i++) {
            x = leaf(x);
            x = leaf(x);
        }
        return x;
    }

    static long period3(int rounds) {
        long x = 3;
        for (int i = 0; i < rounds; i++) {
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
        }
        return x;
    }

    static long period7(int rounds) {
        long x = 7;
        for (int i = 0; i < rounds; i++) {
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
        }
        return x;
    }

    static long period16(int rounds) {
        long x = 16;
        for (int i = 0; i < rounds; i++) {
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
        }
        return x;
    }

    static long period64(int rounds) {
        long x = 64;
        for (int i = 0; i < rounds; i++) {
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
            x = leaf(x);
        }
        return x;
    }

    public static void main(String[] args) {
        int calls = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        if (args.length > 2) {
            steps = Integer.parseInt(args[2]);
        }
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            sum += period2(calls / 2);
            sum += period3(calls / 3);
            sum += period7(calls / 7);
            sum += period16(calls / 16);
            sum += period64(calls / 64);
        }
        System.out.println(sum);
    }
}
