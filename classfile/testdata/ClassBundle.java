import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The JVM's side of roundtrip_unittest.cc. A bundle is a number of class files (int), then each
 * as internal name (writeUTF), length (int) and bytes.
 *
 * <pre>
 * collect-module BUNDLE MODULE   every class of a module of the running JDK
 * collect-jars BUNDLE JAR...     every class of jars; of equal names, the first
 * jar BUNDLE JAR                 makes a jar of a bundle, for --patch-module
 * link BUNDLE REPORT             defines and links every class, not initialising any
 * link-module BUNDLE REPORT      links the boot loader's classes of the bundle's names
 * </pre>
 *
 * A report has one line for each class that did not link: its name, a tab, the error's class.
 * Asking for constructors links: HotSpot's JVM_GetClassDeclaredConstructors begins with it.
 */
public final class ClassBundle {
  public static void main(String[] args) throws Exception {
    Path bundle = Path.of(args[1]);
    switch (args[0]) {
      case "collect-module" -> write(bundle, collectModule(args[2]));
      case "collect-jars" -> write(bundle, collectJars(List.of(args).subList(2, args.length)));
      case "jar" -> writeJar(Path.of(args[2]), read(bundle));
      case "link" -> {
        Map<String, byte[]> classes = read(bundle);
        report(args[2], classes, new BundleLoader(classes));
      }
      case "link-module" -> report(args[2], read(bundle), null);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static Map<String, byte[]> collectModule(String module) throws IOException {
    Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", module);
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files = walk.filter(p -> p.toString().endsWith(".class")).collect(Collectors.toList());
    }
    Map<String, byte[]> classes = new TreeMap<>();
    for (Path file : files) {
      classes.put(internalName(root.relativize(file).toString()), Files.readAllBytes(file));
    }
    classes.remove("module-info");
    return classes;
  }

  private static Map<String, byte[]> collectJars(List<String> jars) throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    for (String jar : jars) {
      try (JarFile file = new JarFile(jar)) {
        for (ZipEntry entry : Collections.list(file.entries())) {
          String name = entry.getName();
          if (name.endsWith(".class") && !name.startsWith("META-INF/")
              && !name.endsWith("module-info.class")
              && !classes.containsKey(internalName(name))) {
            try (InputStream in = file.getInputStream(entry)) {
              classes.put(internalName(name), in.readAllBytes());
            }
          }
        }
      }
    }
    return classes;
  }

  private static String internalName(String path) {
    return path.substring(0, path.length() - ".class".length());
  }

  private static void write(Path bundle, Map<String, byte[]> classes) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(bundle)))) {
      out.writeInt(classes.size());
      for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
        out.writeUTF(entry.getKey());
        out.writeInt(entry.getValue().length);
        out.write(entry.getValue());
      }
    }
  }

  private static Map<String, byte[]> read(Path bundle) throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(bundle)))) {
      for (int left = in.readInt(); left > 0; left--) {
        String name = in.readUTF();
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        classes.put(name, bytes);
      }
    }
    return classes;
  }

  private static void writeJar(Path jar, Map<String, byte[]> classes) throws IOException {
    try (ZipOutputStream out =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)))) {
      for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
        byte[] bytes = entry.getValue();
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry zip = new ZipEntry(entry.getKey() + ".class");
        zip.setMethod(ZipEntry.STORED);
        zip.setSize(bytes.length);
        zip.setCrc(crc.getValue());
        out.putNextEntry(zip);
        out.write(bytes);
      }
    }
  }

  private static void report(String path, Map<String, byte[]> classes, ClassLoader loader)
      throws IOException {
    Map<String, String> errors = new TreeMap<>();
    for (String name : classes.keySet()) {
      try {
        Class.forName(name.replace('/', '.'), false, loader).getDeclaredConstructors();
      } catch (Throwable error) {
        errors.put(name, error.getClass().getName());
      }
    }
    try (PrintStream out = new PrintStream(path, StandardCharsets.UTF_8)) {
      errors.forEach((name, error) -> out.print(name + "\t" + error + "\n"));
    }
    System.out.println(classes.size() - errors.size() + " of " + classes.size() + " linked");
  }

  private static final class BundleLoader extends ClassLoader {
    private final Map<String, byte[]> classes;

    BundleLoader(Map<String, byte[]> classes) {
      super(ClassLoader.getPlatformClassLoader());
      this.classes = new HashMap<>(classes);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        byte[] bytes = classes.get(name.replace('.', '/'));
        // The platform's own packages cannot be defined here.
        return bytes == null || name.startsWith("java.")
            ? super.loadClass(name, resolve)
            : defineClass(name, bytes, 0, bytes.length);
      }
    }
  }
}
