#include "hotspot/profiles/profile_reader.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/graph/code_level.h"
#include "hotspot/profiles/interpreted_calls.h"

namespace yp::hotspot {
namespace {

constexpr size_t kMaxVoters = 64;
// Methods that are told between two questions whether to go on.
constexpr size_t kAskEvery = 16;

// C1's code with limited and with full profiling.
bool CountsInvocations(int32_t level) {
  return level == code_level::kLimited || level == code_level::kProfiled;
}

// Of a site without receivers: what it always calls.
constexpr const void* kBound = nullptr;

// What was read is of no use for another time.
struct ForgetAtEnd {
  explicit ForgetAtEnd(GuardedBlocks& of) : blocks(of) {}
  ForgetAtEnd(const ForgetAtEnd&) = delete;
  ForgetAtEnd& operator=(const ForgetAtEnd&) = delete;
  ~ForgetAtEnd() { blocks.Forget(); }

  GuardedBlocks& blocks;
};

// Grows whenever something is counted in the method.
uint64_t CountedIn(const spool::MethodProfile& profile) {
  uint64_t sum = profile.invocations + profile.interpreted;
  for (const spool::MethodProfile::Site& site : profile.sites) sum += site.calls;
  return sum;
}

VmMethod KeyOf(const CountedMethods::Method& method) {
  return {method.address, method.const_method};
}

uint64_t ToCount(int64_t number) { return static_cast<uint64_t>(std::max<int64_t>(0, number)); }

// What copies of one method, in several class loaders, have counted at a site.
void AddSite(const spool::MethodProfile::Site& more, spool::MethodProfile::Site* site) {
  site->calls += more.calls;
  site->before += more.before;
  for (const spool::MethodProfile::Receiver& receiver : more.receivers) {
    const auto known = std::ranges::find(site->receivers, receiver.callee,
                                         &spool::MethodProfile::Receiver::callee);
    if (known == site->receivers.end()) {
      site->receivers.push_back(receiver);
    } else {
      known->calls += receiver.calls;
      known->before += receiver.before;
    }
  }
}

void Add(const spool::MethodProfile& more, spool::MethodProfile* profile) {
  profile->invocations += more.invocations;
  profile->interpreted += more.interpreted;
  profile->invocations_before += more.invocations_before;
  profile->interpreted_before += more.interpreted_before;
  for (const spool::MethodProfile::Site& site : more.sites) {
    const auto at =
        std::ranges::lower_bound(profile->sites, site.bci, {}, &spool::MethodProfile::Site::bci);
    if (at != profile->sites.end() && at->bci == site.bci) {
      AddSite(site, &*at);
    } else {
      profile->sites.insert(at, site);
    }
  }
}

}  // namespace

Result<std::unique_ptr<ProfileReader>> ProfileReader::Create(const VmStructs& structs,
                                                             const CodeCache& code_cache,
                                                             int jdk_feature_version) {
  Result<GuardedMemory> memory = GuardedMemory::Create();
  if (!memory) return memory.status();
  auto kept = std::make_unique<const GuardedMemory>(std::move(memory).value());
  auto blocks = std::make_unique<GuardedBlocks>(*kept);
  Result<MethodDataReader> data = MethodDataReader::Create(structs, *blocks);
  if (!data) return data.status();
  const Result<ClassReader> classes = ClassReader::Create(structs, *blocks);
  if (!classes) return classes.status();
  Result<CallResolver> resolver = CallResolver::Create(structs, *blocks);
  if (!resolver) return resolver.status();
  Result<CountedMethods> methods = CountedMethods::Create(structs, *blocks);
  return std::unique_ptr<ProfileReader>(new ProfileReader(
      code_cache, std::move(kept), std::move(blocks), std::move(data).value(), *classes,
      std::move(resolver).value(), methods ? std::optional(*methods) : std::nullopt,
      Unsigned5(jdk_feature_version), MethodDataReader::UsualCells(jdk_feature_version)));
}

void ProfileReader::Begin(Naming naming, bool is_vm_start) {
  naming_ = std::move(naming);
  counted_.clear();
  told_.clear();
  before_.clear();
  knows_before_ = is_vm_start || TakeBaseline();
  was_there_from_start_ = is_vm_start;
}

std::vector<spool::MethodProfile> ProfileReader::ReadPart(const Compilations& compilations,
                                                          const std::function<bool()>& may_go_on,
                                                          Interpreted* interpreted) {
  Baseline next;
  next_before_ = &next;
  std::vector<spool::MethodProfile> told = Read(compilations, may_go_on, interpreted);
  next_before_ = nullptr;
  // Where the layout is not known yet, nothing was told.
  if (!layout_status_.ok() || !data_.has_layout()) return told;
  before_ = std::move(next);
  knows_before_ = true;
  was_there_from_start_ = false;
  counted_.clear();
  told_.clear();
  return told;
}

void ProfileReader::End() {
  naming_ = {};
  counted_.clear();
  told_.clear();
  before_.clear();
  ids_.clear();
  classes_.clear();
  declared_.clear();
}

int64_t ProfileReader::Before::CallsAt(int32_t bci, const void* receiver) const {
  for (const Calls& counted : calls) {
    if (counted.bci == bci && counted.receiver == receiver) return counted.calls;
  }
  return 0;
}

int64_t ProfileReader::Before::All() const {
  int64_t sum = invocations + interpreted;
  for (const Calls& counted : calls) {
    if (counted.receiver == nullptr) sum += counted.calls;
  }
  return sum;
}

bool ProfileReader::KnowsLayout() {
  if (!data_.has_layout()) layout_status_ = data_.ChooseLayout(Voters(), usual_cells_);
  // A program of a second has few compiled methods, but the interpreter counts as well.
  if (!layout_status_.ok() && methods_)
    layout_status_ = data_.ChooseLayout(MoreVoters(), usual_cells_);
  return data_.has_layout();
}

std::vector<ProfileReader::Counted> ProfileReader::Methods() const {
  std::vector<Counted> methods;
  // Where the JDK is not observed it matters for its calls back into what is. Those are few, and
  // samples tell of them; to look at all of its methods takes longer than all the rest.
  if (methods_) methods = methods_->Find(naming_.observes_jdk);
  std::unordered_set<VmMethod, VmMethodHash> found;
  for (const Counted& counted : methods) {
    if (const VmMethod key = KeyOf(counted); ids_.contains(key)) found.insert(key);
  }
  // Versions that were redefined are in no class, and not all classes were looked at.
  for (const auto& [method, id] : ids_) {
    if (found.contains(method)) continue;
    methods.push_back(
        {.address = method.address, .const_method = method.const_method, .has_data = true});
  }
  return methods;
}

std::vector<std::optional<MethodProfile>> ProfileReader::ReadData(
    const std::vector<Counted>& methods) const {
  std::vector<const void*> addresses;
  std::vector<size_t> indices;
  for (size_t i = 0; i < methods.size(); ++i) {
    if (!methods[i].has_data) continue;
    addresses.push_back(methods[i].address);
    indices.push_back(i);
  }
  std::vector<std::optional<MethodProfile>> read = data_.ReadAll(addresses);
  std::vector<std::optional<MethodProfile>> profiles(methods.size());
  for (size_t i = 0; i < read.size(); ++i) {
    // It may be gone, and another one be at its address.
    if (read[i] && read[i]->const_method == methods[indices[i]].const_method) {
      profiles[indices[i]] = std::move(read[i]);
    }
  }
  return profiles;
}

const ProfileReader::Before& ProfileReader::BeforeOf(const Counted& method) const {
  static const Before kNothing;
  const auto known = before_.find(KeyOf(method));
  return known == before_.end() ? kNothing : known->second;
}

bool ProfileReader::TakeBaseline() {
  const ForgetAtEnd forget{*blocks_};
  ids_.clear();
  if (!KnowsLayout() || !methods_) return false;
  const std::vector<Counted> methods = Methods();
  const std::vector<std::optional<MethodProfile>> profiles = ReadData(methods);
  for (size_t i = 0; i < methods.size(); ++i) {
    before_[KeyOf(methods[i])] = AllCountedIn(methods[i], profiles[i]);
  }
  return true;
}

ProfileReader::Before ProfileReader::AllCountedIn(const Counted& method,
                                                  const std::optional<MethodProfile>& profile) {
  Before before;
  before.interpreted = method.interpreted;
  before.loops = method.loops;
  if (!profile) return before;
  before.invocations = profile->invocations;
  before.interpreted = profile->interpreted;
  for (const MethodProfile::CallSite& site : profile->sites) {
    if (site.calls == 0) continue;
    before.calls.push_back({site.bci, nullptr, site.calls});
    for (const MethodProfile::Receiver& receiver : profile->ReceiversOf(site)) {
      if (receiver.klass == nullptr || receiver.calls <= 0) continue;
      before.calls.push_back({site.bci, receiver.klass, receiver.calls});
    }
  }
  return before;
}

std::vector<ProfileReader::Candidate> ProfileReader::Candidates(
    const std::vector<Counted>& methods,
    const std::vector<std::optional<MethodProfile>>& profiles) {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < methods.size(); ++i) {
    if (!profiles[i] && methods[i].interpreted <= 0) continue;
    const auto of_compilation = ids_.find(KeyOf(methods[i]));
    const MethodId id = of_compilation == ids_.end() ? kNoMethod : of_compilation->second;
    const bool is_needed = id != kNoMethod || told_.contains(KeyOf(methods[i]));
    const int64_t counted = WorthTelling(methods[i], profiles[i]);
    if (!is_needed && counted == 0) continue;
    candidates.push_back({i, id, is_needed, IsOfObservedClass(methods[i]), counted});
  }
  // What is not observed matters for the few of its calls that lead to what is.
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.is_needed, a.is_observed, a.counted) >
           std::tuple(b.is_needed, b.is_observed, b.counted);
  });
  SortNeighbours(methods, candidates);
  return candidates;
}

