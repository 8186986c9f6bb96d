package yieldpoint.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import jdk.vm.ci.amd64.AMD64;
import jdk.vm.ci.amd64.AMD64Kind;
import jdk.vm.ci.code.BytecodeFrame;
import jdk.vm.ci.code.DebugInfo;
import jdk.vm.ci.code.Location;
import jdk.vm.ci.code.Register;
import jdk.vm.ci.code.StackLockValue;
import jdk.vm.ci.code.StackSlot;
import jdk.vm.ci.code.site.Call;
import jdk.vm.ci.code.site.ConstantReference;
import jdk.vm.ci.code.site.DataPatch;
import jdk.vm.ci.code.site.ExceptionHandler;
import jdk.vm.ci.code.site.Infopoint;
import jdk.vm.ci.code.site.InfopointReason;
import jdk.vm.ci.code.site.Mark;
import jdk.vm.ci.code.site.Site;
import jdk.vm.ci.hotspot.HotSpotForeignCallTarget;
import jdk.vm.ci.hotspot.HotSpotReferenceMap;
import jdk.vm.ci.meta.Constant;
import jdk.vm.ci.meta.JavaConstant;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.JavaValue;
import jdk.vm.ci.meta.PlatformKind;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.VMConstant;
import jdk.vm.ci.meta.Value;
import jdk.vm.ci.meta.ValueKind;

/** JVMCI's sites, of the numbers that SiteWriter writes. */
final class Sites {
  // SiteWriter::Site.
  private static final int MARK = 1;
  private static final int CALL = 2;
  private static final int FOREIGN = 3;
  private static final int POLL = 4;
  private static final int CONSTANT = 5;
  private static final int HANDLER = 6;
  private static final int FRAME = 7;
  private static final int PLAN_NUMBERS = 2;
  private static final int DURING_CALL = 1;
  private static final int RETHROW = 2;
  private static final int KNOWN_STATE = 1;
  private static final int KNOWN_EMPTY = 2;
  private static final int PLACED = -1;
  private static final int SLOT_BYTES = 8;

  // PlacedValue::Place.
  private static final int SLOT = 1;
  private static final int REGISTER = 2;
  private static final int XMM = 3;
  private static final int CONSTANT_VALUE = 4;
  private static final int OBJECT = 5;
  private static final int DIRECT_CALL_BYTES = 5;

  // Kind of kinds.h.
  private static final int REFERENCE = 5;
  private static final Comparator<Site> BY_PLACE = new ByPlace();
  private static final JavaKind[] KINDS = {
    JavaKind.Illegal, JavaKind.Int, JavaKind.Long, JavaKind.Float, JavaKind.Double,
    JavaKind.Object, JavaKind.Illegal
  };
  private static final PlainKind QWORD = new PlainKind(AMD64Kind.QWORD);
  private static final PlainKind[] SLOT_KINDS = {
    null, new PlainKind(AMD64Kind.DWORD), QWORD, new PlainKind(AMD64Kind.SINGLE),
    new PlainKind(AMD64Kind.DOUBLE), QWORD, null
  };

  // What most frames have: objects that cannot change, made when they are first asked for.
  private static final int KNOWN_SLOTS = 64;
  private static final StackSlot[][] KNOWN_STACK_SLOTS = new StackSlot[SLOT_KINDS.length][KNOWN_SLOTS];
  private static final Location[] KNOWN_LOCATIONS = new Location[KNOWN_SLOTS];

  // By the numbers of x64::Reg and x64::Xmm. JVMCI's own lists have other types on other JDKs.
  private static final Register[] REGISTERS = {
    AMD64.rax, AMD64.rcx, AMD64.rdx, AMD64.rbx, AMD64.rsp, AMD64.rbp, AMD64.rsi, AMD64.rdi,
    AMD64.r8, AMD64.r9, AMD64.r10, AMD64.r11, AMD64.r12, AMD64.r13, AMD64.r14, AMD64.r15
  };
  private static final Register[] XMM_REGISTERS = {
    AMD64.xmm0, AMD64.xmm1, AMD64.xmm2, AMD64.xmm3, AMD64.xmm4, AMD64.xmm5, AMD64.xmm6, AMD64.xmm7,
    AMD64.xmm8, AMD64.xmm9, AMD64.xmm10, AMD64.xmm11, AMD64.xmm12, AMD64.xmm13, AMD64.xmm14,
    AMD64.xmm15
  };

  private final int[] numbers;
  private int next = PLAN_NUMBERS;
  private final ResolvedJavaMethod method;
  private final List<VirtualFrame> frames = new ArrayList<>();
  private final List<ResolvedJavaMethod> callees;
  private final List<Constant> constants;

