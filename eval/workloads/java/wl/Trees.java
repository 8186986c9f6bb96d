package wl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Folders and files. */
final class Trees {
  private Trees() {}

  /** The regular files below {@code root} whose name ends in {@code suffix}, in a fixed order. */
  static List<Path> files(Path root, String suffix) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths
          .filter(path -> Files.isRegularFile(path) && path.toString().endsWith(suffix))
          .sorted(Comparator.comparing(Path::toString))
          .collect(Collectors.toList());
    }
  }

  static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  static Path temporaryFolder(String name) throws IOException {
    return Files.createTempDirectory("wl-" + name);
  }

  static void delete(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    List<Path> childrenFirst;
    try (Stream<Path> paths = Files.walk(root)) {
      childrenFirst = paths.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path path : childrenFirst) {
      Files.delete(path);
    }
  }
}
