// Calls over the run, of all methods or of one.

import type { EdgeColumns, ProfileData, SliceData } from "../data/page_data";
import { grouped, type Grouped } from "./grouping";

const MOST_STEPS = 24; // from an inlined call to callers that were sampled; inlined trees are no deeper

type CallSlices = NonNullable<SliceData["calls"]>;

// Whether a tick was within each part of the run. Undefined: calls were observed all the time.
export function observedParts({ slices, windows, ticks }: ProfileData): Uint8Array | undefined {
  if (!slices || ticks === 0) return undefined;
  const observed = new Uint8Array(slices.parts);
  for (const start of windows.start_ns) observed[Math.min(slices.parts - 1, Math.max(0, Math.floor(start / slices.part_ns)))] = 1;
  return observed.includes(1) ? observed : undefined;
}

// Parts in which nothing was observed have no calls of their own, which does not mean that there were
// none: they share those of the observed part that is nearest. The sum stays what it is.
export function spread(values: Float64Array, observed: Uint8Array | undefined): Float64Array {
  if (!observed) return values;
  const spreadOut = new Float64Array(values.length);
  const places = [...observed.keys()].filter((part) => observed[part] === 1 || values[part]! > 0);
  let begin = 0;
  places.forEach((place, i) => {
    const next = places[i + 1];
    const end = next === undefined ? values.length : Math.floor((place + next) / 2) + 1;
    spreadOut.fill(values[place]! / (end - begin), begin, end);
    begin = end;
  });
  return spreadOut;
}

// By callee: which rows of the slices, and which edges with inferred calls.
interface ByCallee { rows: Grouped; inferred: Grouped }
const cache = new WeakMap<CallSlices, ByCallee>();

// Made when first asked for, and kept.
export function byCallee({ callee }: EdgeColumns, calls: CallSlices): ByCallee {
  let made = cache.get(calls);
  if (!made) {
    let methods = 0;
    for (const method of callee) methods = Math.max(methods, method + 1);
    const inferred: number[] = [];
    for (let edge = 0; edge < callee.length; edge++) if (calls.inferred[edge]! > 0) inferred.push(edge);
    made = {
      rows: grouped(Uint32Array.from(calls.edge.keys()), (row) => callee[calls.edge[row]!]!, methods),
      inferred: grouped(inferred, (edge) => callee[edge]!, methods),
    };
    cache.set(calls, made);
  }
  return made;
}

// How many calls of a method each part of the run has: those of its samples, and inlined ones in
// proportion to the calls of their callers. Undefined: nothing of it has a time.
export function methodOverTime({ edges, slices }: ProfileData, method: number, hasGroup: (group: number) => boolean): Float64Array | undefined {
  const calls = slices?.calls;
  if (!calls) return undefined;
  const { parts } = slices, { rows, inferred } = byCallee(edges, calls);
  const made = new Map<number, { byPart: Float64Array; all: number }>();
  // `all`: of all threads.
  const of = (callee: number, steps: number): { byPart: Float64Array; all: number } => {
    const known = made.get(callee);
    if (known) return known;
    const own = { byPart: new Float64Array(parts), all: 0 };
    made.set(callee, own); // In a circle of inlined calls the samples of the one that was met first count.
    for (let i = rows.start[callee]!; i < rows.start[callee + 1]!; i++) {
      const row = rows.order[i]!;
      own.all += calls.calls[row]!;
      if (hasGroup(calls.group[row]!)) own.byPart[Math.min(parts - 1, calls.part[row]!)]! += calls.calls[row]!;
    }
    const added = { byPart: own.byPart.slice(), all: own.all };
    for (let i = inferred.start[callee]!; steps > 0 && i < inferred.start[callee + 1]!; i++) {
      const edge = inferred.order[i]!, caller = of(edges.caller[edge]!, steps - 1);
      if (!(caller.all > 0)) continue;
      added.all += calls.inferred[edge]!;
      for (let part = 0; part < parts; part++) added.byPart[part]! += calls.inferred[edge]! * caller.byPart[part]! / caller.all;
    }
    made.set(callee, added);
    return added;
  };
  const { byPart, all } = of(method, MOST_STEPS);
  return all > 0 ? byPart : undefined;
}