  Sites(int[] numbers, ResolvedJavaMethod method, List<ResolvedJavaMethod> callees,
      List<Constant> constants) {
    this.numbers = numbers;
    this.method = method;
    this.callees = callees;
    this.constants = constants;
  }

  static int kindNumber(JavaKind kind) {
    JavaKind stackKind = kind.getStackKind();
    for (int i = 1; i <= REFERENCE; i++) {
      if (KINDS[i] == stackKind) {
        return i;
      }
    }
    return 0;
  }

  int frameBytes() {
    return numbers[0];
  }

  StackSlot rescueSlot() {
    return StackSlot.get(QWORD, numbers[1], false);
  }

  /** In the order of their places, as the VM needs them. */
  Site[] all() {
    List<Site> sites = new ArrayList<>();
    while (next < numbers.length) {
      if (numbers[next] == FRAME) {
        next += 2; // It has no place in the code.
        frames.add(new VirtualFrame());
      } else {
        sites.add(site());
      }
    }
    Site[] sorted = sites.toArray(new Site[0]);
    Arrays.sort(sorted, BY_PLACE); // keeps equal ones' order
    return sorted;
  }

  private Site site() {
    int kind = take();
    int at = take();
    switch (kind) {
      case MARK:
        return new Mark(at, take());
      case CALL:
        {
          ResolvedJavaMethod callee = callees.get(take());
          int bytes = take();
          return new Call(callee, at, bytes, bytes == DIRECT_CALL_BYTES, state());
        }
      case FOREIGN:
        {
          long address = (take() & 0xffffffffL) | (long) take() << 32;
          int bytes = take();
          int known = take();
          DebugInfo info =
              known == KNOWN_STATE ? state() : known == KNOWN_EMPTY ? noReferences() : null;
          return new Call(new Function(address), at, bytes, true, info);
        }
      case POLL:
        return new Infopoint(at, state(), InfopointReason.SAFEPOINT);
      case CONSTANT:
        return new DataPatch(at, new ConstantReference((VMConstant) constants.get(take())));
      case HANDLER:
        return new ExceptionHandler(at, take());
      default:
        throw new IllegalStateException("site " + kind);
    }
  }

  private int take() {
    return numbers[next++];
  }

  private static DebugInfo noReferences() {
    DebugInfo info = new DebugInfo(null);
    info.setReferenceMap(references(new ArrayList<>()));
    return info;
  }

  /** Where a Java frame's values are, and what its caller is in, if that is in the same code. */
  private final class VirtualFrame {
    final ResolvedJavaMethod of;
    final int localsAt;
    final int stackAt;
    final int locksAt;
    final BytecodeFrame caller;
    final List<Location> callersReferences = new ArrayList<>();

    VirtualFrame() {
      int number = take();
      of = number < 0 ? method : callees.get(number);
      localsAt = take();
      stackAt = take();
      locksAt = take();
      caller = take() == 0 ? null : frame(callersReferences);
    }
  }

  private DebugInfo state() {
    if (numbers[next] == PLACED) {
      next++;
      return placedState();
    }
    List<Location> references = new ArrayList<>();
    DebugInfo info = new DebugInfo(frame(references));
    info.setReferenceMap(references(references));
    return info;
  }

  /** Adds where the frame and those around it have references. */
  private BytecodeFrame frame(List<Location> references) {
    VirtualFrame virtual = frames.get(take());
    references.addAll(virtual.callersReferences);
    int bci = take();
    int flags = take();
    int locals = take();
    int stack = take();
    int locks = take();
    JavaValue[] values = new JavaValue[locals + stack + locks];
    JavaKind[] kinds = new JavaKind[locals + stack];
    int packed = 0;
    for (int i = 0; i < locals + stack; i++) {
      packed = i % 8 == 0 ? take() : packed >>> 4;
      int kind = packed & 0xf;
      kinds[i] = KINDS[kind];
      if (SLOT_KINDS[kind] == null) {
        values[i] = Value.ILLEGAL;
        continue;
      }
      int offset = i < locals ? virtual.localsAt + SLOT_BYTES * i
          : virtual.stackAt + SLOT_BYTES * (i - locals);
      values[i] = slot(kind, offset);
      if (kind == REFERENCE) {
        references.add(location(offset));
      }
    }
    for (int i = 0; i < locks; i++) {
      int object = virtual.locksAt + 2 * SLOT_BYTES * i;
      values[locals + stack + i] = monitor(object);
      references.add(location(object));
    }
    return new BytecodeFrame(
        virtual.caller, virtual.of, bci, (flags & RETHROW) != 0, (flags & DURING_CALL) != 0,
        values, kinds, locals, stack, locks);
  }

