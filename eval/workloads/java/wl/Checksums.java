package wl;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

/** What the workloads' results are reduced to. */
final class Checksums {
  private Checksums() {}

  /** Counts and checksums what is written to it. */
  static final class Sink extends OutputStream {
    private final CRC32 crc = new CRC32();
    private long length;

    @Override
    public void write(int b) {
      crc.update(b);
      length++;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
      crc.update(bytes, offset, count);
      length += count;
    }

    long value() {
      return (length << 32) ^ crc.getValue();
    }
  }

  static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  static long crc(String text) {
    return crc(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a value to a checksum in which the order counts. */
  static long mix(long checksum, long value) {
    return Long.rotateLeft(checksum * 0x9E3779B97F4A7C15L, 17) ^ value;
  }

  /** Checksum of the names and contents of the class files below {@code root}. */
  static long classFiles(Path root) throws IOException {
    long sum = 0;
    for (Path file : Trees.files(root, ".class")) {
      long checksum = crc(root.relativize(file).toString());
      sum += mix(checksum, crc(Files.readAllBytes(file))) * 31;
    }
    return sum;
  }

  /** The same for generated parsers, leaving out ANTLR's heading (a time stamp) and all numbers. */
  static long generatedSources(Path root) throws IOException {
    long sum = 0;
    for (Path file : Trees.files(root, ".java")) {
      long checksum = crc(root.relativize(file).toString());
      for (String line : Files.readAllLines(file)) {
        if (!line.startsWith("// $ANTLR") && !line.startsWith("// Generated")) {
          checksum = mix(checksum, crc(line.replaceAll("[0-9]+", "#")));
        }
      }
      sum += checksum * 31;
    }
    return sum;
  }
}
