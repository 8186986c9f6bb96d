package wl;

/** Fast Fourier transforms there and back, in place, of several sizes; as SciMark's. */
public final class Fft implements Workload {
  private static final int[] SIZES = {64, 1024, 16_384};
  private static final Timings TRANSFORM = Timings.of("wl.Fft.transform([DI)V");
  private static final Timings BIT_REVERSE = Timings.of("wl.Fft.bitReverse([D)V");

  @Override
  public long run() {
    long checksum = 0;
    for (int size : SIZES) {
      double[] data = Matrices.randomVector(2 * size, size);
      for (int i = 0; i < 1_000_000 / size; i++) {
        there(data, -1);
        there(data, 1);
        Matrices.scale(data, 1.0 / size);
      }
      checksum = 31 * checksum + Matrices.checksum(data);
    }
    return checksum;
  }

  private static void there(double[] data, int direction) {
    long begun = Timings.now();
    bitReverse(data);
    BIT_REVERSE.add(begun);
    begun = Timings.now();
    transform(data, direction);
    TRANSFORM.add(begun);
  }

  /** Of complex numbers in pairs, a power of two of them, in bit-reversed order. */
  static void transform(double[] data, int direction) {
    int n = data.length / 2;
    for (int dual = 1; dual < n; dual *= 2) {
      double theta = direction * Math.PI / dual;
      double s = Math.sin(theta);
      double t = 2 * Math.sin(theta / 2) * Math.sin(theta / 2);
      double real = 1;
      double imaginary = 0;
      for (int a = 0; a < dual; a++) {
        if (a > 0) {
          double next = real - s * imaginary - t * real;
          imaginary = imaginary + s * real - t * imaginary;
          real = next;
        }
        for (int b = a; b < n; b += 2 * dual) {
          int i = 2 * b;
          int j = 2 * (b + dual);
          double re = real * data[j] - imaginary * data[j + 1];
          double im = real * data[j + 1] + imaginary * data[j];
          data[j] = data[i] - re;
          data[j + 1] = data[i + 1] - im;
          data[i] += re;
          data[i + 1] += im;
        }
      }
    }
  }

  static void bitReverse(double[] data) {
    int n = data.length / 2;
    for (int i = 0, j = 0; i < n - 1; i++) {
      if (i < j) {
        swap(data, 2 * i, 2 * j);
        swap(data, 2 * i + 1, 2 * j + 1);
      }
      int k = n / 2;
      while (k <= j) {
        j -= k;
        k /= 2;
      }
      j += k;
    }
  }

  private static void swap(double[] data, int i, int j) {
    double kept = data[i];
    data[i] = data[j];
    data[j] = kept;
  }
}
