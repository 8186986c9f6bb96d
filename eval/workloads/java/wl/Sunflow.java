package wl;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicLong;
import javax.imageio.ImageIO;
import org.sunflow.Benchmark;
import org.sunflow.image.Color;
import org.sunflow.system.UI;

/** Sunflow traces its own benchmark scene with four threads that share the picture's tiles. */
public final class Sunflow implements Workload {
  private static final int SIZE = 128;
  private static final int THREADS = 4;

  /** Leaves the colours' top bits: rounding may differ between compilations. */
  private static final int COLOUR_MASK = 0xE0E0E0;

  /**
   * Debian's jar lacks the reference picture that the benchmark loads from the class path. A blank
   * one does, since the pixels are checked here.
   */
  @Override
  public void setup(Path data) throws Exception {
    Path classes =
        Paths.get(Sunflow.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path picture = classes.resolve("resources/golden_0080.png");
    if (Files.exists(picture)) {
      return;
    }
    Files.createDirectories(picture.getParent());
    Path unfinished = Files.createTempFile(picture.getParent(), "golden", ".png");
    ImageIO.write(
        new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB), "png", unfinished.toFile());
    Files.move(unfinished, picture, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public long run() {
    PixelSum pixels = new PixelSum();
    pixels.kernelBegin();
    pixels.kernelMain();
    pixels.kernelEnd();
    return pixels.checksum.get();
  }

  private static final class PixelSum extends Benchmark {
    final AtomicLong checksum = new AtomicLong();

    PixelSum() {
      super(SIZE, false, false, false, THREADS, false);
    }

    @Override
    public void imageUpdate(
        int x, int y, int width, int height, Color[] colours, float[] alphas) {
      long sum = 0;
      for (int i = 0; i < width * height; i++) {
        long position = (x + i % width) * 4096L + y + i / width;
        int colour = colours[i].copy().toNonLinear().toRGB() & COLOUR_MASK;
        sum += Checksums.mix(position, colour);
      }
      checksum.addAndGet(sum);
    }

    @Override
    public void imageBegin(int width, int height, int bucketSize) {}

    @Override
    public void imagePrepare(int x, int y, int width, int height, int id) {}

    @Override
    public void imageFill(int x, int y, int width, int height, Color colour, float alpha) {}

    @Override
    public void imageEnd() {}

    @Override
    public void print(UI.Module module, UI.PrintLevel level, String message) {}
  }
}
