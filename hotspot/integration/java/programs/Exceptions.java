package programs;

/** Calls around exceptions: an announced call that never begins must not lend its name to another. */
public final class Exceptions {
  static final class Known extends RuntimeException {
    Known() {
      super(null, null, false, false);
    }
  }

  static int cleaned;

  static int thrower(int i) {
    if (i % 3 == 0) {
      throw new Known(); //> Known.<init> 90000
    }
    return i;
  }

  static int between(int i) {
    return thrower(i); //> Exceptions.thrower 90000
  }

  static int handle(int i) {
    return i & 1;
  }

  static void clean() {
    cleaned++;
  }

  static int catching(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      try {
        sum += thrower(i); //> Exceptions.thrower 90000
        sum += handle(i); //> Exceptions.handle 60000
      } catch (Known e) {
        sum += handle(i + 1); //> Exceptions.handle 30000
      } finally {
        clean(); //> Exceptions.clean 60000, Exceptions.clean 30000
      }
    }
    return sum;
  }

  static int fromBelow(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      try {
        sum += between(i); //> Exceptions.between 90000
      } catch (Known e) {
        sum -= handle(i); //> Exceptions.handle 30000
      }
    }
    return sum;
  }

  static final class Receiver {
    int method(int x) {
      return x + 1;
    }
  }

  static int missing(int rounds) {
    Receiver present = new Receiver(); //> Receiver.<init> 1
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      Receiver receiver = i % 2 == 0 ? present : null;
      try {
        sum += receiver.method(i); //> Receiver.method 45000
      } catch (NullPointerException e) {
        sum += handle(i); //> Exceptions.handle 45000
      }
    }
    return sum;
  }

  static int divide(int a, int b) {
    return a / b;
  }

  static int implicit(int rounds) {
    int[] array = new int[4];
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      try {
        sum += divide(i, i % 5); //> Exceptions.divide 90000
        sum += array[i % 8]++;
        sum += divide(8, 2); //> Exceptions.divide 36000
      } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
        clean(); //> Exceptions.clean 54000
      }
    }
    return sum;
  }

  static int unwinding(int depth) {
    if (depth == 0) {
      return thrower(0); //> Exceptions.thrower 30000
    }
    try {
      return unwinding(depth - 1); //> Exceptions.unwinding 90000
    } finally {
      clean(); //> Exceptions.clean 90000
    }
  }

  public static void main(String[] args) { //< Exceptions.main (root) 1
    int sum = catching(90000); //> Exceptions.catching 1
    sum += fromBelow(90000); //> Exceptions.fromBelow 1
    sum += missing(90000); //> Exceptions.missing 1
    sum += implicit(90000); //> Exceptions.implicit 1
    for (int i = 0; i < 30000; i++) {
      try {
        sum += unwinding(3); //> Exceptions.unwinding 30000
      } catch (Known e) {
        sum++;
      }
    }
    System.out.println(sum + " " + cleaned);
  }
}