// By address, as methods of a class lie side by side, and what is read of one is of use for the
// next: all that will be told in any case, and of the others those between two questions.
void ProfileReader::SortNeighbours(const std::vector<Counted>& methods,
                                   std::span<Candidate> candidates) {
  const auto address = [&](const Candidate& candidate) {
    return reinterpret_cast<uintptr_t>(methods[candidate.index].address);
  };
  const auto others = std::ranges::find(candidates, false, &Candidate::is_needed);
  size_t first = 0;
  size_t together = static_cast<size_t>(others - candidates.begin());
  while (first < candidates.size()) {
    std::ranges::sort(candidates.subspan(first, std::min(together, candidates.size() - first)), {},
                      address);
    first += together;
    together = kAskEvery;
  }
}

// What methods of observed classes count is what a profile is about.
int64_t ProfileReader::LeastToTell(std::span<const Candidate> candidates, double all) {
  std::vector<int64_t> counts;
  for (const Candidate& candidate : candidates) {
    if (candidate.is_observed && !candidate.is_needed) counts.push_back(candidate.counted);
  }
  std::ranges::sort(counts);
  double left_out = 0;
  for (const int64_t counted : counts) {
    left_out += static_cast<double>(counted);
    if (left_out > kUntoldShare * all) return counted;
  }
  return 0;
}

