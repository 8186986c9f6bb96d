import type { JitLedger, Estimate, Recompilation } from "./jit_ledger";

// What a method's recompilations came to. "never": it was never compiled on its own.
export type MethodOutcome = "never" | "paid off" | "did not" | "undecided";

export interface MethodVerdict {
  outcome: MethodOutcome;
  counts: readonly [paidOff: number, didNot: number, undecided: number];
  isMixed: boolean; // some paid off and some did not: the sum of their gains decides
}

const NEVER: MethodVerdict = { outcome: "never", counts: [0, 0, 0], isMixed: false };

// Of several recompilations those that are decided count, as one that is undecided says nothing
// against them. Where they disagree, it is decided by the sum of their gains, whose interval has
// the sums of their bounds: rather too wide than too narrow, however they depend on each other.
export function verdictOf(rows: readonly Recompilation[]): MethodVerdict {
  if (rows.length === 0) return NEVER;
  const counts: [number, number, number] = [0, 0, 0];
  for (const row of rows) counts[row.verdict]++;
  const [paid, didNot] = counts;
  if (paid > 0 && didNot > 0) {
    const sum = sumOf(rows.flatMap((row) => row.verdict !== 2 && row.gain ? [row.gain] : []));
    const outcome = sum.low > 0 ? "paid off" : sum.high < 0 ? "did not" : "undecided";
    return { outcome, counts, isMixed: true };
  }
  return { outcome: paid > 0 ? "paid off" : didNot > 0 ? "did not" : "undecided", counts, isMixed: false };
}

// With the sums of the bounds.
export function sumOf(estimates: readonly Estimate[]): Estimate {
  const sum = { value: 0, low: 0, high: 0 };
  for (const { value, low, high } of estimates) {
    sum.value += value;
    sum.low += low;
    sum.high += high;
  }
  return sum;
}

export function methodVerdict(ledger: JitLedger, method: number): MethodVerdict {
  return verdictOf(ledger.jitMethodsOf(method).flatMap((jitMethod) => ledger.rowsOf(jitMethod)));
}
