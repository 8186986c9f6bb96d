#include "core/graph/diff.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace yp {
namespace {

// See Diff.
constexpr double kLeastSamplesTested = 10;
constexpr double kInferredPart = 0.25;
// The least p-value of a change whose interval has 0 in it: the interval knows of errors that the
// test does not, such as that of the total number of calls.
constexpr double kLeastOfNone = 0.1;
// A sum is inferred if so much of it is.
constexpr double kInferredShare = 0.1;
// Where a compiler inlined so much of a method's calls, or of a call site's, in one recording, it
// may have inlined more of them, without a trace, in another: samples alone do not tell how often
// the calls were made, and all edges to that method or from that site count as inferred.
constexpr double kInlinedPart = 0.001;
// How many degrees of freedom the variance of the samples alone counts for, beside those of the
// replicates. With 9 as with 40 in place of 20, the statistics of edges that were sampled in pairs
// of recordings of one run are those of Student's t (see BetweenRuns).
constexpr double kPriorDegrees = 20;
// A replicate without the edge counts as this part of the whole.
constexpr double kLeastReplicate = 0.01;
// Of the number of calls in a second, of one recording: what a second's calls are, and how many the
// samples stand for, has an error that all edges have in common.
constexpr double kVarianceOfRate = 0.01;

// Calls of one or more edges of a recording.
struct Sum {
  double calls = 0;
  double variance = 0;
  double inferred = 0;
  double samples = 0;
  double share_low = 0;
  double share_high = 0;
  std::vector<double> replicates;

  void Add(const RecordedEdge& edge) {
    calls += edge.calls;
    variance += edge.relative_variance * edge.calls * edge.calls;
    if (edge.is_inferred) inferred += edge.calls;
    samples += static_cast<double>(edge.samples);
    share_low += edge.share_low;
    share_high += edge.share_high;
    replicates.resize(edge.replicates.size());
    for (size_t g = 0; g < replicates.size(); ++g) replicates[g] += edge.replicates[g];
  }
  bool is_inferred() const { return inferred > kInferredShare * calls; }
};

// The jackknife's variance of log(a / b); nothing where there are no replicates.
double JackknifeVariance(const Sum& a, const Sum* b) {
  std::vector<double> logs;
  for (size_t g = 0; g < a.replicates.size(); ++g) {
    double ratio = a.replicates[g] / a.calls;
    if (b != nullptr) ratio /= std::max(b->replicates[g] / b->calls, kLeastReplicate);
    logs.push_back(std::log(std::max(ratio, kLeastReplicate)));
  }
  const auto groups = static_cast<double>(logs.size());
  const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / groups;
  double sum = 0;
  for (const double log : logs) sum += (log - mean) * (log - mean);
  return sum * (groups - 1) / groups;
}

using Row = Edge;

Row RowOf(const Edge& edge, DiffRows rows) {
  switch (rows) {
    case DiffRows::kCallSites:
      return edge;
    case DiffRows::kMethodPairs:
      return {edge.caller, kNoBci, edge.callee};
    case DiffRows::kCallees:
      break;
  }
  return {kNoMethod, kNoBci, edge.callee};
}

// One recording, by rows.
class Rows {
 public:
  Rows(const RecordedGraph& graph, DiffRows rows, const DiffBasis& basis)
      : kind_(basis.kind), is_counted_(graph.is_counted), seconds_(graph.seconds) {
    Sum all;
    for (const auto& [edge, recorded] : graph.edges) {
      if (recorded.calls <= 0) continue;
      sums_[RowOf(edge, rows)].Add(recorded);
      all.Add(recorded);
      callees_[edge.callee].Add(recorded);
      if (basis.methods.contains(edge.callee)) basis_.Add(recorded);
    }
    all_calls_ = all.calls;
    FindInlined(graph, rows);
    if (kind_ == DiffBasis::Kind::kShare) SetTotalVariance(graph);
    if (kind_ == DiffBasis::Kind::kShare) basis_ = std::move(all);
    if (!is_counted_ && graph.samples > 0 && divisor() > 0)
      SetUnit(static_cast<double>(graph.samples));
  }

