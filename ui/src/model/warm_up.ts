import type { JitData } from "../data/page_data";

// What was executed in a part of the run, as threads that were busy on average.
export interface WarmUpPart {
  beginNs: number;
  endNs: number;
  busy: [interpreted: number, first: number, second: number, unknown: number];
  compilers: number;
}

export const KINDS = ["interpreted", "C1", "C2", "unknown"] as const;

// At most `limit` parts: neighbours are put together. What a compilation cost is spread over the
// time that it took, as warm_up.compile_ns, which has all of one where it ended, does not tell how
// many compilers were busy.
export function warmUpParts({ warm_up, unit_ns, compilations: c }: Pick<JitData, "warm_up" | "unit_ns" | "compilations">,
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
      beginNs, endNs, compilers: 0,
      busy: [sum(warm_up.interpreted) * unit_ns, sum(warm_up.c1) * unit_ns,
        sum(warm_up.c2) * unit_ns, sum(warm_up.unknown) * unit_ns],
    });
  }
  c.start_ns.forEach((start, i) => {
    const end = c.end_ns[i]!;
    if (start < 0 || end <= start) return;
    const busy = c.compile_ns[i]! / (end - start);
    for (let p = firstEndingAfter(parts, start); p < parts.length && parts[p]!.beginNs < end; p++) {
      const part = parts[p]!;
      part.compilers += busy * (Math.min(end, part.endNs) - Math.max(start, part.beginNs)) / (part.endNs - part.beginNs);
    }
  });
  return parts;
}

function firstEndingAfter(parts: readonly WarmUpPart[], ns: number): number {
  let low = 0, high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.endNs > ns) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Shares of the samples, 0 to 1, in the order of KINDS; undefined where there are none.
export function warmUpShares({ warm_up }: Pick<JitData, "warm_up">): number[] | undefined {
  const totals = [warm_up.interpreted, warm_up.c1, warm_up.c2, warm_up.unknown]
    .map((column) => column.reduce((sum, samples) => sum + samples, 0));
  const all = totals.reduce((sum, samples) => sum + samples, 0);
  return all > 0 ? totals.map((samples) => samples / all) : undefined;
}

// Round numbers of threads up to `most`, at most four of them.
export function threadTicks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => most / each < 5)!;
  return Array.from({ length: Math.floor(most / step) }, (_, i) => Number(((i + 1) * step).toPrecision(2)));
}
