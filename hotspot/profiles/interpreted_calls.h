#ifndef YP_HOTSPOT_PROFILES_INTERPRETED_CALLS_H_
#define YP_HOTSPOT_PROFILES_INTERPRETED_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "format/spool/records.h"
#include "hotspot/vmstructs/call_resolver.h"
#include "hotspot/vmstructs/class_reader.h"
#include "hotspot/vmstructs/placed_calls.h"

namespace yp::hotspot {

// Finds which calls the interpreter has executed: those that it has resolved (CallResolver), in
// code to which it came (PlacedCalls), of methods that it has counted as executed. Which method a
// virtual call has called is not recorded anywhere: each that overrides what the call names, and
// was executed, may be it.
//
// Not found: what invokedynamic and method handles call; what a class of the JDK, or another that
// is not observed, names, as most of what such a call calls is not observed either (of the edges
// that it has in groovy and ecj 3 and 20 % existed); what more than kMostCallees methods override;
// a call of a static method that was executed only while its class was being initialized, which the
// VM resolves anew each time; a default method that a class inherits from an interface and calls as
// its own.
//
// A class's initializer is called by the VM, at the first instruction that uses the class: where
// only one place is known that can have done so, it is told. On JDKs after 22 or so none is, as
// uses of static fields are not known there.
//
// For one pass over the VM's memory. From one thread.
class InterpretedCalls {
 public:
  // That the interpreter has executed in the recording. Those of a class follow each other.
  struct Method {
    const void* address = nullptr;
    const void* klass = nullptr;  // That declares it.
    int64_t interpreted = 0;      // How often.
    int64_t loops = 0;            // Its branches back to an earlier bci.
    bool has_uncounted = false;   // It has code that counts no invocations.
  };
  struct Naming {
    std::function<bool(const void* klass)> is_observed;
    // kNoMethod for those that are not to be told.
    std::function<MethodId(const void* method)> id_of;
  };
  // Whether the calls that are resolved were executed in the recording, or may have been before.
  enum class Since { kRecordingBegan, kUnknown };

  InterpretedCalls(const CallResolver& resolver, const ClassReader& classes,
                   std::span<const Method> methods, Naming naming, Since since);

  // Classes in which more calls were counted come first, until `may_go_on` says no.
  spool::InterpretedCalls Read(const std::function<bool()>& may_go_on);
  // Of what was counted in all methods, the share of those whose calls were not looked at.
  double untold_share() const { return untold_share_; }

 private:
  using Resolved = CallResolver::Resolved;
  using Begun = spool::InterpretedCalls::Initialization;
  static constexpr uint32_t kNone = UINT32_MAX;
  // The methods of one class: from the first on, so many.
  struct OfClass {
    size_t first = 0, count = 0;
    int64_t interpreted = 0;
  };
  // What an instruction names of a class's constants.
  struct Constant {
    uint32_t target = kNone;  // Of a call.
    bool is_unresolved = false;
    const void* initializes = nullptr;  // The class.
    uint32_t calls = 0;                 // Of executed methods, that may have been executed.
  };
  // The method of an interface, or a place in the vtables of a class's subclasses.
  struct VirtualMethod {
    const void* method = nullptr;
    const void* klass = nullptr;
    int32_t vtable_index = -1;
    auto operator<=>(const VirtualMethod&) const = default;
  };
  struct Site {
    PlacedCall call;
    uint32_t constant = 0;  // Of constants_, while its class is read.
    uint32_t target = kNone;
    bool is_certain = false;
  };
  struct SignatureHash {
    size_t operator()(const ClassReader::Signature& of) const {
      return reinterpret_cast<uintptr_t>(of.name) * 31 + reinterpret_cast<uintptr_t>(of.descriptor);
    }
  };

