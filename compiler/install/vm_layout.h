#ifndef YP_COMPILER_INSTALL_VM_LAYOUT_H_
#define YP_COMPILER_INSTALL_VM_LAYOUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "compiler/bytecode/leaf_functions.h"
#include "compiler/install/vm_store.h"

namespace yp::compiler {

enum class Collector : uint8_t { kSerial, kParallel, kG1 };

// Places in compiled code that the VM must know of.
enum class Mark : uint8_t {
  kVerifiedEntry,
  kUnverifiedEntry,
  kOsrEntry,
  kExceptionHandler,
  kDeoptHandler,
  kDeoptMethodHandle,  // the handler for callers of method handles
  kFrameComplete,
  kEntryBarrier,
  kInvokeVirtual,
  kInvokeInterface,
  kInvokeStatic,
  kInvokeSpecial,
  kInvokeInline,  // a call of code that has dispatched by itself
  kPollFar,
  kPollReturnFar,  // behind a method's frame, just before its return
};
inline constexpr size_t kMarks = 15;

// Why compiled code gives up and lets the interpreter go on. The names are those of the bridge.
enum class Trap : uint8_t {
  kUnresolved,      // something that has not been resolved: compile anew when it has
  kUnresolvedKeep,  // the same in a method that has been compiled anew often enough
  kNullCheck,
  kBounds,
  kDivision,
  kClassCast,
  kArrayStore,
  kInterpreter,  // the rest: no memory, monitors, handlers of unresolved types
  // Before a loop: a check that might not have been reached in it. Compile anew without such.
  kSpeculation,
};
inline constexpr size_t kTraps = 9;

// The VM that this code runs in: offsets in bytes, absolute addresses, and what it does how.
// What the members of a group are, is what HotSpot calls so.
struct VmLayout {
  Collector collector = Collector::kSerial;
  int64_t jdk = 0;

  // JavaThread
  int32_t tlab_top = 0;
  int32_t tlab_end = 0;
  bool use_tlab = false;
  int32_t pending_deoptimization = 0;
  int32_t polling_page = 0;       // the address to load from
  int32_t pending_exception = 0;  // that a function of the VM's leaves behind
  int32_t exception_oop = 0;
  int32_t exception_pc = 0;
  // An int that is not 0 where an agent wants to know of the thread's exceptions; none: this VM
  // does not tell.
  std::optional<int32_t> posts_exceptions;
  int32_t vm_result = 0;
  int32_t last_java_sp = 0;
  int32_t last_java_fp = 0;
  int32_t last_java_pc = 0;
  // Two words that HotSpot leaves to its compiler (_jvmci_reserved0 and 1), and the thread's
  // JNIEnv.
  struct YieldpointWords {
    int32_t state = 0;   // eight bytes: YieldpointState
    int32_t record = 0;  // the same: YieldpointRecord*
    int32_t jni_environment = 0;
  };
  // None: this VM has no words for yieldpoints.
  std::optional<YieldpointWords> yieldpoints;

  // Methods with @ReservedStackAccess may go on in the stack's reserved zone. Who returns to a
  // place above the method that did must have the zone protected again, and the overflow thrown.
  struct ReservedStack {
    int32_t activation = 0;  // in JavaThread: that method's stack pointer, else the stack's base
    uint64_t enable = 0;     // void (JavaThread*): protects the zone
    uint64_t throw_delayed = 0;  // throws in the caller of what jumps there
    // How the method is known: a bit of 32 in its Method, or its ConstMethod if that is given.
    std::optional<int32_t> method_const;
    int32_t flags = 0;
    int32_t bit = 0;
  };
  // None: this VM does not tell.
  std::optional<ReservedStack> reserved_stack;

  // How methods are found in classes, and what they are called: what caller-indexed code targets
  // (compiler/ctb) need.
  struct Dispatch {
    int32_t klass_super = 0;
    int32_t klass_name = 0;
    int32_t klass_loader_data = 0;
    int32_t vtable_start = 0;   // from the Klass on; entries of eight bytes, each a Method*
    int32_t vtable_length = 0;  // a number of entries
    int32_t method_vtable_index = 0;
    int32_t method_compiled_entry = 0;
    int32_t method_access_flags = 0;
    int32_t method_const = 0;
    int32_t const_constants = 0;
    int32_t const_name = 0;
    int32_t const_descriptor = 0;
    int32_t pool_holder = 0;
    int32_t pool_bytes = 0;  // of a ConstantPool without its entries, which follow it
  };
  // None: this VM does not tell.
  std::optional<Dispatch> dispatch;