  const std::map<Row, Sum>& sums() const { return sums_; }
  // What calls are divided by.
  double divisor() const {
    switch (kind_) {
      case DiffBasis::Kind::kSecond:
        return seconds_;
      case DiffBasis::Kind::kCalls:
        return 1;
      default:
        return basis_.calls;
    }
  }
  const Sum* Find(const Row& row) const {
    const auto known = sums_.find(row);
    return known == sums_.end() ? nullptr : &known->second;
  }
  double CallsOf(const Row& row) const {
    const Sum* sum = Find(row);
    return sum == nullptr ? 0 : sum->calls;
  }
  // See kInlinedPart.
  bool Inlines(const Row& row) const {
    const auto known = callees_.find(row.callee);
    return inlined_.contains(row) || (known != callees_.end() && IsInlined(known->second));
  }
  // What an ordinary sample stands for, divided.
  double unit() const { return unit_ / divisor(); }
  // What a sample of the row stands for, in those of an ordinary one.
  double UnitsOf(const Row& row) const {
    const Sum* sum = Find(row);
    if (sum == nullptr || unit_ <= 0) return 1;
    return std::max(1.0, LogVarianceOf(*sum) * sum->calls / unit_);
  }
  Measured Of(const Row& row, double units_elsewhere) const {
    const Sum* sum = Find(row);
    if (sum == nullptr) return {.unit = unit() * units_elsewhere, .is_inferred = false};
    Measured measured{.value = sum->calls / divisor(), .is_inferred = sum->is_inferred()};
    if (is_counted_) return measured;
    const bool is_sampled = sum->samples > 0 && !measured.is_inferred;
    measured.unit = is_sampled ? measured.value / sum->samples : unit();
    measured.excess = std::max(0.0, LogVarianceOf(*sum) - measured.unit / measured.value);
    measured.excess += total_variance_;
    if (kind_ == DiffBasis::Kind::kSecond) measured.excess += kVarianceOfRate;
    if (kind_ == DiffBasis::Kind::kMethod) measured.is_inferred |= basis_.is_inferred();
    return measured;
  }
  // Of a share of all calls.
  ValueInterval ShareInterval(const Row& row, const Measured& measured) const {
    const Sum* sum = Find(row);
    if (is_counted_) return {measured.value, measured.value};
    if (sum == nullptr) return IntervalOf({&measured, 1});
    return {std::min(sum->share_low, measured.value), std::max(sum->share_high, measured.value)};
  }

 private:
  // Of the calls, divided.
  double LogVarianceOf(const Sum& sum) const {
    const bool has_basis = kind_ == DiffBasis::Kind::kShare || kind_ == DiffBasis::Kind::kMethod;
    double own = sum.variance / (sum.calls * sum.calls);
    if (kind_ == DiffBasis::Kind::kMethod) own += basis_.variance / (basis_.calls * basis_.calls);
    if (sum.samples > 0 && !sum.is_inferred()) own = std::max(own, 1 / sum.samples);
    if (sum.replicates.size() < 2) return own;
    const double degrees = static_cast<double>(sum.replicates.size()) - 1;
    const double found = JackknifeVariance(sum, has_basis ? &basis_ : nullptr);
    return (kPriorDegrees * own + degrees * found) / (kPriorDegrees + degrees);
  }
  static bool IsInlined(const Sum& sum) { return sum.inferred > kInlinedPart * sum.calls; }
  void FindInlined(const RecordedGraph& graph, DiffRows rows) {
    std::map<std::pair<MethodId, int32_t>, Sum> sites;
    for (const auto& [edge, recorded] : graph.edges) {
      if (recorded.calls > 0) sites[{edge.caller, edge.bci}].Add(recorded);
    }
    for (const auto& [edge, recorded] : graph.edges) {
      if (recorded.calls > 0 && IsInlined(sites[{edge.caller, edge.bci}])) {
        inlined_.insert(RowOf(edge, rows));
      }
    }
  }
  // A share errs with the total: of an inferred edge that another run estimates otherwise, all
  // other shares become smaller.
  void SetTotalVariance(const RecordedGraph& graph) {
    const double scale = BetweenRuns().inferred_scale;
    for (const auto& [edge, recorded] : graph.edges) {
      if (!recorded.is_inferred) continue;
      const double deviation = scale * recorded.calls / all_calls_;
      total_variance_ += deviation * deviation;
    }
  }
  void SetUnit(double samples) {
    constexpr double kEnough = 5;
    unit_ = all_calls_ / samples;
    std::vector<double> units;
    for (const auto& [row, sum] : sums_) {
      if (sum.samples >= kEnough && !sum.is_inferred()) {
        units.push_back(LogVarianceOf(sum) * sum.calls);
      }
    }
    if (units.empty()) return;
    const auto middle = units.begin() + static_cast<std::ptrdiff_t>(units.size() / 2);
    std::nth_element(units.begin(), middle, units.end());
    unit_ = std::max(unit_, *middle);
  }

