import type { JitData, Verdict, WhatIfColumns } from "../data/page_data";
import type { Estimate } from "./jit_ledger";

export const WAYS = ["never", "level_1", "at_once"] as const;
export type Way = (typeof WAYS)[number];

export interface WhatIfResult {
  ways: { way: Way; saved: Estimate; verdict: Verdict }[];
  timeNs: number;
  compileNs: number;
}

// What was estimated for a method of the compilers; undefined where nothing was.
export function whatIfOf({ what_if }: Pick<JitData, "what_if">, jitMethod: number): WhatIfResult | undefined {
  const at = what_if?.method.indexOf(jitMethod) ?? -1;
  if (!what_if || at < 0) return undefined;
  const ways = WAYS.map((way) => {
    const columns: WhatIfColumns = what_if[way];
    const saved = { value: columns.value[at]!, low: columns.low[at]!, high: columns.high[at]! };
    const verdict: Verdict = saved.low > 0 ? 0 : saved.high < 0 ? 1 : 2;
    return { way, saved, verdict };
  });
  return { ways, timeNs: what_if.time_ns[at]!, compileNs: what_if.compile_ns[at]! };
}
