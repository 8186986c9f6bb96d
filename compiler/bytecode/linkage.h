#ifndef YP_COMPILER_BYTECODE_LINKAGE_H_
#define YP_COMPILER_BYTECODE_LINKAGE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/leaf_functions.h"
#include "compiler/bytecode/method.h"
#include "compiler/bytecode/signature.h"

namespace yp::compiler {

// Numbers that the VM's side of a compilation gives to what code refers to.
enum class ConstantId : uint32_t {};  // a class or an object
enum class MethodNumber : uint32_t {};

// What ldc and its kin load, and what a static final field holds for good.
struct ConstantLink {
  Kind kind = Kind::kDead;  // kDead: not known before it is resolved
  bool resolved = false;    // the rest holds then
  int64_t bits = 0;         // of a number
  bool is_null = false;
  ConstantId object{};  // of a reference that is not null
  int32_t length = -1;  // of that, where it is an array that a field holds
};

// A field that an instruction names.
struct FieldLink {
  char type = 'I';        // the first letter of its descriptor
  bool resolved = false;  // the rest holds then
  bool is_volatile = false;
  bool is_referent = false;  // java.lang.ref.Reference.referent, which collectors treat weakly
  int32_t offset = 0;        // in the object, or in the object of `holder`
  ConstantId holder{};       // of a static field: the java.lang.Class that has it
  // Of a static field: its class, if that is not initialized yet, which is then to be checked.
  std::optional<ConstantId> uninitialized;
  // Of a static final field: `resolved` where its value is known, which no store will change.
  ConstantLink constant;
};

// A method that compiled code has instructions for.
struct Intrinsic {
  // Intrinsics.java has the numbers, in one number with `type`, eight bits up, `is_volatile`,
  // sixteen, `leaf`, twenty-four, and `offset`, thirty-two.
  enum class Kind : uint8_t {
    kNone,
    kLoad,  // Of Unsafe: at an object, or null, and an offset.
    kStore,
    kCompareAndSet,
    kSquareRoot,
    kBits,  // The same bits as another type.
    kGetClass,
    kIsInstance,
    kCurrentThread,
    kArrayCopy,
    kRefersTo,  // Whether a java.lang.ref.Reference has that referent.
    kLeafCall,
    kAbsolute,  // Of a double: the same without its sign.
  };
  Kind kind = Kind::kNone;
  char type = 0;
  bool is_volatile = false;
  int32_t offset = 0;  // Of Reference.referent, or of the field that a leaf call takes.
  Leaf leaf{};
};

enum class Dispatch : uint8_t { kStatic, kSpecial, kVirtual, kInterface };

// A method that an instruction names.
struct CallLink {
  Signature signature;    // as the instruction names it: without the appendix
  bool resolved = false;  // the rest holds then
  Dispatch dispatch = Dispatch::kStatic;
  MethodNumber method{};
  // Passed as the last argument: of invokedynamic and of calls of method handles.
  std::optional<ConstantId> appendix;
  // The receiver must be an instance of this class, else IllegalAccessError: invokespecial in an
  // interface.
  std::optional<ConstantId> receiver_class;
  int32_t receiver_check_offset = 0;  // its Klass::_super_check_offset
  Intrinsic intrinsic;
};

// How a call is to go by caller-indexed code targets (compiler/ctb).
struct CallTarget {
  // kNone: as the VM links it. kDirect: the same, and its first execution is told. kIndexed: by the
  // caller's index in the dispatch slot.
  enum class Kind : uint8_t { kNone, kDirect, kIndexed };
  Kind kind = Kind::kNone;
  uint32_t number = 0;  // Of the call, among those of its kind.
  int32_t slot = 0;     // Bytes behind the receiver's class.
  uint32_t index = 0;
};

// A class that an instruction or a handler names.
struct TypeLink {
  bool resolved = false;  // the rest holds then
  ConstantId klass{};     // of anewarray: the array's class
  int32_t layout_helper = 0;
  int32_t super_check_offset = 0;
  // What `new` needs: linked, neither abstract nor an interface.
  bool can_instantiate = false;
  // It is not initialized yet, which `new` has then to check.
  bool is_uninitialized = false;
  // The same of whether its objects have a finalizer.
  bool has_finalizer = false;
};

// What must hold for a call to lead to a method.
struct GuardLink {
  enum class Kind : uint8_t {
    kNone,      // Nothing: there is no other, or class loading will make the code invalid first.
    kClass,     // The receiver is of this class.
    kSubclass,  // The receiver is an instance of this class.
    kMethod,    // The receiver's class has the method in this place of its dispatch table.
    kSubclassAndMethod,
  };
  Kind kind = Kind::kNone;
  ConstantId klass{};
  int32_t super_check_offset = 0;  // of the class
  ConstantId method{};
  int32_t vtable_offset = 0;  // bytes behind the receiver's class
  // The java.lang.Class of the class that declares the method. Nothing else need keep it alive.
  ConstantId mirror{};
};

// A method that a call may lead to.
struct CalleeLink {
  // Why its code cannot stand in another's, whatever it is worth.
  enum class Obstacle : uint8_t {
    kNone,
    kNoCode,          // native or abstract
    kNotInitialized,  // Its class is not, or not even linked.
  };
  MethodNumber method{};
  std::string name;   // as FullName has it
  int32_t bytes = 0;  // of its code
  Obstacle obstacle = Obstacle::kNone;
  GuardLink guard;
  bool is_abstract = false;
};

class Linkage;

// A callee, to be compiled where it is called.
struct OpenedMethod {
  Method method;
  std::unique_ptr<Linkage> linkage;
};

// What the VM knows about the constants of the class that is compiled. An implementation answers
// the same question always in the same way, also if the VM resolves it meanwhile.
// `index` is the operand of the instruction as it stands in the code.
class Linkage {
 public:
  virtual ~Linkage() = default;
  // nullptr: the constant is malformed, and the method is not compiled.
  virtual const FieldLink* Field(uint32_t index, uint8_t opcode) = 0;
  virtual const CallLink* Call(uint32_t index, uint8_t opcode) = 0;
  virtual TypeLink Type(uint32_t index, uint8_t opcode) = 0;
  // Of newarray: the class for `code` (JVMS 6.5.newarray).
  virtual TypeLink PrimitiveArray(uint8_t code) = 0;
  // Of a handler of the method by its place in the exception table.
  virtual TypeLink CaughtType(uint32_t handler) = 0;
  virtual ConstantLink Constant(uint32_t index) = 0;
  // The java.lang.Class of the class that declares the method.
  virtual ConstantId Holder() = 0;
  // That class itself.
  virtual ConstantId HolderClass() = 0;
  // For whom yieldpoints are taken: which call the one at this bytecode index is.
  virtual uint32_t CallSite(uint32_t bci) = 0;
  // Where there are code targets: how the call at this bytecode index is to go. `call` is resolved.
  virtual CallTarget TargetOf(uint32_t bci, const CallLink& call) = 0;

