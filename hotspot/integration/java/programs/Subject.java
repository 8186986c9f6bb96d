package programs;

/** Redefined while it runs. */
final class Subject {
  static int one(int x) {
    return x + 1;
  }

  static int two(int x) {
    return x + 2;
  }

  static int run(int x) {
    return one(x); //> Subject.one 50000
  }

  static int many() {
    int sum = 0;
    for (int i = 0; i < 12345; i++) {
      sum += one(i); //> Subject.one 23456
    }
    return sum;
  }
}
