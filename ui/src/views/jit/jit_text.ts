import type { Verdict } from "../../data/page_data";
import { formatCalls, formatInterval, formatTime, withCalls } from "../../model/format";
import type { Estimate, Recompilation } from "../../model/jit_ledger";
import type { MethodOutcome } from "../../model/jit_verdicts";

// Each verdict by a symbol, a word and a colour.
export const VERDICT_LOOK = [
  { symbol: "▲", word: "paid off", tone: "green" },
  { symbol: "▼", word: "did not", tone: "red" },
  { symbol: "?", word: "undecided", tone: "grey" },
] as const satisfies readonly { symbol: string; word: string; tone: string }[];

export const OUTCOME_LOOK: Record<MethodOutcome, { symbol: string; word: string; tone: "blue" | "green" | "red" | "grey" }> = {
  never: { symbol: "○", word: "never compiled on its own", tone: "blue" },
  "paid off": { symbol: "▲", word: "paid off", tone: "green" },
  "did not": { symbol: "▼", word: "did not pay off", tone: "red" },
  undecided: { symbol: "?", word: "undecided", tone: "grey" },
};

export const VERDICT_MEANS: Record<Verdict, string> = {
  0: "The whole 95 % interval of the gain is above 0",
  1: "The whole 95 % interval of the gain is below 0",
  2: "The 95 % interval of the gain has 0 in it, or too little is known",
};

// "+1.20 ms"
export function formatGain(ns: number): string {
  return ns > 0 ? `+${formatTime(ns)}` : formatTime(ns);
}

// "+1.20 ms (−0.3 ms to 4 ms)"; an estimate without an interval says so.
export function describeGain({ value, low, high }: Estimate): string {
  return low === value && high === value ? `${formatGain(value)} (no interval)`
    : `${formatGain(value)} (${formatGain(low)} to ${formatGain(high)})`;
}

export function describeTime({ value, low, high }: Estimate): string {
  return formatInterval(value, low, high, formatTime);
}

// "interpreted", "C1 tier 3", "C2".
export function levelName(level: number): string {
  return level > 0 && level < 4 ? `C1 ${tierName(level)}` : tierName(level);
}

// The levels of the project's own compiler follow from here on (core/graph/code_level.h).
const FIRST_OWN = 10;

// The same where there is little room: "interpreted", "tier 3", "C2", "BASE".
export function tierName(level: number): string {
  if (level >= FIRST_OWN) return level === FIRST_OWN ? "BASE" : `OPT${level - FIRST_OWN}`;
  return level === 0 ? "interpreted" : level === 4 ? "C2" : `tier ${level}`;
}

export const NOT_ENTRANT = "made not entrant";

// Of what is drawn for code of a level.
export function levelClass(level: number): string {
  return level === 0 ? "l0" : level < 4 ? "l1" : "l4";
}

// Why a recompilation has its verdict, from its numbers.
export function explainVerdict(row: Recompilation, undecided: { why: string; remedy: string } | undefined): string {
  const { before, after, callsAfter: calls } = row;
  const cost = `Compiling it took ${formatTime(row.compileNs)}.`;
  const why = undecided && `Undecided, as ${undecided.why}: ${undecided.remedy}.`;
  if (!before || !after || calls === null || !row.gain) return [cost, why].filter(Boolean).join(" ");
  const saved = calls * (before.value - after.value);
  return [
    cost,
    `Its ${withCalls(formatCalls(calls))} took ${formatTime(calls * after.value)}, ${formatTime(Math.abs(saved))} ${saved >= 0 ? "less" : "more"} than they would have taken in the version before.`,
    `In all it ${row.gain.value >= 0 ? "gained" : "lost"} ${formatTime(Math.abs(row.gain.value))} (95 %: ${formatGain(row.gain.low)} to ${formatGain(row.gain.high)}).`,
    why,
  ].filter(Boolean).join(" ");
}
