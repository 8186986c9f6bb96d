#ifndef YP_COMPILER_BYTECODE_LINKAGE_H_
#define YP_COMPILER_BYTECODE_LINKAGE_H_

#include <cstdint>
#include <optional>

#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/signature.h"

namespace yp::compiler {

// Numbers that the VM's side of a compilation gives to what code refers to.
enum class ConstantId : uint32_t {};  // a class or an object
enum class MethodNumber : uint32_t {};

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
};

// What ldc and its kin load.
struct ConstantLink {
  Kind kind = Kind::kDead;  // kDead: not known before it is resolved
  bool resolved = false;    // the rest holds then
  int64_t bits = 0;         // of a number
  bool is_null = false;
  ConstantId object{};  // of a reference that is not null
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
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_LINKAGE_H_