  private DebugInfo placedState() {
    BytecodeFrame frame = null;
    for (int left = take(); left > 0; left--) {
      frame = placedFrame(frame);
    }
    List<Location> references = new ArrayList<>();
    for (int left = take(); left > 0; left--) {
      int value = take();
      references.add(
          (value >> 4 & 0xf) == SLOT
              ? location(value >> 8)
              : Location.register(REGISTERS[value >> 8]));
    }
    DebugInfo info = new DebugInfo(frame);
    info.setReferenceMap(references(references));
    return info;
  }

  private BytecodeFrame placedFrame(BytecodeFrame caller) {
    int number = take();
    int bci = take();
    int flags = take();
    int locals = take();
    int stack = take();
    int locks = take();
    JavaValue[] values = new JavaValue[locals + stack + locks];
    JavaKind[] kinds = new JavaKind[locals + stack];
    for (int i = 0; i < locals + stack; i++) {
      int value = take();
      kinds[i] = KINDS[value & 0xf];
      values[i] = placedValue(value);
    }
    for (int i = 0; i < locks; i++) {
      int object = take();
      values[locals + stack + i] = monitor(object);
    }
    return new BytecodeFrame(
        caller, number < 0 ? method : callees.get(number), bci, (flags & RETHROW) != 0,
        (flags & DURING_CALL) != 0, values, kinds, locals, stack, locks);
  }

  private JavaValue placedValue(int value) {
    int kind = value & 0xf;
    int place = value >> 8;
    switch (value >> 4 & 0xf) {
      case SLOT:
        return slot(kind, place);
      case REGISTER:
        return REGISTERS[place].asValue(SLOT_KINDS[kind]);
      case XMM:
        return XMM_REGISTERS[place].asValue(SLOT_KINDS[kind]);
      case CONSTANT_VALUE:
        return constantValue(KINDS[kind], (take() & 0xffffffffL) | (long) take() << 32);
      case OBJECT:
        return (JavaConstant) constants.get(place);
      default:
        return Value.ILLEGAL;
    }
  }

  private static StackSlot slot(int kind, int offset) {
    int number = offset / SLOT_BYTES;
    if (offset % SLOT_BYTES != 0 || number < 0 || number >= KNOWN_SLOTS) {
      return StackSlot.get(SLOT_KINDS[kind], offset, false);
    }
    StackSlot known = KNOWN_STACK_SLOTS[kind][number];
    if (known == null) {
      known = StackSlot.get(SLOT_KINDS[kind], offset, false);
      KNOWN_STACK_SLOTS[kind][number] = known;
    }
    return known;
  }

  private static Location location(int offset) {
    int number = offset / SLOT_BYTES;
    if (offset % SLOT_BYTES != 0 || number < 0 || number >= KNOWN_SLOTS) {
      return Location.stack(offset);
    }
    Location known = KNOWN_LOCATIONS[number];
    if (known == null) {
      known = Location.stack(offset);
      KNOWN_LOCATIONS[number] = known;
    }
    return known;
  }

  /** Its object is in the frame's slot there, and the BasicLock in the next one. */
  private static StackLockValue monitor(int object) {
    return new StackLockValue(
        StackSlot.get(QWORD, object, false),
        StackSlot.get(QWORD, object + SLOT_BYTES, false),
        false);
  }

  private static JavaConstant constantValue(JavaKind kind, long bits) {
    switch (kind) {
      case Int:
        return JavaConstant.forInt((int) bits);
      case Long:
        return JavaConstant.forLong(bits);
      case Float:
        return JavaConstant.forFloat(Float.intBitsToFloat((int) bits));
      case Double:
        return JavaConstant.forDouble(Double.longBitsToDouble(bits));
      default:
        return JavaConstant.NULL_POINTER;
    }
  }

  private static HotSpotReferenceMap references(List<Location> places) {
    int[] sizes = new int[places.size()];
    Arrays.fill(sizes, SLOT_BYTES);
    return new HotSpotReferenceMap(
        places.toArray(new Location[0]), new Location[places.size()], sizes, SLOT_BYTES);
  }

  // No lambda, whose first one takes milliseconds of the VM's start.
  private static final class ByPlace implements Comparator<Site> {
    @Override
    public int compare(Site one, Site other) {
      return Integer.compare(one.pcOffset, other.pcOffset);
    }
  }

  private static final class Function extends HotSpotForeignCallTarget {
    Function(long address) {
      super(address);
    }
  }

  private static final class PlainKind extends ValueKind<PlainKind> {
    PlainKind(PlatformKind kind) {
      super(kind);
    }

    @Override
    public PlainKind changeType(PlatformKind kind) {
      return new PlainKind(kind);
    }
  }
}
