#ifndef YP_HOTSPOT_DISCOVERY_CLASS_HIERARCHY_H_
#define YP_HOTSPOT_DISCOVERY_CLASS_HIERARCHY_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace yp::hotspot {

// What the hierarchy has to know of a class. Names are internal ("java/util/Map$Entry"), a selector
// is a method's name and descriptor: "get(Ljava/lang/Object;)Ljava/lang/Object;".
struct ClassShape {
  struct Method {
    std::string selector;
    uint16_t access_flags = 0;  // JVMS 4.6.
    MethodId id = kNoMethod;    // None: it has no probe.
  };
  std::string name;
  std::string super;  // Empty for java/lang/Object.
  std::vector<std::string> interfaces;
  bool calls_are_seen = false;  // The call sites of its methods have probes.
  std::vector<Method> methods;
};

// A call as bytecode says it.
struct CallReference {
  enum class Kind : uint8_t {
    kBound,    // invokestatic, invokespecial: the owner says which method it is.
    kVirtual,  // invokevirtual, invokeinterface: the receiver's class does.
  };
  Kind kind = Kind::kBound;
  std::string owner;
  std::string selector;
};

enum class ReferenceId : uint32_t {};

// Class hierarchy analysis over the classes that the VM has: which probed methods a call can reach,
// and which code without probes can reach. Both only grow, as classes come.
//
// Classes are told apart by name: copies in several loaders are one class with all that any of them
// has. All answers are supersets of the truth, never less: what is not known to be impossible is
// possible.
class ClassHierarchy {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    // A call can reach a method; once for each pair.
    virtual void OnTarget(ReferenceId reference, MethodId target) = 0;
    // A call can reach a method that has code and no probe; once.
    virtual void OnUnseen(ReferenceId reference) = 0;
    // Code without probes can call it: through a supertype whose calls are not seen, or an open
    // reference. Once for each method.
    virtual void OnOpen(MethodId method) = 0;
  };
  explicit ClassHierarchy(Listener& listener) : listener_(listener) {}

  // A class has been read, and is not yet in the hierarchy. Again, when it has changed.
  void Define(const ClassShape& shape);
  bool IsDefined(std::string_view name) const;
  // All its ancestors that are known are defined, and it can have instances from now on. Nothing
  // happens when it was never defined.
  void Prepare(std::string_view name);
  bool IsPrepared(std::string_view name) const;

  // The same number for the same reference. Its targets, of the classes that are there, are told at
  // once.
  ReferenceId Refer(const CallReference& reference);
  // That call is in code without probes: what it reaches is open, now and later.
  void Open(const CallReference& reference);

  const CallReference& ReferenceOf(ReferenceId id) const;
  const std::vector<MethodId>& TargetsOf(ReferenceId id) const;
  // Whether each method that it can reach has a probe.
  bool ReachesProbesOnly(ReferenceId id) const;
  // Whether the class that the reference names is there, so that its targets are known.
  bool IsResolved(ReferenceId id) const;
  // What a virtual call with a receiver of that very class selects. Not sure of a class that was
  // never defined, as proxies of lambdas, which inherit default methods; where classes of one name
  // differ; and of private methods, which are called whatever the receiver is.
  struct Callee {
    enum class Certainty : uint8_t { kSure, kUnsure };
    Certainty certainty = Certainty::kSure;
    MethodId method = kNoMethod;  // Sure and none: one without a probe.
  };
  Callee CalleeOf(const CallReference& call, std::string_view receiver_class) const;
  // The probed methods of that name and descriptor in any class.
  const std::vector<MethodId>& MethodsNamed(std::string_view selector) const;

 private:
  enum class ClassIndex : uint32_t {};
  enum class SelectorIndex : uint32_t {};
  static constexpr ClassIndex kNoClass{~uint32_t{0}};
  static constexpr SelectorIndex kNoSelector{~uint32_t{0}};

  struct Declared {
    uint16_t access_flags = 0;
    MethodId id = kNoMethod;
  };
  struct Class {
    std::string name;
    ClassIndex super = kNoClass;
    std::vector<ClassIndex> interfaces;
    bool is_defined = false;
    bool is_prepared = false;
    bool calls_are_seen = false;
    bool has_changed = false;  // Since it was last taken in.
    bool has_copies = false;   // That have other methods or supertypes.
    std::unordered_map<SelectorIndex, Declared> methods;
    std::vector<ClassIndex> subtypes;  // Prepared ones, itself included.
    std::vector<ReferenceId> references;
  };
  struct Reference {
    CallReference text;
    ClassIndex owner{};
    SelectorIndex selector{};
    bool is_open = false;
    bool reaches_unseen = false;
    std::vector<MethodId> targets;
  };
  struct Selection {
    std::vector<MethodId> methods;
    bool has_unseen = false;  // A method that has code and no probe.
  };
  using Ancestors = std::set<ClassIndex>;  // A class's own index included.

  Class& At(ClassIndex index) { return classes_[static_cast<uint32_t>(index)]; }
  const Class& At(ClassIndex index) const { return classes_[static_cast<uint32_t>(index)]; }
  Reference& At(ReferenceId id) { return references_[static_cast<uint32_t>(id)]; }
  const Reference& At(ReferenceId id) const { return references_[static_cast<uint32_t>(id)]; }
  ClassIndex IndexOf(std::string_view name);
  ClassIndex FindIndex(std::string_view name) const;  // kNoClass: there is none of that name.
  const Class* Find(std::string_view name) const;
  // Whether a class of the same name is not the same.
  bool Differs(const Class& defined, const ClassShape& shape, ClassIndex super,
               const std::vector<ClassIndex>& interfaces) const;
  bool IsPrivate(const CallReference& call, SelectorIndex selector) const;
  SelectorIndex SelectorOf(std::string_view selector);
  SelectorIndex FindSelector(std::string_view selector) const;
  const Declared* FindDeclared(ClassIndex index, SelectorIndex selector) const;
  void AddAncestors(ClassIndex index, Ancestors& ancestors) const;
  void TakeIn(ClassIndex index);
  void FindOpenMethods(ClassIndex index, const Ancestors& ancestors);
  // The methods that a call of the selector can select with a receiver of that class (JVMS 5.4.6).
  Selection Select(ClassIndex receiver, SelectorIndex selector) const;
  // What a reference reaches by the class, being its owner or, if virtual, a subtype of that.
  void AddTargets(ReferenceId id, ClassIndex by);
  void MarkOpen(MethodId method);

  Listener& listener_;
  std::vector<Class> classes_;
  std::unordered_map<std::string, ClassIndex> class_indices_;
  std::unordered_map<std::string, SelectorIndex> selector_indices_;
  std::vector<std::vector<MethodId>> methods_named_;  // By selector.
  std::vector<Reference> references_;
  std::unordered_map<std::string, ReferenceId> reference_ids_;
  std::vector<bool> is_open_;  // By method.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_CLASS_HIERARCHY_H_
