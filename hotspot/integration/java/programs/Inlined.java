package programs;

/**
 * Calls that the compilers inline, in the ways in which they leave more or less trace of it. Each
 * comes equally often in all of the program. Argument: how many steps.
 */
public final class Inlined {
    private Inlined() {}

    /** Its calls are bound, though nothing of it but the class is final. */
    static final class Cell {
        private int value;

        int get() {
            return value;
        }

        void set(int to) {
            value = to;
        }
    }

    /** Of its two classes one is nearly always the receiver: its methods are inlined, the others called. */
    static class Shape {
        int sides(int i) {
            return i & 3;
        }
    }

    static final class Rare extends Shape {
        @Override
        int sides(int i) {
            int sum = 0;
            for (int k = 0; k < 5; ++k) {
                sum += i >> k;
            }
            return sum;
        }
    }

    static int half(int i) {
        return i >> 1;
    }

    static int loop(Cell cell, int trips) {
        int sum = 0;
        for (int i = 0; i < trips; ++i) {
            sum += half(cell.get() + i);
        }
        return sum;
    }

    /** Too large to be inlined where it is called: an entry of its own. */
    static int step(Cell cell, Shape shape, int i) {
        int sum = shape.sides(i);
        if (i % 10 == 0) {
            sum += half(i);
        }
        cell.set(i);
        sum += loop(cell, 1 + (i & 15));
        cell.set(sum);
        return sum ^ cell.get();
    }

    public static void main(String[] arguments) {
        final int steps = Integer.parseInt(arguments[0]);
        final Cell cell = new Cell();
        final Shape[] shapes = new Shape[50];
        for (int i = 0; i < shapes.length; ++i) {
            shapes[i] = i == 7 ? new Rare() : new Shape();
        }
        int sum = 0;
        for (int i = 0; i < steps; ++i) {
            sum += step(cell, shapes[i % shapes.length], i);
        }
        System.out.println(sum);
    }
}
