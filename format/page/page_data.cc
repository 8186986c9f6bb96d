#include "format/page/page_data.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/graph/diff.h"
#include "format/page/json_writer.h"
#include "format/page/page_calls.h"
#include "format/page/page_jit.h"
#include "format/page/page_names.h"
#include "format/page/page_slices.h"
#include "format/page/page_tests.h"
#include "format/page/page_tree.h"
#include "format/profile/comparable.h"
#include "format/profile/drop_reasons.h"
#include "format/profile/executions.h"
#include "format/profile/warnings.h"

namespace yp {
namespace {

constexpr int kPageFormat = 1;
// In so many comparisons of recordings of one program anything may count as changed.
constexpr double kErrorRate = 0.05;

std::string_view KindOf(const Profile& profile) {
  if (profile.finds_edges()) return "edges";
  return profile.exact() ? "exact" : "sampled";
}

int InlinedPart(const EdgeStats& edge) {
  const std::string_view share = InlinedShare(edge);
  return share.empty() ? 0 : share == "yes" ? 2 : 1;
}

bool IsExact(const EdgeStats& edge) { return (edge.flags & (kEdgeExact | kEdgeOnce)) != 0; }

class Writer {
 public:
  explicit Writer(const PageOptions& options) : options_(options) {}

  std::string Write(std::span<const PageProfile> profiles) {
    json_.BeginObject();
    json_.Field("format", kPageFormat);
    json_.Field("generator", options_.generator);
    json_.Key("profiles");
    json_.BeginArray();
    for (const PageProfile& profile : profiles) WriteProfile(profile);
    json_.EndArray();
    json_.Key("diff");
    if (profiles.size() == 2) {
      WriteDiff(*profiles[0].profile, *profiles[1].profile);
    } else {
      json_.Value(nullptr);
    }
    WriteSources();
    names_.Write(json_);
    json_.EndObject();
    return json_.Take();
  }

 private:
  template <typename Map>
  void WriteMap(std::string_view key, const Map& map) {
    json_.Key(key);
    json_.BeginObject();
    for (const auto& [name, value] : map) json_.Field(name, value);
    json_.EndObject();
  }

  void WriteProfile(const PageProfile& named) {
    const Profile& profile = *named.profile;
    const std::vector<MethodId> ids = AddMethods(profile.methods, &names_);
    json_.BeginObject();
    json_.Field("name", named.name);
    WriteMap("config", profile.config);
    json_.Field("complete", profile.complete);
    json_.Field("damage", profile.damage);
    json_.Column("warnings", Warnings(profile), [](const std::string& line) { return line; });
    json_.Field("duration_ns", profile.duration_ns);
    json_.Field("agent_cpu_ns", profile.agent_cpu_ns);
    json_.Field("kind", KindOf(profile));
    json_.Field("samples", profile.total_samples());
    json_.Field("ticks", profile.ticks.size());
    json_.Key("calls");
    if (profile.finds_edges()) {
      json_.Value(nullptr);
    } else {
      WriteCalls(PageCalls(profile.total_calls()), std::ranges::all_of(profile.edges, IsExact));
    }
    json_.Field("is_lower_bound", profile.is_lower_bound());
    WriteEdges(profile, ids);
    std::optional<JitAccount> account;
    if (!profile.jit.empty() || !profile.jit.lacks.empty()) account.emplace(AccountOf(profile));
    json_.Key("trees");
    json_.BeginArray();
    for (const TreeToShow& tree : TreesOf(profile)) {
      WriteTree(tree, profile, ids, options_.max_nodes, json_);
    }
    json_.EndArray();
    WriteWindows(profile.windows);
    json_.Key("threads");
    json_.BeginObject();
    json_.Column("id", profile.threads, [](const auto& t) { return ToIndex(t.id); });
    json_.Column("name", profile.threads, [](const auto& t) { return std::string_view(t.name); });
    json_.EndObject();
    json_.Key("slices");
    WriteSlices(profile, options_.max_nodes, json_);
    WriteTests(profile, ids, &names_, json_);
    json_.Key("drops");
    json_.BeginArray();
    for (const Dropped& drop : DropsOf(profile)) {
      json_.BeginObject();
      json_.Field("count", drop.count);
      json_.Field("words", std::string_view(drop.words));
      json_.Field("kind", ToString(drop.kind));
      json_.EndObject();
    }
    json_.EndArray();
    json_.Key("jit");
    if (account) {
      WriteJit(profile, *account, options_.max_warm_up_parts, &names_, json_);
    } else {
      json_.Value(nullptr);
    }
    json_.EndObject();
  }

