import type { JitData } from "../data/page_data";

// What was executed in a part of the run, as threads that were busy on average.
export interface WarmUpPart {
  beginNs: number;
  endNs: number;
  busy: [interpreted: number, first: number, second: number, unknown: number];
  compilers: number;
}

export const KINDS = ["interpreted", "levels 1 to 3", "level 4", "unknown"] as const;

// At most `limit` parts: neighbours are put together, so many that the parts are equally long as
// far as the recording's are.
export function warmUpParts({ warm_up, unit_ns }: Pick<JitData, "warm_up" | "unit_ns">,
                            limit: number): WarmUpPart[] {
  const count = warm_up.end_ns.length, step = Math.max(1, Math.ceil(count / limit));
  const parts: WarmUpPart[] = [];
  for (let first = 0; first < count; first += step) {
    const last = Math.min(count, first + step);
    const beginNs = first === 0 ? 0 : warm_up.end_ns[first - 1]!, endNs = warm_up.end_ns[last - 1]!;
    const perNs = endNs > beginNs ? 1 / (endNs - beginNs) : 0;
    const sum = (column: readonly number[]) => {
      let total = 0;
      for (let i = first; i < last; i++) total += column[i]!;
      return total * perNs;
    };
    parts.push({
      beginNs, endNs, compilers: sum(warm_up.compile_ns),
      busy: [sum(warm_up.interpreted) * unit_ns, sum(warm_up.first) * unit_ns,
        sum(warm_up.second) * unit_ns, sum(warm_up.unknown) * unit_ns],
    });
  }
  return parts;
}

// Shares of the samples, 0 to 1, in the order of KINDS; undefined where there are none.
export function warmUpShares({ warm_up }: Pick<JitData, "warm_up">): number[] | undefined {
  const totals = [warm_up.interpreted, warm_up.first, warm_up.second, warm_up.unknown]
    .map((column) => column.reduce((sum, samples) => sum + samples, 0));
  const all = totals.reduce((sum, samples) => sum + samples, 0);
  return all > 0 ? totals.map((samples) => samples / all) : undefined;
}
