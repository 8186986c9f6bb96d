#include "cli/ledger_text.h"
#include "cli/duration.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cli/names.h"
#include "cli/table.h"
#include "core/graph/code_level.h"
#include "format/profile/warm_up.h"

namespace yp {
namespace {

// "[-1.2, 3.4] ms".
std::string GainIn(const Uncertain& gain) {
  const double low = gain.low / kNsPerMs, high = gain.high / kNsPerMs;
  return fmt::format("[{:.1f}, {:.1f}] ms", low, high);
}

std::string PerCall(const std::optional<Uncertain>& ns) {
  if (!ns) return "?";
  return ns->value < 1e4   ? fmt::format("{:.0f} ns", ns->value)
         : ns->value < 1e7 ? fmt::format("{:.0f} us", ns->value / 1e3)
                           : fmt::format("{:.0f} ms", ns->value / 1e6);
}

constexpr const char* kMadeNotEntrant = "made not entrant";

std::string NoteOf(const Recompilation& row) {
  std::string note = row.was_made_not_entrant ? kMadeNotEntrant : "";
  if (row.drift) note += (note.empty() ? "" : ", ") + fmt::format("calls x{:.1f}", *row.drift);
  return note;
}

double StartSeconds(const JitLog::Compilation& compilation) {
  return static_cast<double>(compilation.start_ns) / 1e9;
}

// Of recordings that only tell the costs.
std::string RenderCosts(const JitLog& log, std::span<const Recompilation> rows, size_t width) {
  using Column = Table::Column;
  Table table(
      {"from", "to", "compile", "at", "", "method"},
      {Column::kLeft, Column::kLeft, Column::kRight, Column::kRight, Column::kLeft, Column::kName});
  MethodTable methods;
  for (const Recompilation& row : rows) {
    const JitLog::Compilation& compilation = log.compilations[row.compilation];
    table.AddRow({{TierName(LevelOf(log, row.previous))},
                  {TierName(compilation.level)},
                  {fmt::format("{:.2f} ms", row.compile_ns / kNsPerMs)},
                  {fmt::format("{:.2f} s", StartSeconds(compilation))},
                  {row.was_made_not_entrant ? kMadeNotEntrant : ""},
                  NameForms(methods, methods.Intern(MethodOfFullName(log[row.method].full_name)))});
  }
  return table.Render(width);
}

}  // namespace

std::string TierName(int32_t level) {
  if (level == 0) return "interpreter";
  if (level == code_level::kFirstOwn) return "BASE";
  if (level > code_level::kFirstOwn) return fmt::format("OPT{}", level - code_level::kFirstOwn);
  return level == code_level::kOptimized ? "C2" : fmt::format("tier {}", level);
}

int32_t LevelOf(const JitLog& log, std::optional<size_t> compilation) {
  return compilation ? log.compilations[*compilation].level : 0;
}

std::vector<std::string> DescribeLedger(const JitLog& log, const Ledger& ledger) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format(
      "{} compilations cost {:.1f} ms: {:.1f} ms OSR, {:.1f} ms that failed, {:.1f} ms of code "
      "that "
      "was made not entrant later",
      WithSeparators(static_cast<double>(log.compilations.size())), ledger.compile_ns / kNsPerMs,
      ledger.loops_ns / kNsPerMs, ledger.failed_ns / kNsPerMs, ledger.not_entrant_ns / kNsPerMs));
  if (!ledger.model) return lines;
  const auto count = [](size_t number) { return WithSeparators(static_cast<double>(number)); };
  const auto decided = [&](Verdict verdict) {
    const size_t rows = ledger.Count(verdict);
    return fmt::format(
        "{} {}{}", count(rows), ToString(verdict),
        rows == 0 ? "" : fmt::format(" ({:+.1f} ms in all)", ledger.GainOf(verdict) / kNsPerMs));
  };
  std::string line =
      fmt::format("{} recompilations: {}, {}, {} undecided", count(ledger.recompilations.size()),
                  decided(Verdict::kPaidOff), decided(Verdict::kDidNot),
                  count(ledger.Count(Verdict::kUndecided)));
  if (!ledger.speedups.empty()) {
    line += fmt::format("; those between tiers that were seen enough gained {:.0f} ms ({})",
                        ledger.gain_ns.value / kNsPerMs, GainIn(ledger.gain_ns));
  }
  lines.push_back(std::move(line));
  for (const auto& [levels, speedup] : ledger.speedups) {
    lines.push_back(fmt::format(
        "{} is {:.1f} times as fast as {}; most methods {:.1f} to {:.1f} times",
        TierName(levels.second), std::exp(speedup.mean),
        levels.first == 0 ? "the interpreter" : TierName(levels.first),
        std::exp(speedup.mean - speedup.deviation), std::exp(speedup.mean + speedup.deviation)));
  }
  return lines;
}