  void WriteCalls(double calls, bool is_exact) {
    is_exact ? json_.Value(ExactNumber{calls}) : json_.Value(calls);
  }

  void WriteEdges(const Profile& profile, const std::vector<MethodId>& ids) {
    const std::vector<EdgeStats>& edges = profile.edges;
    const auto number = [&](MethodId id) {
      return id == kNoMethod ? -1 : PageNames::Number(ids[ToIndex(id)]);
    };
    json_.Key("edges");
    json_.BeginObject();
    json_.Column("caller", edges, [&](const EdgeStats& e) { return number(e.edge.caller); });
    json_.Column("bci", edges, [](const EdgeStats& e) { return e.edge.bci; });
    json_.Column("line", edges, [&](const EdgeStats& e) { return profile.LineOf(e.edge); });
    json_.Column("callee", edges, [&](const EdgeStats& e) { return number(e.edge.callee); });
    if (profile.finds_edges()) {
      json_.Field("calls", nullptr);
    } else {
      WriteCallsOf(edges, "calls", [](const EdgeStats& e) { return PageCalls(e.calls); });
    }
    if (profile.finds_edges() || std::ranges::all_of(edges, IsExact)) {
      json_.Field("low", nullptr);
      json_.Field("high", nullptr);
    } else {
      WriteCallsOf(edges, "low", [](const EdgeStats& e) { return WholeLow(e.low); });
      WriteCallsOf(edges, "high", [](const EdgeStats& e) { return WholeHigh(e.high); });
    }
    json_.Column("flags", edges, [](const EdgeStats& e) { return e.flags; });
    json_.Column("inlined", edges, InlinedPart);
    json_.EndObject();
  }
  template <typename Of>
  void WriteCallsOf(const std::vector<EdgeStats>& edges, std::string_view key, Of calls) {
    json_.Key(key);
    json_.BeginArray();
    for (const EdgeStats& edge : edges) WriteCalls(calls(edge), IsExact(edge));
    json_.EndArray();
  }

  void WriteWindows(const std::vector<spool::Window>& windows) {
    using spool::Window;
    json_.Key("windows");
    json_.BeginObject();
    json_.Column("tick", windows, [](const Window& w) { return w.tick; });
    json_.Column("thread", windows, [](const Window& w) { return ToIndex(w.thread); });
    json_.Column("start_ns", windows, [](const Window& w) { return w.start_ns; });
    json_.Column("latency_ns", windows,
                 [](const Window& w) { return std::max<int64_t>(-1, w.latency_ns); });
    json_.Column("duration_ns", windows, [](const Window& w) { return w.duration_ns; });
    json_.Column("interval_ns", windows, [](const Window& w) { return w.interval_ns; });
    json_.Column("calls", windows, [](const Window& w) { return w.calls; });
    json_.Column("samples", windows, [](const Window& w) {
      uint64_t samples = 0;
      for (const auto& [edge, number] : w.samples) samples += number;
      return samples;
    });
    json_.EndObject();
  }

