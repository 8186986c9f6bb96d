#include "core/inference/interpreted_calls.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace yp {
namespace {

constexpr int kRounds = 20;

// A site and a method that it may have called, or has.
struct Pair {
  size_t site = 0;
  MethodId callee{};
  double calls = 0;
};

double CallsOf(const CallsByMethod& calls, MethodId method) {
  const auto known = calls.find(method);
  return known == calls.end() ? 0 : std::max(0.0, known->second);
}

const InterpretedCode::Method& MethodOf(const InterpretedCode& code, MethodId method) {
  static const InterpretedCode::Method kNothing;
  const auto known = code.methods.find(method);
  return known == code.methods.end() ? kNothing : known->second;
}

// The most calls that a site can have made.
double MostOf(const InterpretedCode& code, const InterpretedCode::Site& site) {
  const InterpretedCode::Method& caller = MethodOf(code, site.caller);
  return caller.invocations + (site.is_in_loop ? caller.loops : 0);
}

bool HasOneCallee(const InterpretedCode& code, const InterpretedCode::Site& site) {
  return code.targets[site.target].size() == 1;
}

// Multiplies the calls of a method by factor(method, P(m) by what they are in all).
template <typename Factor>
void FitToMethods(const CallsByMethod& to_share, std::vector<Pair>& pairs, const Factor& factor) {
  CallsByMethod sums;
  for (const Pair& pair : pairs) sums[pair.callee] += pair.calls;
  for (Pair& pair : pairs) {
    const double sum = sums[pair.callee];
    if (sum > 0) pair.calls *= factor(pair.callee, CallsOf(to_share, pair.callee) / sum);
  }
}

// Where the method has fewer.
double Lowered(MethodId, double ratio) { return std::min(1.0, ratio); }
// The other way as well.
double Fitted(MethodId, double ratio) { return ratio; }

// Lowers the calls where a site can have made fewer.
void FitToSites(std::span<const double> most, std::vector<Pair>& pairs) {
  std::vector<double> sums(most.size(), 0);
  for (const Pair& pair : pairs) sums[pair.site] += pair.calls;
  for (Pair& pair : pairs) {
    if (sums[pair.site] > most[pair.site]) pair.calls *= most[pair.site] / sums[pair.site];
  }
}

std::vector<SharedCalls> SharedOf(const InterpretedCode& code, std::span<const Pair> pairs) {
  std::map<Edge, SharedCalls> edges;
  for (const Pair& pair : pairs) {
    if (pair.calls <= 0) continue;
    const InterpretedCode::Site& site = code.sites[pair.site];
    const Edge edge{site.caller, site.bci, pair.callee};
    SharedCalls& shared = edges[edge];
    shared.edge = edge;
    shared.calls += pair.calls;
    const bool is_certain = site.is_certain && HasOneCallee(code, site);
    shared.low = is_certain ? std::min(1.0, shared.calls) : 0;
    const InterpretedCode::Method& callee = MethodOf(code, pair.callee);
    const double most = MostOf(code, site);
    shared.high =
        std::max(shared.calls, callee.has_uncounted ? most : std::min(most, callee.invocations));
  }
  std::vector<SharedCalls> all;
  for (const auto& [edge, shared] : edges) all.push_back(shared);
  return all;
}

}  // namespace

std::vector<SharedCalls> ShareCertain(const InterpretedCode& code, const CallsByMethod& to_share) {
  const auto lowered_if_counted = [&](MethodId method, double ratio) {
    return MethodOf(code, method).has_uncounted ? 1 : Lowered(method, ratio);
  };
  std::vector<Pair> executed, each_invocation;
  for (size_t i = 0; i < code.sites.size(); ++i) {
    const InterpretedCode::Site& site = code.sites[i];
    const double most = MostOf(code, site);
    if (!HasOneCallee(code, site) || most <= 0) continue;
    const MethodId callee = code.targets[site.target].front();
    const double once = site.is_certain ? std::min(1.0, most) : 0;
    if (once > 0) executed.push_back({i, callee, once});
    if (site.is_unconditional) each_invocation.push_back({i, callee, most - once});
  }
  FitToMethods(to_share, executed, lowered_if_counted);
  CallsByMethod left = to_share;
  for (const Pair& pair : executed) left[pair.callee] -= pair.calls;
  FitToMethods(left, each_invocation, lowered_if_counted);
  executed.insert(executed.end(), each_invocation.begin(), each_invocation.end());
  return SharedOf(code, executed);
}

std::vector<SharedCalls> ShareInitializations(const InterpretedCode& code,
                                              const CallsByMethod& to_share) {
  CallsByMethod places;
  for (const Edge& edge : code.initializations) places[edge.callee] += 1;
  std::vector<SharedCalls> shared;
  for (const Edge& edge : code.initializations) {
    const double calls = CallsOf(to_share, edge.callee) / places[edge.callee];
    if (calls > 0) {
      shared.push_back({edge, calls, 0, MethodOf(code, edge.callee).invocations});
    }
  }
  return shared;
}

std::vector<SharedCalls> ShareRest(const InterpretedCode& code,
                                   std::span<const SharedCalls> certain,
                                   const CallsByMethod& to_share) {
  std::map<std::pair<MethodId, int32_t>, double> known;
  for (const SharedCalls& shared : certain) {
    known[{shared.edge.caller, shared.edge.bci}] += shared.calls;
  }
  std::vector<double> most;
  std::vector<Pair> pairs;
  for (size_t i = 0; i < code.sites.size(); ++i) {
    const InterpretedCode::Site& site = code.sites[i];
    const auto already = known.find({site.caller, site.bci});
    const double taken = already == known.end() ? 0 : already->second;
    most.push_back(std::max(0.0, MostOf(code, site) - taken));
    double all = 0;
    for (const MethodId callee : code.targets[site.target]) all += CallsOf(to_share, callee);
    if (all <= 0 || most.back() <= 0) continue;
    const double expected = most.back() * (site.is_unconditional ? 1 : kTaken) / all;
    for (const MethodId callee : code.targets[site.target]) {
      pairs.push_back({i, callee, expected * CallsOf(to_share, callee)});
    }
  }
  for (int round = 0; round < kRounds; ++round) {
    FitToMethods(to_share, pairs, Fitted);
    FitToSites(most, pairs);
  }
  FitToMethods(to_share, pairs, Lowered);
  return SharedOf(code, pairs);
}

}  // namespace yp
