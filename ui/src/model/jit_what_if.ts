import type { JitData, Verdict } from "../data/page_data";
import type { Estimate } from "./jit_ledger";

export interface WhatIfResult {
  strategies: { name: string; phrase: string; saved: Estimate; verdict: Verdict }[];
  timeNs: number;
  compileNs: number;
}

// What was estimated for a method of the compilers; undefined where nothing was.
export function whatIfOf({ what_if }: Pick<JitData, "what_if">, jitMethod: number): WhatIfResult | undefined {
  const at = what_if?.method.indexOf(jitMethod) ?? -1;
  if (!what_if || at < 0) return undefined;
  const strategies = what_if.strategies.map(({ name, phrase, value, low, high }) => {
    const saved = { value: value[at]!, low: low[at]!, high: high[at]! };
    const verdict: Verdict = saved.low > 0 ? 0 : saved.high < 0 ? 1 : 2;
    return { name, phrase, saved, verdict };
  });
  return { strategies, timeNs: what_if.time_ns[at]!, compileNs: what_if.compile_ns[at]! };
}