std::string DescribeUndecided(const Ledger& ledger) {
  using Column = Table::Column;
  if (!ledger.model) return "";
  Table table({"undecided", "cost", "why", "what decides it"},
              {Column::kRight, Column::kRight, Column::kLeft, Column::kLeft});
  bool has_rows = false;
  for (const Undecided undecided : kWaysToBeUndecided) {
    const Ledger::Group group = ledger.GroupOf(undecided);
    if (group.rows == 0) continue;
    has_rows = true;
    const UndecidedText text = TextOf(undecided);
    table.AddRow({{WithSeparators(static_cast<double>(group.rows))},
                  {FormatMilliseconds(group.compile_ns)},
                  {std::string(text.why)},
                  {std::string(text.remedy)}});
  }
  return has_rows ? table.Render(0) : "";
}

std::string DescribeQueue(const Ledger& ledger) {
  if (ledger.c2_busy < 0.5) return "";
  return fmt::format(
      "C2 was at work for {:.0f} % of the run's last tenth, so that methods were "
      "waiting for it: what it is spared, it uses for others\n",
      100 * ledger.c2_busy);
}

std::string RenderRecompilations(const JitLog& log, const Ledger& ledger,
                                 std::span<const Recompilation> rows, size_t width) {
  using Column = Table::Column;
  if (!ledger.model) return RenderCosts(log, rows, width);
  Table table({"verdict", "gain", "95 %", "compile", "before", "after", "calls", "from", "to", "at",
               "", "method"},
              {Column::kLeft, Column::kRight, Column::kRight, Column::kRight, Column::kRight,
               Column::kRight, Column::kRight, Column::kLeft, Column::kLeft, Column::kRight,
               Column::kLeft, Column::kName});
  MethodTable methods;
  for (const Recompilation& row : rows) {
    const JitLog::Compilation& compilation = log.compilations[row.compilation];
    const std::optional<PayOff>& p = row.pay_off;
    table.AddRow({{std::string(ToString(row.verdict()))},
                  {p ? fmt::format("{:.1f} ms", p->gain_ns.value / kNsPerMs) : "?"},
                  {p ? GainIn(p->gain_ns) : ""},
                  {fmt::format("{:.2f} ms", row.compile_ns / kNsPerMs)},
                  {p ? PerCall(p->before_ns) : ""},
                  {p ? PerCall(p->after_ns) : ""},
                  {row.calls_after ? FormatCalls(row.calls_after->value) : "?"},
                  {TierName(LevelOf(log, row.previous))},
                  {TierName(compilation.level)},
                  {fmt::format("{:.2f} s", StartSeconds(compilation))},
                  {NoteOf(row)},
                  NameForms(methods, methods.Intern(MethodOfFullName(log[row.method].full_name)))});
  }
  return table.Render(width);
}

