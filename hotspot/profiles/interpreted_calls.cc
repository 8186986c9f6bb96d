#include "hotspot/profiles/interpreted_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "classfile/instructions.h"

namespace yp::hotspot {
namespace {

namespace op = classfile::op;

// Classes that are read between two questions whether to go on.
constexpr size_t kClassesAtOnce = 8;
// Of the classes in which most calls were counted: whether a method can have been called has to be
// known before the first call is looked at, which takes 0.8 us for each.
constexpr size_t kMostMethods = 4000;
// Deeper than any hierarchy of classes; what is read may go round in a ring.
constexpr int kMaxDepth = 200;
constexpr uint16_t kStatic = 8;  // Of a method's access flags.

}  // namespace

InterpretedCalls::InterpretedCalls(const CallResolver& resolver, const ClassReader& classes,
                                   std::span<const Method> methods, Naming naming, Since since)
    : resolver_(resolver),
      classes_(classes),
      methods_(methods),
      naming_(std::move(naming)),
      since_(since),
      infos_(methods.size()),
      ids_(methods.size()),
      sites_(methods.size()),
      target_of_method_(methods.size(), kNone) {
  for (size_t i = 0; i < methods.size(); ++i) {
    if (i == 0 || methods[i].klass != methods[i - 1].klass) of_classes_.push_back({.first = i});
    ++of_classes_.back().count;
    of_classes_.back().interpreted += methods[i].interpreted;
    all_ += static_cast<double>(methods[i].interpreted);
  }
  std::ranges::stable_sort(of_classes_, std::greater(), &OfClass::interpreted);
  size_t kept = 0;
  std::erase_if(of_classes_, [&](const OfClass& of_class) {
    kept += of_class.count;
    return kept > kMostMethods;
  });
  knows_all_methods_ = kept <= kMostMethods;
  IndexMethods();
}

void InterpretedCalls::IndexMethods() {
  by_address_.reserve(methods_.size());
  by_signature_.reserve(methods_.size());
  for (const OfClass& of_class : of_classes_) {
    const void* klass = methods_[of_class.first].klass;
    const bool is_observed = naming_.is_observed(klass);
    for (size_t i = of_class.first; i < of_class.first + of_class.count; ++i) {
      std::optional<ClassReader::MethodInfo>& info = infos_[i];
      info = classes_.ReadMethod(methods_[i].address);
      // Another one has come to its address.
      if (info && info->pool.holder != klass) info.reset();
      if (!info || !is_observed) continue;
      IndexInitializer(i);
      by_address_.emplace(methods_[i].address, i);
      if (info->vtable_index >= 0) by_vtable_index_[info->vtable_index].push_back(i);
      by_signature_[info->signature].push_back(i);
    }
  }
}

void InterpretedCalls::IndexInitializer(size_t method) {
  const ClassReader::MethodInfo& info = *infos_[method];
  const bool is_executed_once = methods_[method].interpreted == 1 && resolver_.KnowsStatics() &&
                                since_ == Since::kRecordingBegan;
  if (is_executed_once && (info.access_flags & kStatic) != 0 &&
      classes_.IsText(info.signature.name, "<clinit>")) {
    initializations_[methods_[method].klass] = {.initializer = method};
  }
}

void InterpretedCalls::AddPlace(const Place& place) {
  for (const void* klass : SupertypesOf(place.initialized)) {
    const auto known = initializations_.find(klass);
    // What the class executes itself it executes later.
    if (known == initializations_.end() || IsSubtype(methods_[place.method].klass, klass)) continue;
    auto& [initializer, places, last] = known->second;
    // The method has come to that place first.
    if (places > 0 && last.method == place.method && last.is_unconditional) continue;
    ++places;
    last = place;
  }
}

void InterpretedCalls::AddPlaces(size_t method, std::span<const PlacedCall> calls,
                                 const CallResolver::Caller& of_class) {
  std::vector<Place> places;
  const auto add = [&](const PlacedCalls::Use& use, int32_t bci, bool is_unconditional,
                       PlacedCall::Executed executed) {
    const Constant& constant = constants_[ConstantOf(of_class, use)];
    if (executed == PlacedCall::Executed::kNo || constant.is_unresolved) return;
    if (constant.initializes == nullptr) return;
    places.push_back({constant.initializes, method, bci, is_unconditional});
  };
  for (const PlacedCall& call : calls) {
    add({0, call.site.cache_index, call.site}, call.site.bci, call.is_unconditional, call.executed);
  }
  for (const PlacedCalls::PlacedUse& use : placed_.uses()) {
    add(use.use, static_cast<int32_t>(use.bci), use.is_unconditional, use.executed);
  }
  std::ranges::sort(places, {}, &Place::bci);
  for (const Place& place : places) AddPlace(place);
}

void InterpretedCalls::IndexSubtypes() {
  for (const OfClass& of_class : of_classes_) {
    const void* klass = methods_[of_class.first].klass;
    for (const void* type : SupertypesOf(klass)) subtypes_[type].push_back(klass);
  }
}

const std::vector<const void*>& InterpretedCalls::SupertypesOf(const void* klass) {
  const auto [known, is_new] = supertypes_.try_emplace(klass);
  std::vector<const void*>& types = known->second;
  const void* super = is_new ? klass : nullptr;
  for (int depth = 0; super != nullptr && depth < kMaxDepth; ++depth) {
    const std::optional<ClassReader::ClassInfo> info = classes_.ReadClass(super);
    if (!info) break;
    types.push_back(super);
    if (depth == 0)
      std::ranges::copy(classes_.ReadPointers(info->interfaces), std::back_inserter(types));
    super = info->super;
  }
  return types;
}

bool InterpretedCalls::IsSubtype(const void* klass, const void* of) {
  const std::vector<const void*>& types = SupertypesOf(klass);
  return std::ranges::find(types, of) != types.end();
}

bool InterpretedCalls::HaveCommonSubtype(const void* klass, const void* interface) {
  if (subtypes_.empty()) IndexSubtypes();
  const auto classes = subtypes_.find(klass);
  return classes != subtypes_.end() && std::ranges::any_of(classes->second, [&](const void* sub) {
           return IsSubtype(sub, interface);
         });
}

std::vector<size_t> InterpretedCalls::OverridersInVtables(const void* klass, int32_t vtable_index,
                                                          const ClassReader::Signature& signature) {
  std::vector<size_t> callees;
  const auto known = by_vtable_index_.find(vtable_index);
  const std::optional<ClassReader::ClassInfo> info = classes_.ReadClass(klass);
  if (known == by_vtable_index_.end() || !info) return callees;
  const void* inherited = classes_.VtableEntry(klass, *info, vtable_index);
  std::ranges::copy_if(known->second, std::back_inserter(callees), [&](size_t method) {
    const bool is_of_class =
        methods_[method].address == inherited || IsSubtype(methods_[method].klass, klass);
    return is_of_class && InfoOf(method)->signature == signature;
  });
  return callees;
}

std::vector<size_t> InterpretedCalls::Implementations(const ClassReader::MethodInfo& of_interface) {
  std::vector<size_t> callees;
  const auto known = by_signature_.find(of_interface.signature);
  if (known == by_signature_.end()) return callees;
  const void* interface = of_interface.pool.holder;
  std::ranges::copy_if(known->second, std::back_inserter(callees), [&](size_t method) {
    const void* klass = methods_[method].klass;
    return IsSubtype(klass, interface) || HaveCommonSubtype(klass, interface);
  });
  return callees;
}

uint32_t InterpretedCalls::NewTarget(std::span<const size_t> callees, bool are_all) {
  if (callees.size() > spool::InterpretedCalls::kMostCallees) return kNone;
  std::vector<MethodId> ids;
  for (const size_t method : callees) {
    if (const MethodId id = IdOf(method); id != kNoMethod) ids.push_back(id);
  }
  if (ids.empty()) return kNone;
  callees_.push_back(std::move(ids));
  are_all_callees_.push_back(are_all);
  return static_cast<uint32_t>(callees_.size() - 1);
}

uint32_t InterpretedCalls::TargetOfMethod(const CallResolver::Caller& of_class,
                                          const Resolved& resolved) {
  const auto known = by_address_.find(resolved.method);
  if (known == by_address_.end()) return kNone;
  const size_t method = known->second;
  if (resolver_.SignatureAt(of_class, resolved.pool_index) != InfoOf(method)->signature) {
    return kNone;
  }
  uint32_t& target = target_of_method_[method];
  if (target == kNone) target = NewTarget({&method, 1}, true);
  return target;
}

uint32_t InterpretedCalls::TargetInVtables(const CallResolver::Caller& of_class,
                                           const Resolved& resolved) {
  const void* klass = resolver_.ClassOfCallAt(of_class, resolved.pool_index);
  const auto signature = resolver_.SignatureAt(of_class, resolved.pool_index);
  if (klass == nullptr || !signature) return kNone;
  const auto [known, is_new] = targets_.try_emplace({nullptr, klass, resolved.vtable_index}, kNone);
  if (is_new && naming_.is_observed(klass)) {
    known->second = NewTarget(OverridersInVtables(klass, resolved.vtable_index, *signature),
                              knows_all_methods_);
  }
  return known->second;
}

uint32_t InterpretedCalls::TargetOfInterface(const CallResolver::Caller& of_class,
                                             const Resolved& resolved) {
  const auto [known, is_new] = targets_.try_emplace({resolved.method, nullptr, -1}, kNone);
  if (!is_new) return known->second;
  const std::optional<ClassReader::MethodInfo> info = classes_.ReadMethod(resolved.method);
  if (!info || resolver_.SignatureAt(of_class, resolved.pool_index) != info->signature) {
    return kNone;
  }
  if (info->vtable_index > ClassReader::MethodInfo::kFirstInItable) {  // It is private, or final.
    known->second = TargetOfMethod(of_class, resolved);
  } else if (naming_.is_observed(info->pool.holder)) {
    known->second = NewTarget(Implementations(*info), knows_all_methods_);
  }
  return known->second;
}

uint32_t InterpretedCalls::TargetOf(const CallResolver::Caller& of_class, const InvokeSite& site,
                                    const Resolved& resolved) {
  if (resolved.method == nullptr) return TargetInVtables(of_class, resolved);
  return site.kind == InvokeSite::Kind::kInterface ? TargetOfInterface(of_class, resolved)
                                                   : TargetOfMethod(of_class, resolved);
}

InterpretedCalls::Constant InterpretedCalls::ReadConstant(const CallResolver::Caller& of_class,
                                                          const PlacedCalls::Use& use) {
  using Kind = InvokeSite::Kind;
  if (use.call) {
    if (use.call->kind == Kind::kDynamic || use.call->kind == Kind::kHandle) return {};
    const std::optional<Resolved> resolved = resolver_.ResolvedCall(of_class, *use.call);
    if (resolved) {
      return {.target = TargetOf(of_class, *use.call, *resolved),
              .initializes = use.call->kind == Kind::kStatic
                                 ? resolver_.ClassOfCallAt(of_class, resolved->pool_index)
                                 : nullptr};
    }
    // A static method is resolved when its class has been initialized.
    return {.is_unresolved = use.call->kind != Kind::kStatic};
  }
  if (use.opcode == op::kGetstatic || use.opcode == op::kPutstatic) {
    const std::optional<CallResolver::StaticField> field =
        resolver_.StaticAt(of_class, use.opcode, use.index);
    if (!field) return {};
    return {.is_unresolved = !field->is_resolved.value_or(true), .initializes = field->klass};
  }
  return {.is_unresolved = !resolver_.IsClassResolved(of_class, use.index).value_or(true),
          .initializes = resolver_.ClassAt(of_class, use.index)};
}

uint32_t InterpretedCalls::ConstantOf(const CallResolver::Caller& of_class,
                                      const PlacedCalls::Use& use) {
  const uint32_t kind = use.call ? static_cast<uint32_t>(use.call->kind) : uint32_t{use.opcode};
  const auto next = static_cast<uint32_t>(constants_.size());
  const auto [known, is_new] = constant_numbers_.try_emplace(uint32_t{use.index} << 8 | kind, next);
  if (is_new) constants_.push_back(ReadConstant(of_class, use));
  return known->second;
}

void InterpretedCalls::ReadCallsOf(size_t method, const CallResolver::Caller& of_class) {
  const std::vector<uint8_t> code = classes_.ReadCode(*InfoOf(method));
  const auto unexecuted = [&](const PlacedCalls::Use& use) {
    return constants_[ConstantOf(of_class, use)].is_unresolved;
  };
  const std::span<const PlacedCall> calls = placed_.Find(code, unexecuted);
  for (const PlacedCall& call : calls) {
    if (call.executed == PlacedCall::Executed::kNo) continue;
    const uint32_t number = ConstantOf(of_class, {0, call.site.cache_index, call.site});
    Constant& constant = constants_[number];
    ++constant.calls;
    if (constant.target != kNone) sites_[method].push_back({call, number, constant.target});
  }
  if (!initializations_.empty()) AddPlaces(method, calls, of_class);
}

void InterpretedCalls::ReadClass(const OfClass& of_class) {
  std::optional<CallResolver::Caller> opened;
  constants_.clear();
  constant_numbers_.clear();
  const size_t end = of_class.first + of_class.count;
  for (size_t i = of_class.first; i < end; ++i) {
    if (!InfoOf(i)) continue;
    if (!opened) opened = resolver_.Open(methods_[i].address);
    if (!opened) return;
    ReadCallsOf(i, *opened);
  }
  for (size_t i = of_class.first; i < end; ++i) {
    if (!sites_[i].empty() && IdOf(i) == kNoMethod) sites_[i].clear();
    for (Site& site : sites_[i]) {
      const bool is_only = constants_[site.constant].calls == 1;
      site.is_certain = since_ == Since::kRecordingBegan && are_all_callees_[site.target] &&
                        (is_only || site.call.executed == PlacedCall::Executed::kYes);
    }
  }
}

MethodId InterpretedCalls::IdOf(size_t method) {
  if (!ids_[method]) {
    ids_[method] = naming_.id_of(methods_[method].address);
  }
  return *ids_[method];
}

spool::InterpretedCalls InterpretedCalls::Read(const std::function<bool()>& may_go_on) {
  double read = 0;
  size_t classes = 0;
  for (const OfClass& of_class : of_classes_) {
    if (may_go_on && classes % kClassesAtOnce == 0 && !may_go_on()) break;
    ++classes;
    ReadClass(of_class);
    read += static_cast<double>(of_class.interpreted);
  }
  untold_share_ = all_ > 0 ? 1 - read / all_ : 0;
  has_read_all_ = knows_all_methods_ && classes == of_classes_.size();
  return Told();
}

std::unordered_map<size_t, std::vector<InterpretedCalls::Begun>> InterpretedCalls::Initialized() {
  std::unordered_map<size_t, std::vector<Begun>> begun;
  if (!has_read_all_) return begun;
  for (const auto& [klass, initialization] : initializations_) {
    const Place& place = initialization.last;
    if (initialization.places != 1 || IdOf(place.method) == kNoMethod) continue;
    const MethodId initializer = IdOf(initialization.initializer);
    if (initializer == kNoMethod) continue;
    begun[place.method].push_back({place.bci, initializer});
  }
  return begun;
}

spool::InterpretedCalls InterpretedCalls::Told() {
  spool::InterpretedCalls told;
  told.targets = callees_;
  std::unordered_map<size_t, std::vector<Begun>> begun = Initialized();
  for (size_t i = 0; i < methods_.size(); ++i) {
    const MethodId id = ids_[i].value_or(kNoMethod);
    if (id == kNoMethod) continue;
    spool::InterpretedCalls::Method& method = told.methods.emplace_back();
    method.method = id;
    method.interpreted = static_cast<uint64_t>(methods_[i].interpreted);
    method.loops = static_cast<uint64_t>(methods_[i].loops);
    method.has_uncounted = methods_[i].has_uncounted;
    for (const auto& [call, constant, target, is_certain] : sites_[i]) {
      method.sites.push_back(
          {call.site.bci, target, call.is_unconditional, call.is_in_loop, is_certain});
    }
    if (const auto of_method = begun.find(i); of_method != begun.end()) {
      method.initializations = std::move(of_method->second);
    }
  }
  return told;
}

}  // namespace yp::hotspot