bool ProfileReader::IsOfObservedClass(const Counted& method) {
  return method.klass != nullptr && FactsOf(method.klass).is_observed;
}

std::vector<spool::MethodProfile> ProfileReader::Read(const Compilations& compilations,
                                                      const std::function<bool()>& may_go_on,
                                                      Interpreted* interpreted) {
  const ForgetAtEnd forget{*blocks_};
  classes_.clear();
  const std::vector<std::pair<VmMethod, MethodId>> known = compilations.Methods();
  ids_ = {known.begin(), known.end()};
  if (!KnowsLayout()) return {};
  const std::vector<Counted> methods = Methods();
  declared_.clear();
  for (const Counted& method : methods) {
    if (method.klass != nullptr) declared_.emplace(method.address, method.klass);
  }
  const std::vector<std::optional<MethodProfile>> profiles = ReadData(methods);
  std::map<MethodId, spool::MethodProfile> by_id;
  std::vector<Candidate> candidates = Candidates(methods, profiles);
  double all = 0, told_of_all = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.is_observed) all += static_cast<double>(candidate.counted);
  }
  std::erase_if(candidates, [least = LeastToTell(candidates, all)](const Candidate& candidate) {
    return !candidate.is_needed && candidate.counted < least;
  });
  size_t not_needed = 0;
  for (const auto& [i, known_id, is_needed, is_observed, counted] : candidates) {
    if (may_go_on && !is_needed && not_needed++ % kAskEvery == 0 && !may_go_on()) break;
    if (is_observed) told_of_all += static_cast<double>(counted);
    MethodId id = known_id;
    spool::MethodProfile told = Tell(methods[i], profiles[i].value_or(MethodProfile{}));
    const bool is_wanted =
        id == kNoMethod && (FactsOf(methods[i].klass).is_observed || TellsOfCalls(told));
    if (is_wanted) id = CallerIdOf(methods[i].address);
    if (id == kNoMethod) continue;
    told.method = id;
    told_.insert(KeyOf(methods[i]));
    if (next_before_ != nullptr) {
      next_before_->insert_or_assign(KeyOf(methods[i]), AllCountedIn(methods[i], profiles[i]));
    }
    const auto [it, is_first] = by_id.try_emplace(id, std::move(told));
    if (!is_first) Add(told, &it->second);
  }
  untold_share_ = all > 0 ? 1 - told_of_all / all : 0;
  if (interpreted != nullptr) {
    interpreted->calls = ReadInterpreted(methods, interpreted->may_go_on);
  }
  if (next_before_ != nullptr) {
    for (const auto& [method, before] : before_) next_before_->try_emplace(method, before);
  }
  std::vector<spool::MethodProfile> changed;
  for (auto& [id, told] : by_id) {
    // Once a method is compiled for good hardly anything is counted in it.
    if (const uint64_t now = CountedIn(told); std::exchange(counted_[id], now) != now) {
      changed.push_back(std::move(told));
    }
  }
  return changed;
}

