package wl;

import java.util.Random;

/** Sparse matrices in rows, times vectors, of several sizes; as SciMark's. */
public final class SparseMultiply implements Workload {
  private static final int[] SIZES = {50, 1_000, 20_000};
  private static final int PER_ROW = 10;
  private static final Timings MULTIPLY = Timings.of("wl.SparseMultiply.multiply([D[D[I[I[D)V");

  @Override
  public long run() {
    long checksum = 0;
    for (int size : SIZES) {
      double[] values = Matrices.randomVector(size * PER_ROW, size);
      int[] columns = new int[size * PER_ROW];
      int[] rows = new int[size + 1];
      Random random = new Random(size);
      for (int i = 0; i < columns.length; i++) {
        columns[i] = random.nextInt(size);
      }
      for (int i = 0; i <= size; i++) {
        rows[i] = i * PER_ROW;
      }
      double[] x = Matrices.randomVector(size, 2 * size);
      double[] y = new double[size];
      for (int i = 0; i < 4_000_000 / size; i++) {
        long begun = Timings.now();
        multiply(y, values, rows, columns, x);
        MULTIPLY.add(begun);
      }
      checksum = 31 * checksum + Matrices.checksum(y);
    }
    return checksum;
  }

  static void multiply(double[] y, double[] values, int[] rows, int[] columns, double[] x) {
    for (int row = 0; row < y.length; row++) {
      double sum = 0;
      for (int i = rows[row]; i < rows[row + 1]; i++) {
        sum += x[columns[i]] * values[i];
      }
      y[row] = sum;
    }
  }
}
