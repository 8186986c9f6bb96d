package wl;

/** Successive over-relaxation on square grids of several sizes; as SciMark's. */
public final class Sor implements Workload {
  private static final int[] SIZES = {20, 100, 400};
  private static final Timings SWEEP = Timings.of("wl.Sor.sweep([[DD)V");

  @Override
  public long run() {
    long checksum = 0;
    for (int size : SIZES) {
      double[][] grid = Matrices.randomMatrix(size, size, size);
      for (int i = 0; i < 30_000_000 / (size * size); i++) {
        long begun = Timings.now();
        sweep(grid, 1.25);
        SWEEP.add(begun);
      }
      checksum = 31 * checksum + Matrices.checksum(grid);
    }
    return checksum;
  }

  static void sweep(double[][] grid, double omega) {
    for (int i = 1; i < grid.length - 1; i++) {
      relax(grid[i - 1], grid[i], grid[i + 1], omega);
    }
  }

  private static void relax(double[] above, double[] row, double[] below, double omega) {
    for (int j = 1; j < row.length - 1; j++) {
      row[j] = omega / 4 * (above[j] + below[j] + row[j - 1] + row[j + 1]) + (1 - omega) * row[j];
    }
  }
}