  // Where classes may have been initialized.
  struct Place {
    const void* initialized = nullptr;  // With its superclasses.
    size_t method = 0;                  // Of methods.
    int32_t bci = 0;
    bool is_unconditional = false;  // As of a call.
  };
  struct Initialization {
    size_t initializer = 0;  // Of methods.
    uint32_t places = 0;     // How many are known.
    Place last = {};
  };

  void IndexMethods();
  void IndexInitializer(size_t method);
  void IndexSubtypes();
  void ReadClass(const OfClass& of_class);
  void ReadCallsOf(size_t method, const CallResolver::Caller& of_class);
  // Of constants_.
  uint32_t ConstantOf(const CallResolver::Caller& of_class, const PlacedCalls::Use& use);
  Constant ReadConstant(const CallResolver::Caller& of_class, const PlacedCalls::Use& use);
  // Those of the method that PlacedCalls has found last.
  void AddPlaces(size_t method, std::span<const PlacedCall> calls,
                 const CallResolver::Caller& of_class);
  void AddPlace(const Place& place);
  // kNone where no observed method is known to be called.
  uint32_t TargetOf(const CallResolver::Caller& of_class, const InvokeSite& site,
                    const Resolved& resolved);
  uint32_t TargetOfMethod(const CallResolver::Caller& of_class, const Resolved& resolved);
  uint32_t TargetInVtables(const CallResolver::Caller& of_class, const Resolved& resolved);
  uint32_t TargetOfInterface(const CallResolver::Caller& of_class, const Resolved& resolved);
  uint32_t NewTarget(std::span<const size_t> callees, bool are_all);
  // Indices of methods.
  std::vector<size_t> OverridersInVtables(const void* klass, int32_t vtable_index,
                                          const ClassReader::Signature& signature);
  std::vector<size_t> Implementations(const ClassReader::MethodInfo& of_interface);
  // Itself, its superclasses, and interfaces.
  const std::vector<const void*>& SupertypesOf(const void* klass);
  bool IsSubtype(const void* klass, const void* of);
  // Whether a class with executed methods inherits from both.
  bool HaveCommonSubtype(const void* klass, const void* interface);
  const std::optional<ClassReader::MethodInfo>& InfoOf(size_t method) const {
    return infos_[method];
  }
  MethodId IdOf(size_t method);
  // By method.
  std::unordered_map<size_t, std::vector<Begun>> Initialized();
  spool::InterpretedCalls Told();

  const CallResolver& resolver_;
  const ClassReader& classes_;
  const std::span<const Method> methods_;
  const Naming naming_;
  const Since since_;
  std::vector<OfClass> of_classes_;  // Those in which most calls were counted first.
  double all_ = 0;                   // Calls that were counted.
  bool has_read_all_ = false;
  bool knows_all_methods_ = true;  // Not only those of some classes.
  // Of methods. Nothing of one that is gone.
  std::vector<std::optional<ClassReader::MethodInfo>> infos_;
  std::vector<std::optional<MethodId>> ids_;
  std::vector<std::vector<Site>> sites_;
  std::vector<uint32_t> target_of_method_;
  // Those that are observed.
  std::unordered_map<const void*, size_t> by_address_;
  std::unordered_map<int32_t, std::vector<size_t>> by_vtable_index_;
  std::unordered_map<ClassReader::Signature, std::vector<size_t>, SignatureHash> by_signature_;
  std::unordered_map<const void*, std::vector<const void*>> supertypes_;
  std::unordered_map<const void*, std::vector<const void*>> subtypes_;  // Classes of methods.
  std::unordered_map<const void*, Initialization> initializations_;     // By class.
  std::map<VirtualMethod, uint32_t> targets_;
  std::vector<std::vector<MethodId>> callees_;  // Of each target.
  std::vector<bool> are_all_callees_;           // The same: nothing else can have been called.
  // Of the class that is being read; by opcode and operand.
  std::vector<Constant> constants_;
  std::unordered_map<uint32_t, uint32_t> constant_numbers_;
  PlacedCalls placed_;
  double untold_share_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROFILES_INTERPRETED_CALLS_H_
