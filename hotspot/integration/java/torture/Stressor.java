package torture;

/** Does what profilers get wrong. Runs on many threads at once, with itself and others. */
public interface Stressor {
  /** A checksum of what was computed. It depends on the seed and the round only, never on time. */
  long run(long seed, int round) throws Exception;

  static long mix(long checksum, long value) {
    long mixed = (checksum ^ value) * 0x9e3779b97f4a7c15L;
    return mixed ^ (mixed >>> 29);
  }
}
