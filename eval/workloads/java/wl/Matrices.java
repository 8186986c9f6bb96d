package wl;

import java.util.Random;

/** What the kernels work on, the same in each run. */
final class Matrices {
  private Matrices() {}

  static double[] randomVector(int length, long seed) {
    Random random = new Random(seed);
    double[] vector = new double[length];
    for (int i = 0; i < length; i++) {
      vector[i] = random.nextDouble();
    }
    return vector;
  }

  static double[][] randomMatrix(int rows, int columns, long seed) {
    double[][] matrix = new double[rows][];
    for (int i = 0; i < rows; i++) {
      matrix[i] = randomVector(columns, seed * rows + i);
    }
    return matrix;
  }

  static void scale(double[] vector, double factor) {
    for (int i = 0; i < vector.length; i++) {
      vector[i] *= factor;
    }
  }

  /** Of what is equal but for the last digits, which JITs may round otherwise. */
  static long checksum(double[] vector) {
    long sum = vector.length;
    for (double value : vector) {
      sum = 31 * sum + Math.round(value * 1e6);
    }
    return sum;
  }

  static long checksum(double[][] matrix) {
    long sum = matrix.length;
    for (double[] row : matrix) {
      sum = 31 * sum + checksum(row);
    }
    return sum;
  }
}
