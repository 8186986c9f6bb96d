package yieldpoint.compiler;

import jdk.vm.ci.meta.ConstantPool;

/** Constants, where JDKs differ in how to look them up. */
final class Lookup {
  private static final int REFERENCE = 5;

  private Lookup() {}

  /** A JavaConstant, a JavaType, or null where it is not resolved. */
  static Object constant(ConstantPool pool, int index) {
    try {
      return Native.lookupConstant(pool, index);
    } catch (OutOfMemoryError e) {
      throw e; // That there was no memory to answer is no answer: it goes on to who asked.
    } catch (RuntimeException | Error e) {
      return null;
    }
  }

  /** Task.constant of one that is not resolved: what is known of its kind. */
  static long[] unresolved(ConstantPool pool, int index) {
    long[] link = new long[5];
    Object tag;
    try {
      tag = Native.tagAt(pool, index);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      tag = null;
    }
    link[0] = tag == null || tag.toString().startsWith("Dynamic") ? 0 : REFERENCE;
    return link;
  }
}
