import type { DiffData, ShareColumns } from "../data/page_data";
import { formatCalls } from "./format";
import type { Names } from "./names";
import { hasAll, wordsOf } from "./words";

// A share of all calls in two profiles.
export interface ShareChange {
  before: number; // 0 to 1
  after: number;
  change: number;
  low: number; // 95 % interval of the change
  high: number;
  p: number; // adjusted
  callsBefore: number;
  callsAfter: number;
  isSignificant: boolean;
}

// That of a call site.
export interface Change extends ShareChange {
  index: number; // of the diff's columns
  caller: number;
  bci: number;
  line: number;
  callee: number;
}

function shareChange(columns: ShareColumns, index: number, errorRate: number): ShareChange {
  const before = columns.before[index]!, after = columns.after[index]!, p = columns.adjusted_p[index]!;
  return {
    before, after, change: after - before, low: columns.low[index]!, high: columns.high[index]!, p,
    callsBefore: columns.calls_before[index]!, callsAfter: columns.calls_after[index]!,
    isSignificant: p <= errorRate,
  };
}

export function changesOf(diff: DiffData): Change[] {
  return diff.callee.map((callee, index) => ({
    index, caller: diff.caller[index]!, bci: diff.bci[index]!, line: diff.line[index]!, callee,
    ...shareChange(diff, index, diff.error_rate),
  }));
}

// Of a caller's lines those ("caller line") that have several call sites.
export function linesOfSeveralSites(changes: readonly Pick<Change, "caller" | "line" | "bci">[]): Set<string> {
  const first = new Map<string, number>(), several = new Set<string>();
  for (const { caller, line, bci } of changes) {
    const key = `${caller} ${line}`, known = first.get(key);
    if (known === undefined) first.set(key, bci);
    else if (known !== bci) several.add(key);
  }
  return several;
}

// "new", "gone", "× 2.5", "÷ 4", "× 150", "÷ 2,000": how many times as many, or as few; the program's
// tables have the same (cli/factor.h).
export function factorOf(before: number, after: number): string {
  if (before <= 0) return after <= 0 ? "" : "new";
  if (after <= 0) return "gone";
  const [sign, factor] = after >= before ? ["×", after / before] : ["÷", before / after];
  return `${sign} ${factor >= 100 ? Math.round(factor).toLocaleString("en-US") : decimal(factor, 2).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")}`;
}

// How many calls the two profiles have: an edge's share also changes where other edges' calls do.
export function describeTotals(before: number | null, after: number | null): string {
  if (before === null || after === null) return "";
  const factor = factorOf(before, after);
  return `All calls: ${formatCalls(before)} before, ${formatCalls(after)} after${factor && ` (${factor})`}; shares are parts of these.`;
}

// "+0.123", "−0.0027": in percent points of a share; small ones have two digits.
export function formatPoints(change: number): string {
  const points = Math.abs(100 * change);
  if (points === 0) return "±0";
  return `${change > 0 ? "+" : "−"}${points >= 0.01 ? points.toFixed(3) : decimal(points, 2)}`;
}

// "1.2 %", "0.0034 %": of 0 to 1; small ones have two digits.
export function formatSmallShare(share: number): string {
  if (share <= 0) return "0";
  const percent = 100 * share;
  return `${percent >= 0.1 ? percent.toFixed(percent >= 10 ? 1 : 2) : decimal(percent, 2)} %`;
}

// So many digits that count, without a power of ten.
function decimal(value: number, digits: number): string {
  return value.toFixed(Math.min(20, Math.max(0, digits - 1 - Math.floor(Math.log10(value)))));
}

// Every word stands in the name of the caller or of the callee.
export function matching(changes: readonly Change[], names: Names, query: string): Change[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...changes];
  return changes.filter(({ caller, callee }) => {
    const text = `${names.lowerFull(caller)} ${names.lowerFull(callee)}`;
    return hasAll(text, words);
  });
}

// A method's share, of all call sites together; and how many of these the comparison tells apart,
// and found to have changed by more than chance.
export interface MethodChange extends ShareChange {
  method: number;
  sites: number;
  significant: number;
}

export function methodChanges({ methods, error_rate }: DiffData, changes: readonly Change[]): MethodChange[] {
  const found = new Map(methods.method.map((method, index): [number, MethodChange] =>
    [method, { method, ...shareChange(methods, index, error_rate), sites: 0, significant: 0 }]));
  for (const { callee, isSignificant } of changes) {
    const method = found.get(callee);
    if (!method) continue;
    method.sites++;
    if (isSignificant) method.significant++;
  }
  return [...found.values()];
}

// Edges around a method, call sites added up: its callers, its callees, and what these share with
// each other; the largest changes first, at most `limit`.
export interface PairChange { caller: number; callee: number; before: number; after: number; sites: number; significant: number }

export function pairsAround(changes: readonly Change[], method: number, limit: number):
    { pairs: PairChange[]; hidden: number } {
  const near = new Set<number>([method]);
  for (const { caller, callee } of changes) {
    if (caller === method) near.add(callee);
    if (callee === method) near.add(caller);
  }
  const pairs = new Map<string, PairChange>();
  for (const each of changes) {
    if (!near.has(each.caller) || !near.has(each.callee)) continue;
    const key = `${each.caller} ${each.callee}`;
    let pair = pairs.get(key);
    if (!pair) {
      pair = { caller: each.caller, callee: each.callee, before: 0, after: 0, sites: 0, significant: 0 };
      pairs.set(key, pair);
    }
    pair.before += each.before;
    pair.after += each.after;
    pair.sites++;
    if (each.isSignificant) pair.significant++;
  }
  const touches = (pair: PairChange) => Number(pair.caller === method || pair.callee === method);
  const sorted = [...pairs.values()].sort((a, b) => touches(b) - touches(a) ||
    Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  return { pairs: sorted.slice(0, limit), hidden: Math.max(0, sorted.length - limit) };
}