  void WriteDiff(const Profile& before, const Profile& after) {
    const Profile* const one = &before;
    const Profile* const other = &after;
    const ProfileDiff diff =
        DiffOf({&one, 1}, {&other, 1}, {.per = DiffBasis::Kind::kShare}, names_.methods());
    const MethodTable& methods = names_.methods();
    json_.BeginObject();
    json_.Field("overlap", diff.overlap);
    json_.Field("tested", diff.changes.size());
    json_.Field("significant", CountSignificant(diff.changes, kErrorRate));
    json_.Field("error_rate", kErrorRate);
    json_.Field("unknown", diff.unknown);
    json_.Field("exact", !diff.has_chance);
    json_.Column("filters", DifferentFilters(before, after),
                 [](const std::string& key) { return key; });
    const std::vector<const EdgeChange*> shown = Shown(diff.changes);
    json_.Field("hidden", diff.changes.size() - shown.size());
    json_.Column("caller", shown, [](auto* c) { return PageNames::Number(c->edge.caller); });
    json_.Column("bci", shown, [](auto* c) { return c->edge.bci; });
    json_.Column("line", shown, [&](auto* c) { return LineOf(methods, c->edge); });
    json_.Column("callee", shown, [](auto* c) { return PageNames::Number(c->edge.callee); });
    WriteShares(shown);
    json_.Key("methods");
    WriteMethodChanges(diff.methods);
    json_.EndObject();
  }

  void WriteMethodChanges(const std::vector<EdgeChange>& changes) {
    const std::vector<const EdgeChange*> shown = Shown(changes);
    json_.BeginObject();
    json_.Field("tested", changes.size());
    json_.Field("significant", CountSignificant(changes, kErrorRate));
    json_.Field("hidden", changes.size() - shown.size());
    json_.Column("method", shown, [](auto* c) { return PageNames::Number(c->edge.callee); });
    WriteShares(shown);
    json_.EndObject();
  }

  // Those beyond chance, and of the others the largest.
  std::vector<const EdgeChange*> Shown(const std::vector<EdgeChange>& changes) const {
    std::vector<const EdgeChange*> shown;
    size_t unlikely = 0;
    for (const EdgeChange& change : changes) {
      const bool is_significant = change.adjusted_p <= kErrorRate;
      if (!is_significant && unlikely++ >= options_.max_unlikely) continue;
      shown.push_back(&change);
    }
    return shown;
  }

  void WriteShares(const std::vector<const EdgeChange*>& changes) {
    json_.Column("before", changes, [](auto* c) { return c->before; });
    json_.Column("after", changes, [](auto* c) { return c->after; });
    json_.Column("low", changes, [](auto* c) { return c->low; });
    json_.Column("high", changes, [](auto* c) { return c->high; });
    json_.Column("adjusted_p", changes, [](auto* c) { return c->adjusted_p; });
    json_.Column("calls_before", changes, [](auto* c) { return PageCalls(c->calls_before); });
    json_.Column("calls_after", changes, [](auto* c) { return PageCalls(c->calls_after); });
  }

  void WriteSources() {
    json_.Key("sources");
    if (options_.sources == nullptr) return json_.Value(nullptr);
    json_.BeginObject();
    WriteMap("files", options_.sources->texts);
    WriteMap("left_out", options_.sources->left_out);
    json_.EndObject();
  }

  const PageOptions& options_;
  JsonWriter json_;
  PageNames names_;
};

}  // namespace

std::string PageData(std::span<const PageProfile> profiles, const PageOptions& options) {
  return Writer(options).Write(profiles);
}

WantedSources SourcesOf(const Profile& profile) {
  std::vector<std::optional<double>> worth(profile.methods.size());
  const auto add = [&](MethodId method, double part, double all) {
    if (method == kNoMethod) return;
    std::optional<double>& sum = worth[ToIndex(method)];
    sum = sum.value_or(0) + (all > 0 ? part / all : 0);
  };
  const double calls = profile.total_calls();
  for (const EdgeStats& edge : profile.edges) {
    add(edge.edge.caller, edge.calls, calls);
    add(edge.edge.callee, edge.calls, calls);
  }
  for (const CallingContextTree* tree : {&profile.contexts, &profile.jit.contexts}) {
    for (const CallingContextTree::Node& node : tree->nodes()) {
      add(node.method, node.weight, tree->total());
    }
  }
  WantedSources wanted;
  for (size_t i = 0; i < worth.size(); ++i) {
    if (!worth[i]) continue;
    const std::string path = profile.methods.methods()[i].SourcePath();
    if (!path.empty()) wanted[path] += *worth[i];
  }
  return wanted;
}

}  // namespace yp
