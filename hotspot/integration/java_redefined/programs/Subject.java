package programs;

/** What programs.Subject becomes. */
final class Subject {
  static int one(int x) {
    return x + 1;
  }

  static int two(int x) {
    return x + 2;
  }

  static int run(int x) {
    int shifted = (x << 2) ^ (x >> 3) ^ 0x12345;
    int mixed = shifted * 31 + x;
    return two(mixed) + one(shifted);
  }

  static int many() {
    return 0;
  }
}
