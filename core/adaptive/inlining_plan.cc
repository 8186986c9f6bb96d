#include "core/adaptive/inlining_plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace yp {
namespace {

using Site = std::pair<MethodId, int32_t>;

// HotSpot's TypeProfileWidth and TypeProfileMajorReceiverPercent.
constexpr size_t kInlinedTargets = 2;
constexpr double kMajorPart = 0.9;
constexpr double kLeastPart = 0.01;

// Of JDK 17 and 25 (opto/bytecodeInfo.cpp). What says that a call was hardly made, or that its
// callee is not one of Java code, is no miss and is not here.
constexpr std::array<ReasonAdvice, 11> kAdvice = {{
    {"hot method too big",
     "the callee has more bytecode than C2 inlines of a hot call (FreqInlineSize, 325 bytes): move "
     "its rare parts into methods of their own",
     true},
    {"too big",
     "C2 did not take the call for hot, and the callee has more than 35 bytes (MaxInlineSize): "
     "move "
     "its rare parts into methods of their own",
     true},
    {"already compiled into a big method",
     "the callee's own compiled code is large (InlineSmallCode): make the callee smaller, or the "
     "methods that it inlines",
     true},
    {"already compiled into a medium method",
     "the callee's own compiled code is large for a call that C2 did not take for hot: make the "
     "callee smaller, or the methods that it inlines",
     true},
    {"size > DesiredMethodLimit",
     "the compilation was full (8,000 bytes of bytecode): split the method that was compiled",
     false},
    {"NodeCountInliningCutoff",
     "the compilation was full (C2's limit of nodes while it inlines): split the method that was "
     "compiled",
     false},
    {"inlining too deep",
     "the call is within 15 inlined calls (MaxInlineLevel): let fewer methods pass the work on",
     false},
    {"recursive inlining is too deep",
     "the callee calls itself; C2 inlines one level of recursion (MaxRecursiveInlineLevel): use a "
     "loop",
     false},
    {"unloaded signature classes",
     "a class of the callee's parameters was not loaded when C2 compiled the caller: load it "
     "before",
     false},
    {"exception method",
     "the callee is a method of an exception's class: keep exceptions out of what is called often",
     false},
    {"not inlineable", "C2 inlines no such method", false},
}};

template <typename T>
void SortByCalls(std::vector<T>* rows) {
  std::ranges::stable_sort(*rows, std::ranges::greater(), &T::calls);
}

}  // namespace

const ReasonAdvice* AdviceFor(std::string_view reason) {
  const auto* const found = std::ranges::find(kAdvice, reason, &ReasonAdvice::reason);
  return found == kAdvice.end() ? nullptr : found;
}

std::vector<MissedInlining> MissedInlinings(const DynamicCallGraph& calls,
                                            std::span<const CompilerDecision> decisions,
                                            const SizesInBytes& sizes, const InlinePolicy& policy,
                                            double least_weight) {
  struct Decided {
    size_t inlined = 0, refused = 0;
    std::map<std::string_view, size_t> reasons;
  };
  std::map<Edge, Decided> decided;
  for (const CompilerDecision& decision : decisions) {
    Decided& at = decided[decision.edge];
    if (decision.is_inlined) {
      ++at.inlined;
    } else {
      ++at.refused;
      ++at.reasons[decision.reason];
    }
  }
  std::map<Site, std::pair<double, size_t>> sites;  // Calls, and how many targets have some.
  for (const auto& [edge, weight] : calls.edges()) {
    if (weight <= 0) continue;
    auto& [site_calls, targets] = sites[{edge.caller, edge.bci}];
    site_calls += weight;
    ++targets;
  }
  std::vector<MissedInlining> missed;
  for (const auto& [edge, at] : decided) {
    const double weight = calls.WeightOf(edge);
    if (at.refused <= at.inlined || weight <= 0 || weight < least_weight * calls.total()) continue;
    const auto most =
        std::ranges::max_element(at.reasons, {}, [](const auto& entry) { return entry.second; });
    if (AdviceFor(most->first) == nullptr) continue;
    MissedInlining row{.edge = edge,
                       .calls = weight,
                       .reason = most->first,
                       .refused = at.refused,
                       .decided = at.refused + at.inlined};
    if (const auto size = sizes.find(edge.callee); size != sizes.end()) row.bytes = size->second;
    const auto& [site_calls, targets] = sites.at({edge.caller, edge.bci});
    row.oracle = Decide(policy, {.weight = weight / calls.total(),
                                 .part = weight / site_calls,
                                 .is_only_target = targets == 1,
                                 .bytes = row.bytes});
    missed.push_back(row);
  }
  SortByCalls(&missed);
  return missed;
}

std::vector<SpreadSite> SpreadSites(const DynamicCallGraph& calls, double least_weight) {
  std::map<Site, SpreadSite> sites;
  for (const auto& [edge, weight] : calls.edges()) {
    if (weight <= 0 || edge.bci == kNoBci || edge.caller == kNoMethod) continue;
    SpreadSite& site = sites[{edge.caller, edge.bci}];
    site.caller = edge.caller;
    site.bci = edge.bci;
    site.calls += weight;
    site.targets.emplace_back(edge.callee, weight);
  }
  std::vector<SpreadSite> spread;
  for (auto& [key, site] : sites) {
    if (site.calls < least_weight * calls.total()) continue;
    std::ranges::sort(site.targets, [](const auto& a, const auto& b) {
      return std::pair(-a.second, a.first) < std::pair(-b.second, b.first);
    });
    const double least = kLeastPart * site.calls;
    const auto counts = [least](const auto& target) { return target.second >= least; };
    if (static_cast<size_t>(std::ranges::count_if(site.targets, counts)) <= kInlinedTargets ||
        site.targets.front().second >= kMajorPart * site.calls) {
      continue;
    }
    spread.push_back(std::move(site));
  }
  SortByCalls(&spread);
  return spread;
}

}  // namespace yp
