import type { DiffData, ProfileData } from "../data/page_data";
import type { Names } from "./names";
import { hasAll, wordsOf } from "./words";

// A call site's share of all calls in two profiles.
export interface Change {
  index: number; // of the diff's columns
  caller: number;
  bci: number;
  line: number;
  callee: number;
  before: number; // shares, 0 to 1
  after: number;
  change: number;
  low: number; // 95 % interval of the change
  high: number;
  q: number;
  isSignificant: boolean;
}

export function changesOf(diff: DiffData): Change[] {
  return diff.callee.map((callee, index) => {
    const before = diff.before[index]!, after = diff.after[index]!, q = diff.q_value[index]!;
    return {
      index, caller: diff.caller[index]!, bci: diff.bci[index]!, line: diff.line[index]!, callee,
      before, after, change: after - before, low: diff.low[index]!, high: diff.high[index]!, q,
      isSignificant: q <= diff.fdr,
    };
  });
}

// "new", "gone", "× 2.5", "÷ 4".
export function factorOf(before: number, after: number): string {
  if (before <= 0) return after <= 0 ? "" : "new";
  if (after <= 0) return "gone";
  const factor = after / before, isMore = factor >= 1;
  return `${isMore ? "×" : "÷"} ${Number((isMore ? factor : 1 / factor).toPrecision(3))}`;
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

// A method's share of all calls in two profiles, of all call sites together; and how many of these
// the comparison tells apart, and found to have changed by more than chance.
export interface MethodChange {
  method: number;
  before: number;
  after: number;
  change: number;
  sites: number;
  significant: number;
}

export function methodChanges(before: ProfileData, after: ProfileData, methods: number,
                              changes: readonly Change[]): MethodChange[] {
  const sharesOf = ({ edges, calls }: ProfileData) => {
    const shares = new Float64Array(methods);
    if (calls > 0) edges.callee.forEach((callee, e) => { shares[callee]! += edges.calls[e]! / calls; });
    return shares;
  };
  const a = sharesOf(before), b = sharesOf(after);
  const sites = new Uint32Array(methods), significant = new Uint32Array(methods);
  for (const { callee, isSignificant } of changes) {
    sites[callee]!++;
    if (isSignificant) significant[callee]!++;
  }
  const found: MethodChange[] = [];
  for (let method = 0; method < methods; method++) {
    if (a[method]! > 0 || b[method]! > 0) {
      found.push({
        method, before: a[method]!, after: b[method]!, change: b[method]! - a[method]!,
        sites: sites[method]!, significant: significant[method]!,
      });
    }
  }
  return found;
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