// Those of small programs are mostly the JDK's own.
std::vector<const void*> ProfileReader::Voters() const {
  std::vector<const void*> methods;
  code_cache_.ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    if (methods.size() < kMaxVoters) methods.push_back(compilation.method);
  });
  std::sort(methods.begin(), methods.end());
  methods.erase(std::unique(methods.begin(), methods.end()), methods.end());
  return methods;
}

std::vector<const void*> ProfileReader::MoreVoters() const {
  std::vector<const void*> methods;
  for (const Counted& counted : methods_->Find()) {
    if (counted.has_data && methods.size() < kMaxVoters) methods.push_back(counted.address);
  }
  return methods;
}

spool::MethodProfile ProfileReader::Tell(const Counted& method, const MethodProfile& profile) {
  const Before& before = BeforeOf(method);
  spool::MethodProfile told;
  told.invocations = ToCount(profile.invocations);
  told.interpreted = ToCount(std::max(profile.interpreted, method.interpreted));
  told.invocations_before = std::min(told.invocations, ToCount(before.invocations));
  told.interpreted_before = std::min(told.interpreted, ToCount(before.interpreted));
  LazyCaller caller(resolver_, method.address);
  // What a class of the JDK calls without a receiver is the JDK's.
  const bool may_call_observed = method.klass == nullptr || FactsOf(method.klass).has_observed;
  for (const MethodProfile::CallSite& site : profile.sites) {
    if (site.calls == 0) continue;
    spool::MethodProfile::Site& at = told.sites.emplace_back();
    at.bci = site.bci;
    at.calls = ToCount(site.calls);
    at.before = std::min(at.calls, ToCount(before.CallsAt(site.bci, nullptr)));
    for (const MethodProfile::Receiver& receiver : profile.ReceiversOf(site)) {
      if (receiver.klass == nullptr || receiver.calls <= 0) continue;
      const MethodId callee = FactsOf(receiver.klass).has_observed
                                  ? CalleeOf(caller, site.bci, receiver.klass)
                                  : kNoMethod;
      const int64_t calls_before = before.CallsAt(site.bci, receiver.klass);
      at.receivers.push_back(
          {callee, ToCount(receiver.calls), ToCount(std::min(receiver.calls, calls_before))});
    }
    // Of an invokevirtual that can call one method only (of a final class, or private) the VM
    // records no receivers.
    if (at.receivers.empty() && may_call_observed) {
      const MethodId callee = CalleeOf(caller, site.bci, kBound);
      if (callee != kNoMethod) at.receivers.push_back({callee, at.calls, at.before});
    }
  }
  return told;
}

bool ProfileReader::TellsOfCalls(const spool::MethodProfile& told) {
  return std::ranges::any_of(told.sites, [](const spool::MethodProfile::Site& site) {
    return std::ranges::any_of(site.receivers, [](const spool::MethodProfile::Receiver& receiver) {
      return receiver.callee != kNoMethod;
    });
  });
}

MethodId ProfileReader::CallerIdOf(const void* method) {
  const std::optional<ClassReader::MethodNames> names = NamesOf(method);
  if (!names) return kNoMethod;
  return naming_.caller(*names, [&] { return resolver_.SourceOf(method, numbers_); });
}