  // How monitors are entered and left as long as no other thread wants them. Each object's first
  // word, its mark, says in its two lowest bits whether it is locked.
  struct Monitors {
    enum class Way : uint8_t {
      kByVm,       // As the VM's functions know.
      kStack,      // HotSpot's LM_LEGACY: the mark leads to a BasicLock in a frame.
      kLockStack,  // LM_LIGHTWEIGHT: the thread has a stack of the objects that it has locked.
    };
    Way way = Way::kByVm;
    // kStack, in JavaThread: a word with the number of monitors that it holds; none: nothing
    // counts.
    std::optional<int32_t> held_count;
    // kLockStack, in JavaThread: the offset there of the first free entry, in four bytes, and what
    // that is when no entry is free.
    int32_t lock_stack_top = 0;
    int32_t lock_stack_end = 0;
    // An ObjectMonitor, to which the mark of an object leads that has one.
    struct Inflated {
      int32_t owner = 0;  // 0: nobody
      int32_t recursions = 0;
      // Two words, perhaps the same, that are not 0 while threads wait to enter.
      int32_t entering[2] = {0, 0};
      // In JavaThread: what it is as an owner; none: its address.
      std::optional<int32_t> thread_as_owner;
    };
    // None: the VM enters and leaves these.
    std::optional<Inflated> inflated;
  };
  Monitors monitors;

  // References and classes in objects
  bool compressed_oops = false;
  uint64_t oop_base = 0;
  uint8_t oop_shift = 0;
  bool compressed_classes = false;
  uint64_t klass_base = 0;
  uint8_t klass_shift = 0;
  int32_t klass_offset = 8;
  int32_t object_alignment = 8;  // of objects and their sizes
  int32_t array_length = 0;
  // Of an array's first element, by the letter of its type; references under 'L'.
  std::array<int32_t, 128> array_base{};
  int32_t ArrayBase(char type) const { return array_base[static_cast<size_t>(type)]; }
  int32_t OopBytes() const { return compressed_oops ? 4 : 8; }
  // An element takes 2^shift bytes.
  uint8_t ElementShift(char type) const;

  // Klass
  int32_t layout_helper = 0;
  int32_t super_check_offset = 0;
  int32_t secondary_supers = 0;
  int32_t secondary_super_cache = 0;
  int32_t element_klass = 0;   // ObjArrayKlass
  int32_t array_elements = 0;  // of an Array<Klass*>: its first element; its length is in front
  int32_t array_count = 0;
  int32_t boolean_array_bit = 0;  // set in the layout helper of boolean[], not of byte[]
  int32_t finalizer_flags = 0;    // where the flags with finalizer_bit are
  bool finalizer_flags_are_bytes = false;
  int32_t finalizer_bit = 0;
  // Where an OopHandle, the address of a reference, is: in a Klass that of its java.lang.Class, in
  // JavaThread that of Thread.currentThread().
  int32_t java_mirror = 0;
  int32_t current_thread = 0;
  int32_t class_klass = 0;  // in a java.lang.Class: the Klass, 0 of a primitive type
  // InstanceKlass: a byte that is fully_initialized in the end, and the thread that initializes it.
  int32_t init_state = 0;
  int32_t fully_initialized = 0;
  int32_t init_thread = 0;

  // Barriers of collectors
  uint64_t card_table = 0;
  uint8_t card_shift = 9;
  uint8_t region_shift = 0;  // G1
  int32_t satb_active = 0;   // G1, in JavaThread
  int32_t young_card = 0;    // G1

  // Code
  int32_t shadow_zone_bytes = 0;
  int32_t page_bytes = 4096;
  uint64_t uncommon_trap = 0;
  uint64_t deopt_unpack = 0;
  uint64_t inline_cache_miss = 0;
  uint64_t wrong_method = 0;  // where a call goes that must be resolved anew
  // The callee's class is here in what the inline cache holds; none: it is what the cache holds.
  std::optional<int32_t> inline_cache_klass;
  std::optional<int32_t> entry_guard;  // in JavaThread; none: no barrier at entries
  uint64_t entry_barrier = 0;
  bool post_call_nops = false;
  std::array<int32_t, kMarks> marks{};  // -1: this VM has no such mark
  std::array<int32_t, kTraps> traps{};
  int32_t MarkOf(Mark mark) const { return marks[static_cast<size_t>(mark)]; }
  int32_t TrapOf(Trap trap) const { return traps[static_cast<size_t>(trap)]; }

  // Functions
  uint64_t new_instance = 0;
  uint64_t new_array = 0;
  uint64_t new_multi_array = 0;
  // What a BasicLock must hold when its monitor is entered. Left over from another lock, it could
  // say that the object is locked by an outer BasicLock; then the monitor would never be left.
  int32_t basic_lock_before_entry = 0;
  uint64_t monitor_enter = 0;
  uint64_t monitor_exit = 0;
  uint64_t register_finalizer = 0;
  uint64_t exception_handler_for_pc = 0;
  uint64_t exception_handler_for_return = 0;
  uint64_t barrier_pre = 0;
  uint64_t barrier_post = 0;
  // int (from, its position, to, its position, length): not 0 where it has not copied all
  uint64_t array_copy = 0;
  uint64_t osr_migration_end = 0;
  uint64_t float_remainder = 0;
  uint64_t double_remainder = 0;
  std::array<uint64_t, kLeaves> leaves{};  // 0: this VM does not say, or has none.
  uint64_t LeafAddress(Leaf leaf) const { return leaves[static_cast<size_t>(leaf)]; }

  // Refuses a VM that the compiler does not know how to work in, in one line.
  static Result<VmLayout> From(const VmStore& store);
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_INSTALL_VM_LAYOUT_H_
