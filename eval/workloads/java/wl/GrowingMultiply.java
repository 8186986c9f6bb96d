package wl;

/**
 * The case in which Zimmer and Diehl's assumption fails (IV 2010, Figure 8): one method whose calls
 * last longer and longer. As SciMark measures itself, each call has twice as many repetitions as the
 * one before.
 */
public final class GrowingMultiply implements Workload {
  private static final int SIZE = 1_000;
  private static final int PER_ROW = 5;
  private static final Timings MULTIPLY = Timings.of("wl.GrowingMultiply.matmult([D[D[I[DI)V");

  @Override
  public long run() {
    double[] values = Matrices.randomVector(SIZE * PER_ROW, 1);
    int[] columns = new int[SIZE * PER_ROW];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = i * 7 % SIZE;
    }
    double[] x = Matrices.randomVector(SIZE, 2);
    double[] y = new double[SIZE];
    for (int repetitions = 1; repetitions <= 1 << 16; repetitions *= 2) {
      long begun = Timings.now();
      matmult(y, values, columns, x, repetitions);
      MULTIPLY.add(begun);
    }
    return Matrices.checksum(y);
  }

  static void matmult(double[] y, double[] values, int[] columns, double[] x, int repetitions) {
    for (int repetition = 0; repetition < repetitions; repetition++) {
      for (int row = 0; row < y.length; row++) {
        double sum = 0;
        for (int i = row * PER_ROW; i < (row + 1) * PER_ROW; i++) {
          sum += x[columns[i]] * values[i];
        }
        y[row] = sum;
      }
    }
  }
}
