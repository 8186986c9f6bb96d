#ifndef YP_CLI_LEDGER_TEXT_H_
#define YP_CLI_LEDGER_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/amortize/ledger.h"
#include "core/amortize/what_if.h"
#include "format/profile/jit_profile.h"

// What the ledger of a run's recompilations shows to people.
namespace yp {

// Of code, by HotSpot's count: "interpreter", "tier 1" to "tier 3" (C1), "C2"; and the levels of
// the project's own compiler: "BASE", "OPT1", ...
std::string TierName(int32_t level);

// By HotSpot's count; 0 where it was interpreted.
int32_t LevelOf(const JitLog& log, std::optional<size_t> compilation);

// What all compilations have cost and brought; a line each.
std::vector<std::string> DescribeLedger(const JitLog& log, const Ledger& ledger);

// Why how many recompilations are undecided, and what to record to decide them: a table. Empty
// where there are none, or nothing is judged.
std::string DescribeUndecided(const Ledger& ledger);

// Where methods were waiting for C2 when the run ended: that, with its line's end.
std::string DescribeQueue(const Ledger& ledger);

// A row each, with what they were worth, where that is known. Tables fit a width as Table does.
std::string RenderRecompilations(const JitLog& log, const Ledger& ledger,
                                 std::span<const Recompilation> rows, size_t width);

// The `number` investments that brought most, and those that lost most, of which that is decided.
// Empty where nothing is.
std::string RenderBestAndWorst(const JitLog& log, const Ledger& ledger, size_t number,
                               size_t width);

// When which code was executed, and how much was compiled: at most `rows` parts of the run, as many
// as have stacks. Empty without stacks.
std::string RenderWarmUp(const JitProfile& jit, size_t rows, size_t width);

std::string RenderWhatIf(const JitLog& log, std::span<const WhatIfOfMethod> rows, size_t width);

// What so many methods would have saved at once.
std::string RenderTogether(const WhatIf& all, size_t methods, size_t width);

}  // namespace yp

#endif  // YP_CLI_LEDGER_TEXT_H_