spool::InterpretedCalls ProfileReader::ReadInterpreted(const std::vector<Counted>& methods,
                                                       const std::function<bool()>& may_go_on) {
  std::vector<InterpretedCalls::Method> executed;
  for (const Counted& method : methods) {
    const Before& before = BeforeOf(method);
    const int64_t interpreted = method.interpreted - before.interpreted;
    if (method.klass == nullptr || interpreted <= 0) continue;
    executed.push_back({method.address, method.klass, interpreted,
                        std::max<int64_t>(0, method.loops - before.loops)});
    if (next_before_ == nullptr) continue;
    Before& next = next_before_->try_emplace(KeyOf(method), before).first->second;
    next.interpreted = method.interpreted;
    next.loops = method.loops;
  }
  // To know who may be called takes time as well.
  if (may_go_on && !may_go_on()) {
    untold_interpreted_share_ = executed.empty() ? 0 : 1;
    return {};
  }
  std::unordered_set<const void*> with_uncounted;
  code_cache_.ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    if (!CountsInvocations(compilation.level)) with_uncounted.insert(compilation.method);
  });
  for (InterpretedCalls::Method& method : executed) {
    method.has_uncounted = with_uncounted.contains(method.address);
  }
  using Since = InterpretedCalls::Since;
  InterpretedCalls calls(
      resolver_, class_reader_, executed,
      {.is_observed = [&](const void* klass) { return FactsOf(klass).is_observed; },
       .id_of = [&](const void* method) { return CallerIdOf(method); }},
      was_there_from_start_ ? Since::kRecordingBegan : Since::kUnknown);
  spool::InterpretedCalls told = calls.Read(may_go_on);
  untold_interpreted_share_ = calls.untold_share();
  return told;
}

std::optional<ClassReader::MethodNames> ProfileReader::NamesOf(const void* method) {
  const auto declared = declared_.find(method);
  if (declared == declared_.end()) return resolver_.NamesOf(method);
  const std::optional<ClassReader::ClassNames>& of_class = FactsOf(declared->second).names;
  return of_class ? resolver_.NamesIn(*of_class, method) : std::nullopt;
}

// A class of the boot loader inherits from no other loader's.
const ProfileReader::ClassFacts& ProfileReader::FactsOf(const void* klass) {
  const auto [known, is_new] = classes_.try_emplace(klass);
  if (!is_new) return known->second;
  std::optional<ClassReader::ClassNames>& names = known->second.names;
  names = resolver_.NamesOfClass(klass);
  known->second.has_observed = naming_.observes_jdk || (names && !names->is_of_boot_loader);
  if (!names) return known->second;
  known->second.is_observed =
      known->second.has_observed && naming_.observes_class(names->name, names->is_of_boot_loader);
  return known->second;
}

int64_t ProfileReader::WorthTelling(const Counted& method,
                                    const std::optional<MethodProfile>& profile) {
  int64_t counted = method.interpreted;
  if (profile) {
    counted += profile->invocations;
    for (const MethodProfile::CallSite& site : profile->sites) counted += site.calls;
  }
  counted -= BeforeOf(method).All();
  if (counted < kLeastCounted) return 0;
  return profile.has_value() || IsOfObservedClass(method) ? counted : 0;
}

const CallResolver::Caller* ProfileReader::LazyCaller::Get() {
  if (!is_open_) {
    is_open_ = true;
    caller_ = resolver_.Open(method_);
  }
  return caller_ ? &*caller_ : nullptr;
}

MethodId ProfileReader::IdOf(const void* method) {
  const auto [id, is_new] =
      ids_.try_emplace(VmMethod{method, resolver_.ConstMethodOf(method)}, kNoMethod);
  if (is_new) {
    const std::optional<ClassReader::MethodNames> names = NamesOf(method);
    if (names) id->second = naming_.observed(*names);
  }
  return id->second;
}

MethodId ProfileReader::CalleeOf(LazyCaller& caller, int32_t bci, const void* klass) {
  const CallResolver::Caller* open = caller.Get();
  const std::optional<InvokeSite> site = open != nullptr ? open->SiteAt(bci) : std::nullopt;
  if (!site) return kNoMethod;
  const void* callee =
      klass == kBound ? resolver_.BoundCallee(*open, *site) : resolver_.Callee(*open, *site, klass);
  return callee == nullptr ? kNoMethod : IdOf(callee);
}

}  // namespace yp::hotspot
