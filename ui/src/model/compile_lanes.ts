import type { JitData } from "../data/page_data";

// The compilations of one compiler thread, one after the other.
export interface Lane {
  thread: string;
  items: number[]; // compilations, by their start
  reach: number[]; // the latest end of each and those before it
  busyNs: number;
}

// A lane a thread, that with the longest work first. Compilations from before the recording have
// no time, and are in none.
export function compileLanes({ compilations: c }: Pick<JitData, "compilations">,
                             string: (index: number) => string): Lane[] {
  const lanes = new Map<number, Lane>();
  c.thread.forEach((thread, i) => {
    if (c.start_ns[i]! < 0) return;
    let lane = lanes.get(thread);
    if (!lane) lanes.set(thread, lane = { thread: string(thread) || "(thread not known)", items: [], reach: [], busyNs: 0 });
    lane.items.push(i);
    lane.busyNs += Math.max(0, c.end_ns[i]! - c.start_ns[i]!);
  });
  for (const { items, reach } of lanes.values()) {
    items.sort((a, b) => c.start_ns[a]! - c.start_ns[b]!);
    for (const i of items) reach.push(Math.max(c.end_ns[i]!, reach[reach.length - 1] ?? 0));
  }
  return [...lanes.values()].sort((a, b) => b.busyNs - a.busyNs);
}

// The items that reach into [from, to], at least: positions in the lane.
export function itemsBetween({ compilations: c }: Pick<JitData, "compilations">, lane: Lane,
                             from: number, to: number): [first: number, end: number] {
  const first = bound(lane.items.length, (i) => lane.reach[i]! >= from);
  return [first, Math.max(first, bound(lane.items.length, (i) => c.start_ns[lane.items[i]!]! > to))];
}

// The first index at which it is true, of one that is false before and true behind.
function bound(count: number, isTrue: (index: number) => boolean): number {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