  DiffBasis::Kind kind_;
  bool is_counted_;
  double seconds_;
  std::map<Row, Sum> sums_;
  std::map<MethodId, Sum> callees_;
  std::set<Row> inlined_;  // Rows with a call site of which something was inlined.
  Sum basis_;
  double all_calls_ = 0;
  double total_variance_ = 0;  // Relative, of all calls, between runs.
  double unit_ = 0;            // In calls; 0 where they were counted.
};

// One of the two programs.
class Side {
 public:
  Side(std::span<const RecordedGraph> graphs, DiffRows rows, const DiffBasis& basis) {
    for (const RecordedGraph& graph : graphs) {
      recordings_.emplace_back(graph, rows, basis);
      says_enough_ &= graph.SaysEnough() && recordings_.back().divisor() > 0;
    }
    is_share_ = basis.kind == DiffBasis::Kind::kShare;
  }

  const std::vector<Rows>& recordings() const { return recordings_; }
  bool says_enough() const { return says_enough_ && !recordings_.empty(); }
  double UnitsOf(const Row& row) const {
    double units = 1;
    for (const Rows& recording : recordings_) units = std::max(units, recording.UnitsOf(row));
    return units;
  }
  std::vector<Measured> Of(const Row& row, const Side& other) const {
    std::vector<Measured> measured;
    const double units = std::max(UnitsOf(row), other.UnitsOf(row));
    for (const Rows& recording : recordings_) {
      measured.push_back(recording.Of(row, units));
      measured.back().is_inferred |= IsInferred(row) || other.IsInferred(row);
    }
    return measured;
  }
  // Whether its calls, or some of them, may have been inlined.
  bool IsInferred(const Row& row) const {
    return std::ranges::any_of(recordings_, [&](const Rows& recording) {
      const Sum* sum = recording.Find(row);
      return (sum != nullptr && sum->is_inferred()) || recording.Inlines(row);
    });
  }
  double CallsOf(const Row& row) const {
    double sum = 0;
    for (const Rows& recording : recordings_) sum += recording.CallsOf(row);
    return sum / static_cast<double>(recordings_.size());
  }
  // 0 where there is nothing to divide by.
  double MeanOf(const Row& row) const {
    double sum = 0;
    for (const Rows& recording : recordings_) {
      if (recording.divisor() > 0) sum += recording.CallsOf(row) / recording.divisor();
    }
    return sum / static_cast<double>(recordings_.size());
  }
  double unit() const {
    double sum = 0;
    for (const Rows& recording : recordings_) sum += recording.unit();
    return sum / static_cast<double>(recordings_.size());
  }
  ValueInterval IntervalOf(const Row& row, const std::vector<Measured>& measured) const {
    ValueInterval interval = is_share_ && recordings_.size() == 1
                                 ? recordings_.front().ShareInterval(row, measured.front())
                                 : yp::IntervalOf(measured);
    if (is_share_) interval.high = std::min(1.0, interval.high);
    return interval;
  }

