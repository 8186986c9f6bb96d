// A loop whose calls C2 cannot all inline: one to a large method, one with four targets.
public class Inlining {
    interface Shape {
        int area(int n);
    }

    static final class Square implements Shape {
        public int area(int n) {
            return n * n;
        }
    }

    static final class Line implements Shape {
        public int area(int n) {
            return n;
        }
    }

    static final class Point implements Shape {
        public int area(int n) {
            return 1;
        }
    }

    static final class Empty implements Shape {
        public int area(int n) {
            return 0;
        }
    }

    // More bytecode than C2 inlines of a hot call.
    static int large(int x) {
        int y = x;
        x = x * 31 + (x >>> 1); y ^= x;
        x = x * 33 + (x >>> 2); y ^= x;
        x = x * 35 + (x >>> 3); y ^= x;
        x = x * 37 + (x >>> 4); y ^= x;
        x = x * 39 + (x >>> 5); y ^= x;
        x = x * 41 + (x >>> 6); y ^= x;
        x = x * 43 + (x >>> 7); y ^= x;
        x = x * 45 + (x >>> 1); y ^= x;
        x = x * 47 + (x >>> 2); y ^= x;
        x = x * 49 + (x >>> 3); y ^= x;
        x = x * 51 + (x >>> 4); y ^= x;
        x = x * 53 + (x >>> 5); y ^= x;
        x = x * 55 + (x >>> 6); y ^= x;
        x = x * 57 + (x >>> 7); y ^= x;
        x = x * 59 + (x >>> 1); y ^= x;
        x = x * 61 + (x >>> 2); y ^= x;
        x = x * 63 + (x >>> 3); y ^= x;
        x = x * 65 + (x >>> 4); y ^= x;
        x = x * 67 + (x >>> 5); y ^= x;
        x = x * 69 + (x >>> 6); y ^= x;
        x = x * 71 + (x >>> 7); y ^= x;
        x = x * 73 + (x >>> 1); y ^= x;
        x = x * 75 + (x >>> 2); y ^= x;
        x = x * 77 + (x >>> 3); y ^= x;
        x = x * 79 + (x >>> 4); y ^= x;
        x = x * 81 + (x >>> 5); y ^= x;
        x = x * 83 + (x >>> 6); y ^= x;
        x = x * 85 + (x >>> 7); y ^= x;
        x = x * 87 + (x >>> 1); y ^= x;
        x = x * 89 + (x >>> 2); y ^= x;
        x = x * 91 + (x >>> 3); y ^= x;
        x = x * 93 + (x >>> 4); y ^= x;
        x = x * 95 + (x >>> 5); y ^= x;
        x = x * 97 + (x >>> 6); y ^= x;
        x = x * 99 + (x >>> 7); y ^= x;
        x = x * 101 + (x >>> 1); y ^= x;
        x = x * 103 + (x >>> 2); y ^= x;
        x = x * 105 + (x >>> 3); y ^= x;
        x = x * 107 + (x >>> 4); y ^= x;
        x = x * 109 + (x >>> 5); y ^= x;
        return y;
    }

    static int unused(int n) {
        return n + 1;
    }

    public static void main(String[] arguments) {
        Shape[] shapes = {new Square(), new Line(), new Point(), new Empty()};
        int sum = 0;
        for (int round = 0; round < Integer.parseInt(arguments[0]); round++) {
            sum += work(shapes, round);
        }
        System.out.println(sum);
    }

    static int work(Shape[] shapes, int round) {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += shapes[i & 3].area(i);
            sum += large(sum + round);
        }
        return sum;
    }
}
