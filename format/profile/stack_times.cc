#include "format/profile/stack_times.h"

#include <algorithm>
#include <set>
#include <utility>

#include "format/profile/thread_names.h"

namespace yp {
namespace {

constexpr int64_t kShortestPartNs = 10'000'000;

std::string NameOrNumber(const std::string& name, ThreadId id) {
  return name.empty() ? "thread " + std::to_string(ToIndex(id)) : name;
}

// The names of groups with most work first, and what each thread belongs to.
ThreadGrouping GroupBy(const std::map<ThreadId, std::string>& keys,
                       const std::map<ThreadId, double>& work) {
  std::map<std::string, double> by_key;
  for (const auto& [thread, amount] : work) by_key[keys.at(thread)] += amount;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [key, amount] : by_key) order.emplace_back(-amount, key);
  std::ranges::sort(order);
  ThreadGrouping grouping;
  std::map<std::string, uint32_t> index;
  for (const auto& [amount, key] : order) {
    const bool is_last =
        grouping.names.size() + 1 == kMaxThreadGroups && order.size() > kMaxThreadGroups;
    if (is_last) grouping.names.emplace_back("other threads");
    if (grouping.names.size() < kMaxThreadGroups) grouping.names.push_back(key);
    index[key] = static_cast<uint32_t>(grouping.names.size() - 1);
  }
  for (const auto& [thread, amount] : work) grouping.group[thread] = index.at(keys.at(thread));
  return grouping;
}

}  // namespace

int64_t PartNs(int64_t duration_ns) {
  int64_t part_ns = kShortestPartNs;
  while (part_ns <= INT64_MAX / (4 * kMaxParts) && part_ns * kMaxParts < duration_ns) part_ns *= 2;
  return part_ns;
}

ThreadGrouping GroupThreads(const std::vector<spool::ThreadDefinition>& threads,
                            const std::map<ThreadId, double>& work) {
  std::map<ThreadId, std::string> names;
  for (const auto& [thread, amount] : work) names[thread] = NameOrNumber("", thread);
  for (const spool::ThreadDefinition& thread : threads) {
    if (work.contains(thread.id)) names[thread.id] = NameOrNumber(thread.name, thread.id);
  }
  std::set<std::string> distinct;
  for (const auto& [thread, name] : names) distinct.insert(name);
  if (distinct.size() > kMaxThreadGroups) {
    for (auto& [thread, name] : names) name = NamePattern(name);
  }
  return GroupBy(names, work);
}

void StackTimesBuilder::Take(int64_t time_ns, ThreadId thread, ContextId context,
                             uint64_t samples) {
  time_ns = std::clamp<int64_t>(time_ns, 0, PartNs(INT64_MAX) * kMaxParts - 1);
  if (time_ns / part_ns_ >= kMaxParts) Coarsen(PartNs(time_ns + 1));
  sums_[{time_ns / part_ns_, thread, context}] += samples;
}

void StackTimesBuilder::Coarsen(int64_t part_ns) {
  if (part_ns <= part_ns_) return;
  std::map<Place, uint64_t> sums;
  for (const auto& [place, samples] : sums_) {
    const auto& [part, thread, context] = place;
    sums[{part * part_ns_ / part_ns, thread, context}] += samples;
  }
  sums_ = std::move(sums);
  part_ns_ = part_ns;
}

StackTimes StackTimesBuilder::Build(const std::vector<spool::ThreadDefinition>& threads) {
  StackTimes times;
  if (sums_.empty()) return times;
  times.part_ns = part_ns_;
  std::map<ThreadId, double> work;
  for (const auto& [place, samples] : sums_) {
    work[std::get<ThreadId>(place)] += static_cast<double>(samples);
  }
  times.threads = GroupThreads(threads, work);
  std::map<std::tuple<uint32_t, uint32_t, ContextId>, uint64_t> by_group;
  for (const auto& [place, samples] : sums_) {
    const auto& [part, thread, context] = place;
    by_group[{static_cast<uint32_t>(part), times.threads.group.at(thread), context}] += samples;
  }
  for (const auto& [place, samples] : by_group) {
    const auto& [part, group, context] = place;
    times.samples.push_back({part, group, context, samples});
  }
  sums_.clear();
  return times;
}

}  // namespace yp
