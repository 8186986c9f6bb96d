#include "format/page/page_slices.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "format/page/page_tree.h"
#include "format/profile/selection.h"
#include "format/profile/stack_times.h"

namespace yp {
namespace {

struct Row {
  int64_t part = 0;
  size_t group = 0;
  size_t of = 0;  // An edge or a node.
  double amount = 0;
  size_t units = 0;  // Ticks.
};

class SliceWriter {
 public:
  SliceWriter(const Profile& profile, size_t max_nodes, JsonWriter& json)
      : profile_(profile), max_nodes_(max_nodes), json_(json) {}

  void Write() {
    const StackTimes& stacks = profile_.stack_times;
    const bool has_calls = !profile_.windows.empty() && !profile_.exact() &&
                           !profile_.finds_edges() && !profile_.has_stack_ends();
    if (!has_calls && stacks.samples.empty()) return json_.Value(nullptr);
    part_ns_ = stacks.part_ns > 0 ? stacks.part_ns : PartNs(profile_.duration_ns);
    std::map<ThreadId, double> work;
    if (has_calls) {
      for (const spool::Window& window : profile_.windows) {
        for (const auto& [edge, samples] : window.samples) work[window.thread] += samples;
      }
    }
    const ThreadGrouping grouping = GroupThreads(profile_.threads, work);
    for (const std::string& name : grouping.names) NumberOf(name);
    for (const std::string& name : stacks.threads.names) NumberOf(name);
    json_.BeginObject();
    json_.Field("part_ns", part_ns_);
    json_.Field("parts", std::clamp<int64_t>((profile_.duration_ns + part_ns_ - 1) / part_ns_, 1,
                                             kMaxParts));
    json_.Column("groups", names_, [](const std::string& name) { return name; });
    json_.Column("thread_group", profile_.threads, [&](const spool::ThreadDefinition& thread) {
      const auto known = grouping.group.find(thread.id);
      return known == grouping.group.end() ? -1 : static_cast<int64_t>(known->second);
    });
    WriteCalls(has_calls, grouping);
    WriteStacks();
    json_.EndObject();
  }

 private:
  size_t NumberOf(const std::string& name) {
    const auto [known, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return known->second;
  }

  void WriteCalls(bool has_calls, const ThreadGrouping& grouping) {
    json_.Key("calls");
    if (!has_calls) return json_.Value(nullptr);
    struct Sum {
      double calls = 0;
      std::set<uint64_t> ticks;
    };
    std::map<std::tuple<int64_t, size_t, size_t>, Sum> sums;
    for (const spool::Window& window : profile_.windows) {
      const double weight = window.weight > 0 ? window.weight : 1;
      const int64_t part =
          std::clamp<int64_t>(window.start_ns / part_ns_, 0, int64_t{kMaxParts} - 1);
      for (const auto& [edge, samples] : window.samples) {
        Sum& sum = sums[{part, grouping.group.at(window.thread), ToIndex(edge)}];
        sum.calls += weight * samples;
        sum.ticks.insert(window.tick != 0 ? window.tick
                                          : static_cast<uint64_t>(window.start_ns) / kUnitNs);
      }
    }
    std::vector<Row> rows;
    for (const auto& [place, sum] : sums) {
      const auto& [part, group, edge] = place;
      rows.push_back({part, group, edge, sum.calls, sum.ticks.size()});
    }
    json_.BeginObject();
    WriteRows(rows, "edge", "calls");
    json_.Column("units", rows, [](const Row& row) { return row.units; });
    const std::vector<CallsByEvidence> evidence = EvidenceOf(profile_);
    json_.Column("sampled", evidence, [](const CallsByEvidence& e) { return e.sampled; });
    json_.Column("inferred", evidence, [](const CallsByEvidence& e) { return e.inferred; });
    json_.EndObject();
  }

  // Of the page's nodes.
  void WriteStacks() {
    const StackTimes& stacks = profile_.stack_times;
    json_.Key("stacks");
    if (stacks.samples.empty()) return json_.Value(nullptr);
    const CallingContextTree& tree =
        profile_.jit.contexts.total() > 0 ? profile_.jit.contexts : profile_.contexts;
    const std::vector<size_t> kept = HeaviestNodes(tree, max_nodes_);
    std::vector<Row> rows;
    for (const StackTimes::Samples& samples : stacks.samples) {
      const auto node = std::ranges::lower_bound(kept, size_t{ToIndex(samples.context)});
      if (node == kept.end() || *node != ToIndex(samples.context)) continue;
      rows.push_back({samples.part, numbers_.at(stacks.threads.names[samples.group]),
                      static_cast<size_t>(node - kept.begin()),
                      static_cast<double>(samples.samples), 0});
    }
    json_.BeginObject();
    WriteRows(rows, "node", "samples");
    json_.EndObject();
  }

  void WriteRows(const std::vector<Row>& rows, std::string_view of, std::string_view amount) {
    json_.Column("part", rows, [](const Row& row) { return row.part; });
    json_.Column("group", rows, [](const Row& row) { return row.group; });
    json_.Column(of, rows, [](const Row& row) { return row.of; });
    json_.Column(amount, rows, [](const Row& row) { return row.amount; });
  }

  static constexpr uint64_t kUnitNs = 50'000'000;

  const Profile& profile_;
  const size_t max_nodes_;
  JsonWriter& json_;
  int64_t part_ns_ = 1;
  std::vector<std::string> names_;
  std::map<std::string, size_t> numbers_;
};

}  // namespace

void WriteSlices(const Profile& profile, size_t max_nodes, JsonWriter& json) {
  SliceWriter(profile, max_nodes, json).Write();
}

}  // namespace yp
