package programs;

/** Spends three times as long in heavy as in light, in one and the same inlined loop. */
public final class Busy {
    private static final int STEPS = 20_000;

    private Busy() {}

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Thread idle = new Thread(Busy::sleep, "idle");
        idle.setDaemon(true);
        idle.start();
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += heavy(i) + light(i);
        }
        System.out.println(sum);
    }

    static long heavy(long seed) {
        return work(seed, 3 * STEPS);
    }

    static long light(long seed) {
        return work(seed, STEPS);
    }

    private static long work(long seed, int steps) {
        long x = seed;
        for (int i = 0; i < steps; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        return x;
    }

    private static void sleep() {
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