 private:
  std::vector<Rows> recordings_;
  bool says_enough_ = true;
  bool is_share_ = false;
};

double MeanOf(const std::vector<Measured>& recordings) {
  double sum = 0;
  for (const Measured& m : recordings) sum += m.value;
  return sum / static_cast<double>(recordings.size());
}

EdgeChange Compared(const Row& row, const Side& a, const Side& b) {
  const std::vector<Measured> in_a = a.Of(row, b), in_b = b.Of(row, a);
  EdgeChange change{.edge = row,
                    .before = MeanOf(in_a),
                    .after = MeanOf(in_b),
                    .calls_before = a.CallsOf(row),
                    .calls_after = b.CallsOf(row)};
  const ValueInterval of_a = a.IntervalOf(row, in_a), of_b = b.IntervalOf(row, in_b);
  const double difference = change.Change();
  change.low = difference - std::hypot(change.after - of_b.low, of_a.high - change.before);
  change.high = difference + std::hypot(of_b.high - change.after, change.before - of_a.low);
  const double units = a.unit() + b.unit();
  change.is_tested = units <= 0 || change.before + change.after >= kLeastSamplesTested * units;
  if (change.is_tested) change.p_value = ChanceOf(in_a, in_b);
  if (change.low <= 0 && change.high >= 0) {
    change.p_value = std::max(change.p_value, kLeastOfNone);
  }
  return change;
}

// What can be said where nothing is known of the difference.
EdgeChange Unknown(const Row& row, const Side& a, const Side& b, bool is_share) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {.edge = row,
          .before = a.MeanOf(row),
          .after = b.MeanOf(row),
          .calls_before = a.CallsOf(row),
          .calls_after = b.CallsOf(row),
          .low = is_share ? -1 : kNone,
          .high = is_share ? 1 : kNone};
}

// Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995): with p-values in ascending order,
// q(i) = min over j >= i of p(j) m / j.
void SetQValues(const std::vector<EdgeChange*>& tested) {
  std::vector<EdgeChange*> order = tested;
  std::ranges::sort(order, {}, &EdgeChange::p_value);
  double q = 1;
  for (size_t rank = order.size(); rank > 0; --rank) {
    EdgeChange& change = *order[rank - 1];
    q = std::min(q, change.p_value * static_cast<double>(order.size()) / static_cast<double>(rank));
    change.q_value = q;
  }
}

// Of a family that has this part of the error rate.
void SetAdjusted(const std::vector<EdgeChange*>& family, double part) {
  std::vector<double> p_values;
  for (const EdgeChange* change : family) p_values.push_back(change->p_value);
  const std::vector<double> adjusted = HolmAdjusted(p_values);
  for (size_t i = 0; i < family.size(); ++i) {
    family[i]->adjusted_p = std::min(1.0, adjusted[i] / part);
  }
}

void Adjust(const Side& before, const Side& after, std::vector<EdgeChange>* changes) {
  std::vector<EdgeChange*> all, inferred, sampled;
  for (EdgeChange& change : *changes) {
    if (!change.is_tested) continue;
    all.push_back(&change);
    const bool is_inferred = before.IsInferred(change.edge) || after.IsInferred(change.edge);
    (is_inferred ? inferred : sampled).push_back(&change);
  }
  SetQValues(all);
  const bool has_both = !inferred.empty() && !sampled.empty();
  SetAdjusted(inferred, has_both ? kInferredPart : 1);
  SetAdjusted(sampled, has_both ? 1 - kInferredPart : 1);
}

}  // namespace

std::vector<EdgeChange> Diff(std::span<const RecordedGraph> before,
                             std::span<const RecordedGraph> after, DiffRows rows,
                             const DiffBasis& basis) {
  const Side a(before, rows, basis), b(after, rows, basis);
  std::set<Row> all;
  for (const Side* side : {&a, &b}) {
    for (const Rows& recording : side->recordings()) {
      for (const auto& [row, sum] : recording.sums()) all.insert(row);
    }
  }
  const bool can_test = a.says_enough() && b.says_enough();
  std::vector<EdgeChange> changes;
  for (const Row& row : all) {
    if (can_test) {
      changes.push_back(Compared(row, a, b));
    } else {
      changes.push_back(Unknown(row, a, b, basis.kind == DiffBasis::Kind::kShare));
    }
  }
  if (can_test) Adjust(a, b, &changes);
  std::ranges::stable_sort(changes, [](const EdgeChange& x, const EdgeChange& y) {
    return std::abs(x.Change()) > std::abs(y.Change());
  });
  return changes;
}

size_t CountSignificant(const std::vector<EdgeChange>& changes, double rate) {
  return static_cast<size_t>(std::ranges::count_if(
      changes, [rate](const EdgeChange& change) { return change.adjusted_p <= rate; }));
}

}  // namespace yp
