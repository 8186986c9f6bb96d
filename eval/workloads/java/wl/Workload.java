package wl;

import java.nio.file.Path;

/** A program that does the same work in every iteration. */
public interface Workload {
  /** Work done once, before the first iteration. {@code data} holds the prepared inputs. */
  default void setup(Path data) throws Exception {}

  /** Runs one iteration and returns a checksum of its results, the same in every iteration. */
  long run() throws Exception;
}
