package programs;

import java.util.function.IntSupplier;

/** Every kind of call that a class can make of another one's methods. */
public final class Dispatch {
  abstract static class Shape {
    private final int id;

    Shape(int id) {
      super();
      this.id = id;
    }

    abstract int sides();

    int describe() {
      return id + sides(); //> A.sides 60000, B.sides 60000, C.sides 60000, D.sides 60000, E.sides 60000, F.sides 60000
    }

    private int secret() {
      return id;
    }

    int callSecret() {
      return secret(); //> Shape.secret 60000
    }
  }

  static class A extends Shape {
    A() {
      this(1); //> A.<init>(I)V 1
    }

    A(int id) {
      super(id); //> Shape.<init> 2
    }

    @Override
    int sides() {
      return 1;
    }
  }

  static class B extends A {
    B() {
      super(2); //> A.<init>(I)V 1
    }

    @Override
    int sides() {
      return 2 + super.sides(); //> A.sides 260000
    }
  }

  static final class C extends Shape {
    C() {
      super(3); //> Shape.<init> 1
    }

    @Override
    int sides() {
      return 3;
    }
  }

  static final class D extends Shape {
    D() {
      super(4); //> Shape.<init> 1
    }

    @Override
    int sides() {
      return 4;
    }
  }

  static final class E extends Shape {
    E() {
      super(5); //> Shape.<init> 1
    }

    @Override
    int sides() {
      return 5;
    }
  }

  static final class F extends Shape {
    F() {
      super(6); //> Shape.<init> 1
    }

    @Override
    int sides() {
      return 6;
    }
  }

  interface Named {
    int name();

    default int twice() {
      return name() + name(); //> First.name 60000, First.name 60000
    }

    private int hidden() {
      return 5;
    }

    default int open() {
      return hidden(); //> Named.hidden 120000
    }

    static int fixed() {
      return 7;
    }
  }

  static final class First implements Named {
    @Override
    public int name() {
      return 1;
    }
  }

  static final class Second implements Named {
    @Override
    public int name() {
      return 2;
    }

    @Override
    public int twice() {
      return Named.super.open(); //> Named.open 60000
    }
  }

  enum Op { //> Op.$values 1
    ADD { //> Op$1.<init> 1, Op.<init> 1
      @Override
      int apply(int a) {
        return a + 1;
      }
    },
    NEGATE { //> Op$2.<init> 1, Op.<init> 1
      @Override
      int apply(int a) {
        return -a;
      }
    };

    abstract int apply(int a);
  }

  final class Inner {
    int value() {
      return field;
    }

    int deeper() {
      return outer(); //> Dispatch.outer 60000
    }
  }

  private final int field = 9;

  int outer() {
    return field;
  }

  static int varargs(int... values) {
    return values.length;
  }

  static synchronized int synchronizedStatic(int x) {
    return x + 1;
  }

  synchronized int synchronizedMethod(int x) {
    return x + 2;
  }

  /** Nine arguments of two words: the call goes through wide loads and a deep stack. */
  static long manyArguments(
      long a, double b, long c, double d, long e, double f, long g, double h, long i) {
    return (long) (a + b + c + d + e + f + g + h + i);
  }

  static int virtual(int rounds, Shape... shapes) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += shapes[i % shapes.length].sides(); //> A.sides 140000, B.sides 140000, C.sides 80000, D.sides 50000, E.sides 20000, F.sides 20000
    }
    return sum;
  }

  static int classes(int rounds, Shape[] shapes) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      Shape shape = shapes[i % 6];
      sum += shape.describe(); //> Shape.describe 360000
      if (shape instanceof B) {
        sum += shape.sides(); //> B.sides 60000
        sum += shape.callSecret(); //> Shape.callSecret 60000
      }
    }
    return sum;
  }

  static int interfaces(int rounds, Named first, Named second) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      Named either = i % 3 == 0 ? second : first;
      sum += either.name(); //> First.name 40000, Second.name 20000
      sum += first.twice(); //> Named.twice 60000
      sum += second.twice(); //> Second.twice 60000
      sum += either.open(); //> Named.open 60000
      sum += Named.fixed(); //> Named.fixed 60000
    }
    return sum;
  }

  static long assorted(int rounds) {
    Dispatch outer = new Dispatch(); //> Dispatch.<init> 1
    Inner inner = outer.new Inner(); //> Inner.<init> 1
    IntSupplier anonymous = //> Dispatch$1.<init> 1
        new IntSupplier() {
          @Override
          public int getAsInt() {
            return 11;
          }
        };
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += inner.value(); //> Inner.value 60000
      sum += inner.deeper(); //> Inner.deeper 60000
      sum += anonymous.getAsInt(); //> Dispatch$1.getAsInt 60000
      sum += varargs(); //> Dispatch.varargs 60000
      sum += varargs(i, i, i); //> Dispatch.varargs 60000
      sum += synchronizedStatic(i); //> Dispatch.synchronizedStatic 60000
      sum += outer.synchronizedMethod(i); //> Dispatch.synchronizedMethod 60000
      sum += manyArguments(i, 1, 2, 3, 4, 5, 6, 7, 8); //> Dispatch.manyArguments 60000
      Op op = (i & 3) == 0 ? Op.ADD : Op.NEGATE; //> Op.<clinit> 1
      sum += op.apply(i); //> Op$1.apply 15000, Op$2.apply 45000
    }
    return sum;
  }

  public static void main(String[] args) { //< Dispatch.main (root) 1
    A a = new A(); //> A.<init>()V 1
    B b = new B(); //> B.<init> 1
    C c = new C(); //> C.<init> 1
    D d = new D(); //> D.<init> 1
    E e = new E(); //> E.<init> 1
    F f = new F(); //> F.<init> 1
    long sum = virtual(120000, a, b); //> Dispatch.virtual 1
    sum += virtual(90000, a, b, c); //> Dispatch.virtual 1
    sum += virtual(120000, a, b, c, d); //> Dispatch.virtual 1
    sum += virtual(120000, a, b, c, d, e, f); //> Dispatch.virtual 1
    sum += classes(360000, new Shape[] {a, b, c, d, e, f}); //> Dispatch.classes 1
    sum += interfaces(60000, new First(), new Second()); //> Dispatch.interfaces 1, First.<init> 1, Second.<init> 1
    sum += assorted(60000); //> Dispatch.assorted 1
    System.out.println(sum);
  }
}