std::string RenderBestAndWorst(const JitLog& log, const Ledger& ledger, size_t number,
                               size_t width) {
  std::vector<Recompilation> decided;
  for (const Recompilation& row : ledger.recompilations) {
    if (row.verdict() != Verdict::kUndecided) decided.push_back(row);
  }
  std::ranges::stable_sort(decided, std::ranges::greater(),
                           [](const Recompilation& row) { return row.pay_off->gain_ns.value; });
  const auto paid = static_cast<size_t>(std::ranges::count_if(
      decided, [](const Recompilation& row) { return row.verdict() == Verdict::kPaidOff; }));
  const std::span<const Recompilation> all(decided);
  std::string text;
  if (const size_t best = std::min(number, paid); best > 0) {
    text += "the best investments\n" + RenderRecompilations(log, ledger, all.first(best), width);
  }
  if (const size_t worst = std::min(number, decided.size() - paid); worst > 0) {
    std::vector<Recompilation> last(all.last(worst).rbegin(), all.last(worst).rend());
    text += (text.empty() ? "" : "\n") + std::string("the worst\n") +
            RenderRecompilations(log, ledger, last, width);
  }
  return text;
}

std::string RenderWarmUp(const JitProfile& jit, size_t rows, size_t width) {
  using Column = Table::Column;
  Table table({"until", "interpreted", "C1", "C2", "not known", "compiled"},
              {Column::kRight, Column::kRight, Column::kRight, Column::kRight, Column::kRight,
               Column::kRight});
  const std::vector<WarmUpPart> parts = WarmUpOf(jit, rows);
  for (const WarmUpPart& part : parts) {
    table.AddRow({{fmt::format("{:.1f} s", static_cast<double>(part.end_ns) / 1e9)},
                  {FormatShare(part.interpreted, part.samples())},
                  {FormatShare(part.c1, part.samples())},
                  {FormatShare(part.c2, part.samples())},
                  {FormatShare(part.unknown, part.samples())},
                  {fmt::format("{:.0f} ms", part.compile_ns / kNsPerMs)}});
  }
  return parts.empty() ? "" : table.Render(width);
}

namespace {

// In three digits.
std::string Milliseconds(double ns) {
  const double ms = ns / kNsPerMs;
  return fmt::format("{:.{}f}", ms, std::abs(ms) >= 99.95 ? 0 : std::abs(ms) >= 9.995 ? 1 : 2);
}

// "1.50 [-1.20, 34.1] ms": what a strategy saves, and its interval.
std::string Saved(const Uncertain& saved) {
  return fmt::format("{} [{}, {}] ms", Milliseconds(saved.value), Milliseconds(saved.low),
                     Milliseconds(saved.high));
}

Table WhatIfTable() {
  using Column = Table::Column;
  std::vector<std::string> titles = {"time", "compile"};
  std::vector<Column> columns(2 + Strategies().size(), Column::kRight);
  for (const Strategy& strategy : Strategies()) {
    titles.push_back(fmt::format("{} [95 %]", strategy.title));
  }
  titles.emplace_back("method");
  columns.push_back(Column::kName);
  return {std::move(titles), std::move(columns)};
}

void AddWhatIf(const WhatIf& row, Table::Cell method, Table* table) {
  std::vector<Table::Cell> cells = {{Milliseconds(row.time_ns) + " ms"},
                                    {Milliseconds(row.compile_ns) + " ms"}};
  for (const Uncertain& saved : row.saved) cells.push_back({Saved(saved)});
  cells.push_back(std::move(method));
  table->AddRow(std::move(cells));
}

}  // namespace

std::string RenderWhatIf(const JitLog& log, std::span<const WhatIfOfMethod> rows, size_t width) {
  Table table = WhatIfTable();
  MethodTable methods;
  for (const WhatIfOfMethod& row : rows) {
    AddWhatIf(row, NameForms(methods, methods.Intern(MethodOfFullName(log[row.method].full_name))),
              &table);
  }
  return table.Render(width);
}

std::string RenderTogether(const WhatIf& all, size_t methods, size_t width) {
  Table table = WhatIfTable();
  AddWhatIf(all, {WithSeparators(static_cast<double>(methods)) + " methods together"}, &table);
  return table.Render(width);
}

}  // namespace yp
