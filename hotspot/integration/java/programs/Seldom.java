package programs;

/**
 * Code that the interpreter executes a few times: too seldom for a method to have a profile.
 * What is behind a comment with the word "never" is not executed.
 */
public final class Seldom {
    interface Shape {
        int area();
    }

    static final class Square implements Shape {
        private final int side;

        Square(int side) {
            this.side = side;
        }

        @Override
        public int area() {
            return side * side;
        }
    }

    static final class Circle implements Shape {
        @Override
        public int area() {
            return 3;
        }
    }

    /** Initialized at one place. */
    static final class Table {
        static final int[] SQUARES = new int[10];

        static {
            SQUARES[3] = twice(3);
        }
    }

    private int sum;

    private static int twice(int value) {
        return add(value, value);
    }

    private static int add(int a, int b) {
        return a + b;
    }

    private void take(int value) {
        if (value < 0) {
            this.sum = add(this.sum, -1); // never
        } else {
            this.sum = add(this.sum, value);
        }
    }

    private void takeAll(int count) {
        for (int i = 0; i < count; ++i) {
            take(twice(i));
        }
    }

    private static int areaOf(Shape shape) {
        return shape.area();
    }

    private static void explain() {
        System.out.println("nothing");
    }

    /** The JDK's code only, so much that it has profiles by which their layout is told. */
    private static int work() {
        int length = 0;
        for (int i = 0; i < 300_000; ++i) {
            length += Integer.toString(i).concat("x").length();
        }
        return length;
    }

    public static void main(String[] arguments) {
        Seldom seldom = new Seldom();
        for (int i = 0; i < 3; ++i) {
            seldom.takeAll(20);
        }
        if (arguments.length > 100) {
            explain(); // never
        }
        seldom.take(areaOf(new Square(3)));
        seldom.take(areaOf(new Square(4)));
        seldom.take(areaOf(new Circle()));
        System.out.println(seldom.sum + work() + Table.SQUARES[3]);
    }
}
