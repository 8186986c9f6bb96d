package programs;

/**
 * main is compiled in its first loop, when the classes that the second one uses are not loaded: C1's
 * code does not count the calls of their methods.
 */
public final class Unloaded {
    private Unloaded() {}

    static final class Point {
        final int x;

        Point(int x) {
            this.x = x;
        }

        int twice() {
            return 2 * x;
        }
    }

    static final class Helper {
        static int next(int x) {
            return x * 31 + 7;
        }
    }

    static int first(int x) {
        return x ^ 5;
    }

    public static void main(String[] args) {
        int steps = Integer.parseInt(args[0]);
        int sum = 0;
        for (int i = 0; i < steps; i++) {
            sum += first(i);
        }
        for (int i = 0; i < steps; i++) {
            sum += new Point(i).twice();
            sum ^= Helper.next(i);
        }
        System.out.println(sum);
    }
}
