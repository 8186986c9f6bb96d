package yieldpoint.compiler;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaField;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.hotspot.HotSpotResolvedObjectType;
import jdk.vm.ci.meta.ConstantPool;

/**
 * What fields and methods a class's constants have been resolved to. The VM resolves them anew each
 * time that it is asked, which takes microseconds, and all methods of a class ask for the same ones,
 * wherever they are inlined. What is resolved stays so: only that is in here.
 *
 * <p>Nothing is kept alive: neither a class nor JVMCI's objects for it, with which an entry goes, at
 * a collection of the heap. A class that is redefined has another pool, by which its own constants
 * are asked for anew, and others' constants that name its methods as well.
 */
final class ResolvedConstants {
  // JVMCI has one object for each pool, as long as it is used.
  private static final Map<ConstantPool, ResolvedConstants> BY_POOL = new WeakHashMap<>();

  private final Map<Integer, Field> fields = new HashMap<>();
  private final Map<Integer, Call> calls = new HashMap<>();

  /** A field; of an instance's, `link` says all. */
  static final class Field {
    final long[] link;
    private final WeakReference<HotSpotResolvedJavaField> field;

    Field(long[] link, HotSpotResolvedJavaField field) {
      this.link = link;
      this.field = new WeakReference<>(field);
    }

    /** Null: it is gone. */
    HotSpotResolvedJavaField field() {
      return field.get();
    }
  }

  /** A method that is called; `link` without the numbers of a compilation. */
  static final class Call {
    final long[] link;
    final String descriptor;
    private final WeakReference<HotSpotResolvedJavaMethod> target;
    /** Of a virtual call: of which class receivers are at least. Null: not known yet. */
    private WeakReference<HotSpotResolvedObjectType> receiver;

    Call(long[] link, String descriptor, HotSpotResolvedJavaMethod target) {
      this.link = link;
      this.descriptor = descriptor;
      this.target = new WeakReference<>(target);
    }

    /** Null: it is gone, or its class has been redefined. */
    HotSpotResolvedJavaMethod target() {
      HotSpotResolvedJavaMethod known = target.get();
      return known != null
          && known.getConstantPool() == known.getDeclaringClass().getConstantPool() ? known : null;
    }

    synchronized HotSpotResolvedObjectType receiver() {
      return receiver == null ? null : receiver.get();
    }

    synchronized void setReceiver(HotSpotResolvedObjectType type) {
      receiver = new WeakReference<>(type);
    }
  }

  static synchronized ResolvedConstants of(ConstantPool pool) {
    ResolvedConstants known = BY_POOL.get(pool);
    if (known == null) {
      known = new ResolvedConstants();
      BY_POOL.put(pool, known);
    }
    return known;
  }

  private static int key(int index, int opcode) {
    return index << 8 | opcode;
  }

  synchronized Field field(int index, int opcode) {
    return fields.get(key(index, opcode));
  }

  synchronized void add(int index, int opcode, Field field) {
    fields.put(key(index, opcode), field);
  }

  synchronized Call call(int index, int opcode) {
    return calls.get(key(index, opcode));
  }

  synchronized void add(int index, int opcode, Call call) {
    calls.put(key(index, opcode), call);
  }
}
