#include "core/amortize/versions.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace yp {
namespace {

// A trap's code ends with it, as far as clocks of a millisecond tell.
constexpr int64_t kWithTrapNs = 1'000'000;

// What happened to a method's code.
struct CodeChange {
  int64_t time_ns = 0;
  // A compilation was installed; else one was made not entrant.
  bool is_installed = false;
  size_t compilation = 0;
  std::optional<size_t> deoptimization;
};

// Many fall together where times are in milliseconds: then compilations are taken in the order in
// which they were installed, each with its end behind it.
auto OrderOf(const JitLog& log, const CodeChange& change) {
  const JitLog::Compilation& compilation = log.compilations[change.compilation];
  return std::tuple(change.time_ns, compilation.end_ns, compilation.compile_id,
                    !change.is_installed);
}

// Puts a method's changes, in their order, together.
std::vector<VersionLife> LivesOf(const JitLog& log, const std::vector<CodeChange>& changes,
                                 int64_t end_ns) {
  std::vector<VersionLife> lives;
  VersionLife current;
  const auto begin = [&](std::optional<size_t> compilation, int64_t time_ns) {
    current.end_ns = std::max(time_ns, current.begin_ns);
    lives.push_back(current);
    VersionLife next;
    next.compilation = compilation;
    next.begin_ns = current.end_ns;
    current = next;
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    const CodeChange& change = changes[i];
    if (change.is_installed) {
      begin(change.compilation, change.time_ns);
      continue;
    }
    if (current.compilation != change.compilation) continue;
    const auto next = std::find_if(changes.begin() + static_cast<std::ptrdiff_t>(i), changes.end(),
                                   [](const CodeChange& later) { return later.is_installed; });
    const bool is_replaced = !change.deoptimization && next != changes.end() &&
                             log.compilations[next->compilation].start_ns <= change.time_ns;
    if (is_replaced) continue;
    current.was_made_not_entrant = true;
    current.deoptimization = change.deoptimization;
    begin(std::nullopt, change.time_ns);
  }
  current.end_ns = std::max(end_ns, current.begin_ns);
  lives.push_back(current);
  return lives;
}

}  // namespace

bool MakesNotEntrant(std::string_view action) {
  return action == "reinterpret" || action == "make_not_entrant" || action == "make_not_compilable";
}

int64_t CompileNs(const JitLog::Compilation& compilation) {
  return compilation.cpu_ns.value_or(
      std::max<int64_t>(0, compilation.end_ns - compilation.start_ns));
}

std::vector<MethodVersions> VersionsOf(const JitLog& log, int64_t end_ns) {
  std::map<JitMethodId, MethodVersions> methods;
  std::map<JitMethodId, std::vector<CodeChange>> changes;
  std::unordered_map<int64_t, size_t> by_id;  // Compilations that calls enter.
  for (size_t i = 0; i < log.compilations.size(); ++i) {
    const JitLog::Compilation& compilation = log.compilations[i];
    MethodVersions& versions = methods[compilation.method];
    versions.method = compilation.method;
    if (!compilation.succeeded) continue;
    if (compilation.is_osr) {
      versions.loops.push_back(i);
      continue;
    }
    by_id.insert_or_assign(compilation.compile_id, i);
    changes[compilation.method].push_back({compilation.end_ns, true, i, std::nullopt});
  }
  const auto give_up = [&](int64_t compile_id, int64_t time_ns, std::optional<size_t> why) {
    const auto found = by_id.find(compile_id);
    if (found == by_id.end()) return;
    changes[log.compilations[found->second].method].push_back({time_ns, false, found->second, why});
  };
  std::unordered_map<int64_t, size_t> last_trap;  // By compilation.
  for (size_t i = 0; i < log.deoptimizations.size(); ++i) {
    const JitLog::Deoptimization& trap = log.deoptimizations[i];
    if (trap.is_osr) continue;
    last_trap.insert_or_assign(trap.compile_id, i);
    if (MakesNotEntrant(trap.action)) give_up(trap.compile_id, trap.time_ns, i);
  }
  for (const JitLog::CodeEnd& end : log.code_ends) {
    if (end.is_osr) continue;
    const auto trap = last_trap.find(end.compile_id);
    const bool is_with_trap =
        trap != last_trap.end() &&
        std::abs(end.time_ns - log.deoptimizations[trap->second].time_ns) <= kWithTrapNs;
    give_up(end.compile_id, end.time_ns, is_with_trap ? std::optional(trap->second) : std::nullopt);
  }
  std::vector<MethodVersions> result;
  for (auto& [method, versions] : methods) {
    std::vector<CodeChange>& of_method = changes[method];
    std::ranges::stable_sort(of_method, {},
                             [&](const CodeChange& change) { return OrderOf(log, change); });
    versions.lives = LivesOf(log, of_method, end_ns);
    std::ranges::stable_sort(versions.loops, {},
                             [&](size_t i) { return log.compilations[i].end_ns; });
    result.push_back(std::move(versions));
  }
  return result;
}

}  // namespace yp