  // For inlining; without it no callee is known. `call` is resolved, and `index` and `opcode` are
  // those that it was asked for with.
  // The one method that the call can lead to as classes are now.
  virtual std::optional<CalleeLink> OnlyCallee(uint32_t, uint8_t, const CallLink&) {
    return std::nullopt;
  }
  // The method that the call leads to where that is declared by this class ("java.util.ArrayList"),
  // as the calls at `bci` are known to do at times.
  virtual std::optional<CalleeLink> CalleeOf(std::string_view, uint32_t /*bci*/, uint32_t, uint8_t,
                                             const CallLink&) {
    return std::nullopt;
  }
  // From now on the code holds only as long as that is the callee, which OnlyCallee gave without a
  // guard: it is called without a dispatch.
  virtual void Bind(MethodNumber) {}
  // One of the callees, without an obstacle, and what its own constants are. Each time anew.
  // Nothing where its code cannot be read, and where it must not stand in another's: it says so, by
  // @DontInline or @ReservedStackAccess, or the VM computes its result otherwise.
  virtual std::optional<OpenedMethod> Open(MethodNumber) { return std::nullopt; }
  // Of the method itself, as profiles have it: "java.util.ArrayList.add(Ljava/lang/Object;)Z".
  virtual std::string FullName() { return {}; }
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_LINKAGE_H_
