#include "hotspot/discovery/class_hierarchy.h"

#include <algorithm>
#include <utility>

#include "classfile/class_file.h"

namespace yp::hotspot {
namespace {

using classfile::kAccAbstract;
using classfile::kAccPrivate;
using classfile::kAccProtected;
using classfile::kAccPublic;
using classfile::kAccStatic;

std::string_view PackageOf(std::string_view class_name) {
  const size_t slash = class_name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : class_name.substr(0, slash);
}

bool IsPackagePrivate(uint16_t flags) {
  return (flags & (kAccPublic | kAccPrivate | kAccProtected)) == 0;
}

template <typename T>
bool AddOnce(std::vector<T>& all, const T& one) {
  if (std::find(all.begin(), all.end(), one) != all.end()) return false;
  all.push_back(one);
  return true;
}

}  // namespace

ClassHierarchy::ClassIndex ClassHierarchy::IndexOf(std::string_view name) {
  const auto [it, is_new] =
      class_indices_.try_emplace(std::string(name), ClassIndex(classes_.size()));
  if (is_new) classes_.emplace_back().name = name;
  return it->second;
}

ClassHierarchy::ClassIndex ClassHierarchy::FindIndex(std::string_view name) const {
  const auto found = class_indices_.find(std::string(name));
  return found == class_indices_.end() ? kNoClass : found->second;
}

const ClassHierarchy::Class* ClassHierarchy::Find(std::string_view name) const {
  const ClassIndex index = FindIndex(name);
  return index == kNoClass ? nullptr : &At(index);
}

ClassHierarchy::SelectorIndex ClassHierarchy::SelectorOf(std::string_view selector) {
  const auto [it, is_new] =
      selector_indices_.try_emplace(std::string(selector), SelectorIndex(methods_named_.size()));
  if (is_new) methods_named_.emplace_back();
  return it->second;
}

ClassHierarchy::SelectorIndex ClassHierarchy::FindSelector(std::string_view selector) const {
  const auto found = selector_indices_.find(std::string(selector));
  return found == selector_indices_.end() ? kNoSelector : found->second;
}

const ClassHierarchy::Declared* ClassHierarchy::FindDeclared(ClassIndex index,
                                                             SelectorIndex selector) const {
  const auto found = At(index).methods.find(selector);
  return found == At(index).methods.end() ? nullptr : &found->second;
}

bool ClassHierarchy::Differs(const Class& defined, const ClassShape& shape, ClassIndex super,
                             const std::vector<ClassIndex>& interfaces) const {
  const auto is_declared = [&](const ClassShape::Method& method) {
    return defined.methods.contains(FindSelector(method.selector));
  };
  return defined.super != super || defined.interfaces != interfaces ||
         defined.methods.size() != shape.methods.size() ||
         !std::all_of(shape.methods.begin(), shape.methods.end(), is_declared);
}

void ClassHierarchy::Define(const ClassShape& shape) {
  const ClassIndex index = IndexOf(shape.name);
  const ClassIndex super = shape.super.empty() ? kNoClass : IndexOf(shape.super);
  std::vector<ClassIndex> interfaces;
  for (const std::string& name : shape.interfaces) interfaces.push_back(IndexOf(name));

  Class& defined = At(index);
  if (defined.is_defined && Differs(defined, shape, super, interfaces)) defined.has_copies = true;
  defined.is_defined = defined.has_changed = true;
  defined.calls_are_seen = shape.calls_are_seen;
  if (defined.super == kNoClass) {
    defined.super = super;
  } else if (super != kNoClass && super != defined.super) {
    AddOnce(defined.interfaces, super);  // A copy with another superclass: it has both.
  }
  for (const ClassIndex interface : interfaces) AddOnce(defined.interfaces, interface);
  for (const ClassShape::Method& method : shape.methods) {
    const SelectorIndex selector = SelectorOf(method.selector);
    Declared& declared = defined.methods[selector];
    declared.access_flags = method.access_flags;
    if (method.id == kNoMethod) continue;
    declared.id = method.id;
    AddOnce(methods_named_[static_cast<uint32_t>(selector)], method.id);
  }
}

bool ClassHierarchy::IsDefined(std::string_view name) const {
  const Class* found = Find(name);
  return found != nullptr && found->is_defined;
}

bool ClassHierarchy::IsPrepared(std::string_view name) const {
  const Class* found = Find(name);
  return found != nullptr && found->is_prepared;
}

void ClassHierarchy::AddAncestors(ClassIndex index, Ancestors& ancestors) const {
  if (index == kNoClass || !ancestors.insert(index).second) return;
  AddAncestors(At(index).super, ancestors);
  for (const ClassIndex interface : At(index).interfaces) AddAncestors(interface, ancestors);
}

void ClassHierarchy::Prepare(std::string_view name) {
  if (!IsDefined(name)) return;
  const ClassIndex index = IndexOf(name);
  if (At(index).is_prepared && !At(index).has_changed) return;
  TakeIn(index);
  // A class that is there already and has other methods now: its subtypes may inherit them.
  const std::vector<ClassIndex> subtypes = At(index).subtypes;
  for (const ClassIndex subtype : subtypes) {
    if (subtype != index) TakeIn(subtype);
  }
}

void ClassHierarchy::TakeIn(ClassIndex index) {
  const bool is_new = !std::exchange(At(index).is_prepared, true);
  At(index).has_changed = false;
  Ancestors ancestors;
  AddAncestors(index, ancestors);
  for (const ClassIndex ancestor : ancestors) {
    std::vector<ClassIndex>& subtypes = At(ancestor).subtypes;
    if (is_new || std::find(subtypes.begin(), subtypes.end(), index) == subtypes.end()) {
      subtypes.push_back(index);
    }
  }
  FindOpenMethods(index, ancestors);
  for (const ClassIndex ancestor : ancestors) {
    for (const ReferenceId id : At(ancestor).references) {
      const bool is_virtual = ReferenceOf(id).kind == CallReference::Kind::kVirtual;
      if (is_virtual || ancestor == index) AddTargets(id, index);
    }
  }
}

void ClassHierarchy::FindOpenMethods(ClassIndex index, const Ancestors& ancestors) {
  Ancestors of_super;
  AddAncestors(At(index).super, of_super);
  for (const ClassIndex ancestor : ancestors) {
    if (ancestor == index || At(ancestor).calls_are_seen) continue;
    // What it inherits from its superclass was open to that one's ancestors before.
    const bool is_news = !of_super.contains(ancestor);
    const auto& callable = At(ancestor).methods;
    const auto& own = At(index).methods;
    const auto open = [&](SelectorIndex selector) {
      for (const MethodId method : Select(index, selector).methods) MarkOpen(method);
    };
    if (is_news) {
      for (const auto& [selector, declared] : callable) open(selector);
    } else {
      for (const auto& [selector, declared] : own) {
        if (callable.contains(selector)) open(selector);
      }
    }
  }
}

ClassHierarchy::Selection ClassHierarchy::Select(ClassIndex receiver,
                                                 SelectorIndex selector) const {
  Selection selection;
  const auto add = [&](const Declared& declared) {
    if ((declared.access_flags & kAccAbstract) != 0) return;
    if (declared.id == kNoMethod) {
      selection.has_unseen = true;
    } else {
      AddOnce(selection.methods, declared.id);
    }
  };
  std::string_view nearest_package;
  bool found = false;
  for (ClassIndex at = receiver; at != kNoClass; at = At(at).super) {
    const Declared* declared = FindDeclared(at, selector);
    if (declared == nullptr) continue;
    const uint16_t flags = declared->access_flags;
    // Behind the nearest one: a package's own method of that name is another one elsewhere.
    const bool is_another = IsPackagePrivate(flags) && PackageOf(At(at).name) != nearest_package;
    if (found && !is_another) continue;
    if (!found) nearest_package = PackageOf(At(at).name);
    // A private or static method is selected by who may see it, others by everybody else.
    found = (flags & (kAccPrivate | kAccStatic)) == 0;
    add(*declared);
  }
  if (found) return selection;
  Ancestors ancestors;
  AddAncestors(receiver, ancestors);
  for (const ClassIndex ancestor : ancestors) {
    if (const Declared* declared = FindDeclared(ancestor, selector)) add(*declared);
  }
  return selection;
}

ReferenceId ClassHierarchy::Refer(const CallReference& reference) {
  const std::string key = (reference.kind == CallReference::Kind::kVirtual ? 'v' : 'b') +
                          reference.owner + ' ' + reference.selector;
  const auto [it, is_new] = reference_ids_.try_emplace(key, ReferenceId(references_.size()));
  const ReferenceId id = it->second;
  if (!is_new) return id;
  const ClassIndex owner = IndexOf(reference.owner);
  references_.push_back({reference, owner, SelectorOf(reference.selector), false, false, {}});
  At(owner).references.push_back(id);
  if (reference.kind == CallReference::Kind::kVirtual) {
    const std::vector<ClassIndex> subtypes = At(owner).subtypes;
    for (const ClassIndex subtype : subtypes) AddTargets(id, subtype);
  } else if (At(owner).is_prepared) {
    AddTargets(id, owner);
  }
  return id;
}

void ClassHierarchy::Open(const CallReference& reference) {
  const ReferenceId id = Refer(reference);
  At(id).is_open = true;
  const std::vector<MethodId> targets = TargetsOf(id);
  for (const MethodId target : targets) MarkOpen(target);
}

void ClassHierarchy::AddTargets(ReferenceId id, ClassIndex by) {
  Reference& reference = At(id);
  const Selection selection = Select(by, reference.selector);
  if (selection.has_unseen && !std::exchange(reference.reaches_unseen, true)) {
    listener_.OnUnseen(id);
  }
  for (const MethodId target : selection.methods) {
    if (!AddOnce(reference.targets, target)) continue;
    if (reference.is_open) MarkOpen(target);
    listener_.OnTarget(id, target);
  }
}

void ClassHierarchy::MarkOpen(MethodId method) {
  if (ToIndex(method) >= is_open_.size()) is_open_.resize(ToIndex(method) + 1);
  if (is_open_[ToIndex(method)]) return;
  is_open_[ToIndex(method)] = true;
  listener_.OnOpen(method);
}

const CallReference& ClassHierarchy::ReferenceOf(ReferenceId id) const { return At(id).text; }

const std::vector<MethodId>& ClassHierarchy::TargetsOf(ReferenceId id) const {
  return At(id).targets;
}

bool ClassHierarchy::ReachesProbesOnly(ReferenceId id) const { return !At(id).reaches_unseen; }

bool ClassHierarchy::IsResolved(ReferenceId id) const { return At(At(id).owner).is_prepared; }

ClassHierarchy::Callee ClassHierarchy::CalleeOf(const CallReference& call,
                                                std::string_view receiver_class) const {
  constexpr Callee kNotSure{Callee::Certainty::kUnsure, kNoMethod};
  const ClassIndex receiver = FindIndex(receiver_class);
  const SelectorIndex selector = FindSelector(call.selector);
  if (receiver == kNoClass || !At(receiver).is_prepared) return kNotSure;
  if (selector == kNoSelector) return {};
  Ancestors ancestors;
  AddAncestors(receiver, ancestors);
  for (const ClassIndex ancestor : ancestors) {
    if (!At(ancestor).is_defined || At(ancestor).has_copies) return kNotSure;
  }
  if (IsPrivate(call, selector)) return kNotSure;
  const Selection selection = Select(receiver, selector);
  if (selection.methods.empty()) return {};
  const bool is_sure = selection.methods.size() == 1 && !selection.has_unseen;
  return is_sure ? Callee{Callee::Certainty::kSure, selection.methods.front()} : kNotSure;
}

// Whether the nearest declaration from the call's owner upwards is (JVMS 5.4.6).
bool ClassHierarchy::IsPrivate(const CallReference& call, SelectorIndex selector) const {
  for (ClassIndex at = FindIndex(call.owner); at != kNoClass; at = At(at).super) {
    const Declared* declared = FindDeclared(at, selector);
    if (declared != nullptr) return (declared->access_flags & kAccPrivate) != 0;
  }
  return false;
}

const std::vector<MethodId>& ClassHierarchy::MethodsNamed(std::string_view selector) const {
  static const std::vector<MethodId> kNone;
  const SelectorIndex found = FindSelector(selector);
  return found == kNoSelector ? kNone : methods_named_[static_cast<uint32_t>(found)];
}

}  // namespace yp::hotspot
