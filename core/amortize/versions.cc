#include "core/amortize/versions.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace yp {
namespace {

// What happened to a method's code.
struct Change {
  int64_t time_ns = 0;
  // A compilation was installed; else one was given up.
  bool is_installed = false;
  size_t compilation = 0;
  std::optional<size_t> deoptimization;
};

// At one time, what was given up before what came.
bool IsBefore(const Change& a, const Change& b) {
  return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.is_installed < b.is_installed;
}

// Puts a method's changes, in their order, together.
std::vector<VersionLife> LivesOf(const JitLog& log, const std::vector<Change>& changes,
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
    const Change& change = changes[i];
    if (change.is_installed) {
      begin(change.compilation, change.time_ns);
      continue;
    }
    if (current.compilation != change.compilation) continue;
    const auto next = std::find_if(changes.begin() + static_cast<std::ptrdiff_t>(i), changes.end(),
                                   [](const Change& later) { return later.is_installed; });
    const bool is_replaced = !change.deoptimization && next != changes.end() &&
                             log.compilations[next->compilation].start_ns <= change.time_ns;
    if (is_replaced) continue;
    current.was_given_up = true;
    current.deoptimization = change.deoptimization;
    begin(std::nullopt, change.time_ns);
  }
  current.end_ns = std::max(end_ns, current.begin_ns);
  lives.push_back(current);
  return lives;
}

}  // namespace

bool GivesUp(std::string_view action) {
  return action == "reinterpret" || action == "make_not_entrant" || action == "make_not_compilable";
}

int64_t CompileNs(const JitLog::Compilation& compilation) {
  return std::max<int64_t>(0, compilation.end_ns - compilation.start_ns);
}

std::vector<MethodVersions> VersionsOf(const JitLog& log, int64_t end_ns) {
  std::map<JitMethodId, MethodVersions> methods;
  std::map<JitMethodId, std::vector<Change>> changes;
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
  for (size_t i = 0; i < log.deoptimizations.size(); ++i) {
    const JitLog::Deoptimization& trap = log.deoptimizations[i];
    if (!trap.is_osr && GivesUp(trap.action)) give_up(trap.compile_id, trap.time_ns, i);
  }
  for (const JitLog::CodeEnd& end : log.code_ends) {
    if (!end.is_osr) give_up(end.compile_id, end.time_ns, std::nullopt);
  }
  std::vector<MethodVersions> result;
  for (auto& [method, versions] : methods) {
    std::vector<Change>& of_method = changes[method];
    std::ranges::stable_sort(of_method, IsBefore);
    versions.lives = LivesOf(log, of_method, end_ns);
    std::ranges::stable_sort(versions.loops, {},
                             [&](size_t i) { return log.compilations[i].end_ns; });
    result.push_back(std::move(versions));
  }
  return result;
}

}  // namespace yp
