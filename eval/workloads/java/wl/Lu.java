package wl;

/** LU factorisation with partial pivoting, of several sizes; as SciMark's. */
public final class Lu implements Workload {
  private static final int[] SIZES = {10, 50, 200};
  private static final Timings FACTOR = Timings.of("wl.Lu.factor([[D[I)I");
  private static final Timings COPY = Timings.of("wl.Lu.copy([[D[[D)V");

  @Override
  public long run() {
    long checksum = 0;
    for (int size : SIZES) {
      double[][] matrix = Matrices.randomMatrix(size, size, size);
      double[][] factors = new double[size][size];
      int[] pivots = new int[size];
      for (int i = 0; i < 120_000_000 / (size * size * size); i++) {
        long begun = Timings.now();
        copy(factors, matrix);
        COPY.add(begun);
        begun = Timings.now();
        checksum += factor(factors, pivots);
        FACTOR.add(begun);
      }
      checksum = 31 * checksum + Matrices.checksum(factors);
    }
    return checksum;
  }

  static void copy(double[][] to, double[][] from) {
    for (int i = 0; i < to.length; i++) {
      System.arraycopy(from[i], 0, to[i], 0, to[i].length);
    }
  }

  /** How many rows were exchanged. */
  static int factor(double[][] a, int[] pivots) {
    int n = a.length;
    int exchanged = 0;
    for (int j = 0; j < n; j++) {
      int pivot = largest(a, j);
      pivots[j] = pivot;
      if (pivot != j) {
        double[] row = a[pivot];
        a[pivot] = a[j];
        a[j] = row;
        exchanged++;
      }
      double reciprocal = 1 / a[j][j];
      for (int i = j + 1; i < n; i++) {
        a[i][j] *= reciprocal;
        subtract(a[i], a[j], j);
      }
    }
    return exchanged;
  }

  private static int largest(double[][] a, int column) {
    int largest = column;
    for (int i = column + 1; i < a.length; i++) {
      if (Math.abs(a[i][column]) > Math.abs(a[largest][column])) {
        largest = i;
      }
    }
    return largest;
  }

  private static void subtract(double[] row, double[] pivotRow, int column) {
    double factor = row[column];
    for (int k = column + 1; k < row.length; k++) {
      row[k] -= factor * pivotRow[k];
    }
  }
}
