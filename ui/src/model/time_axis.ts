// Round moments within [fromNs, toNs], about `count` of them, labelled in one unit with as many
// decimals as tell them apart: "1.25 s".
export interface TimeTick { ns: number; label: string }

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]] as const;

export function timeTicks(fromNs: number, toNs: number, count: number): TimeTick[] {
  const span = toNs - fromNs;
  if (!(span > 0) || count < 1) return [];
  const rough = span / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough * 0.999)!;
  // In the largest unit of which the end has one: labels near each other are all in the same.
  const [unit, suffix] = UNITS.find(([each]) => toNs >= each) ?? UNITS[UNITS.length - 1]!;
  const decimals = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
  const ticks: TimeTick[] = [];
  for (let i = Math.ceil(fromNs / step - 1e-9); i * step <= toNs * (1 + 1e-12); i++) {
    const ns = i * step;
    ticks.push({ ns, label: ns === 0 ? "0" : `${(ns / unit).toFixed(decimals)} ${suffix}` });
  }
  return ticks;
}

export type TimeSpan = readonly [fromNs: number, toNs: number];

const LEAST_NS = 1000;

// Nearer (factor below 1) or further, with the moment `at` staying where it is; within the whole.
export function zoomed([from, to]: TimeSpan, at: number, factor: number, [first, last]: TimeSpan): TimeSpan {
  const width = Math.min(last - first, Math.max(LEAST_NS, (to - from) * factor));
  const part = to > from ? (at - from) / (to - from) : 0.5;
  return within(at - part * width, width, first, last);
}

// Moved by so much, as far as the whole goes.
export function moved([from, to]: TimeSpan, by: number, [first, last]: TimeSpan): TimeSpan {
  return within(from + by, to - from, first, last);
}

function within(from: number, width: number, first: number, last: number): TimeSpan {
  const begin = Math.max(first, Math.min(last - width, from));
  return [begin, begin + width];
}
