// How many calls of each edge a part of the run has: format/profile's selection in the program, and
// core/graph/selected_calls.h, which has the equations.

import type { EdgeColumns, SliceData } from "../data/page_data";
import type { Selection } from "./selection";

const ROUNDS = 16; // deeper chains of inlined calls than compilers make
const DEVIATIONS_OF_95 = 1.959964, INTERVAL_FACTOR = 1.3; // as format/profile/estimate.h
const CHANCE_SQUARED = (DEVIATIONS_OF_95 * INTERVAL_FACTOR) ** 2;
const SETTLED = 1e-4; // of a method's calls
const MOST_UNSEEN_SAMPLES = 3; // the rule of three

export interface SelectedCalls {
  calls: number[];
  low: number[];
  high: number[];
  unplaced: number; // inferred calls of callers that nobody is known to call: in no selection
  unseen: number; // edges without a sample in the selection
  mostUnseen: number; // calls that each of these may have in it; Infinity: nothing was sampled there
}

// Whether a part of the run, by its middle, is within the time.
export function hasPart({ fromNs, toNs }: Pick<Selection, "fromNs" | "toNs">, part: number, partNs: number): boolean {
  const middle = (part + 0.5) * partNs;
  return middle >= fromNs && middle < toNs;
}

// What does not depend on the selection.
interface Prepared {
  part: Uint8Array; // of each row
  group: Uint8Array;
  edge: Int32Array;
  calls: Float64Array; // as the edge's estimate has them
  squares: Float64Array; // likewise, of what the row's ticks brought each
  total: number; // calls of all rows
  inferred: Int32Array; // edges with such calls
  entries: Float64Array; // of each method: its calls, without those that the VM counted
  lowRatio: Float64Array; // the logarithms of calls by low, and of high by calls; Infinity: low is 0
  highRatio: Float64Array;
}
const cache = new WeakMap<object, Prepared>();

// Made when first asked for, and kept.
export function prepared(edges: EdgeColumns, slices: NonNullable<SliceData["calls"]>, methods: number): Prepared {
  let made = cache.get(slices);
  if (made) return made;
  const count = edges.callee.length, all = new Float64Array(count);
  let total = 0;
  slices.edge.forEach((edge, i) => {
    all[edge]! += slices.calls[i]!;
    total += slices.calls[i]!;
  });
  const scale = all.map((calls, edge) => calls > 0 ? slices.sampled[edge]! / calls : 0);
  const calls = Float64Array.from(slices.calls, (each, i) => each * scale[slices.edge[i]!]!);
  const entries = new Float64Array(methods), lowRatio = new Float64Array(count), highRatio = new Float64Array(count);
  const inferred: number[] = [];
  for (let edge = 0; edge < count; edge++) {
    entries[edges.callee[edge]!]! += slices.sampled[edge]! + slices.inferred[edge]!;
    if (slices.inferred[edge]! > 0) inferred.push(edge);
    const whole = edges.calls![edge]!, low = edges.low?.[edge] ?? whole, high = edges.high?.[edge] ?? whole;
    lowRatio[edge] = low > 0 ? Math.log(Math.max(1, whole / low)) : Infinity;
    highRatio[edge] = whole > 0 ? Math.log(Math.max(1, high / whole)) : 0;
  }
  made = {
    part: Uint8Array.from(slices.part), group: Uint8Array.from(slices.group), edge: Int32Array.from(slices.edge), calls,
    squares: calls.map((each, i) => each * each / Math.max(1, slices.units[i]!)), total, inferred: Int32Array.from(inferred), entries, lowRatio, highRatio,
  };
  cache.set(slices, made);
  return made;
}

export function selectedCalls(edges: EdgeColumns, slices: NonNullable<SliceData["calls"]>, partNs: number, methods: number,
                              samples: number, selection: Selection): SelectedCalls {
  const known = prepared(edges, slices, methods), { entries } = known;
  const count = edges.callee.length, chosen = new Float64Array(count), squares = new Float64Array(count);
  const hasGroup = Uint8Array.from({ length: 256 }, (_, group) => Number(selection.hasGroup(group)));
  const isIn = Uint8Array.from({ length: 256 }, (_, part) => Number(hasPart(selection, part, partNs)));
  let isAny = false;
  for (let i = 0; i < known.edge.length; i++) {
    if (hasGroup[known.group[i]!] === 0 || isIn[known.part[i]!] === 0) continue;
    isAny = true;
    chosen[known.edge[i]!]! += known.calls[i]!;
    squares[known.edge[i]!]! += known.squares[i]!;
  }
  const sampledIn = new Float64Array(methods), varianceIn = new Float64Array(methods);
  for (let edge = 0; edge < count; edge++) {
    if (chosen[edge] === 0) continue;
    sampledIn[edges.callee[edge]!]! += chosen[edge]!;
    varianceIn[edges.callee[edge]!]! += squares[edge]!;
  }
  // Of each method's calls: how many are in the selection, as a part, and their relative variance.
  const part = new Float64Array(methods), spread = new Float64Array(methods);
  const settle = (calls: Float64Array, varianceOf: Float64Array): number => {
    let change = 0;
    for (let m = 0; m < methods; m++) {
      const next = entries[m]! > 0 ? calls[m]! / entries[m]! : 0;
      change = Math.max(change, Math.abs(next - part[m]!));
      part[m] = next;
      spread[m] = calls[m]! > 0 ? varianceOf[m]! / (calls[m]! * calls[m]!) : 0;
    }
    return change;
  };
  settle(sampledIn, varianceIn);
  const chosenEntries = new Float64Array(methods), variances = new Float64Array(methods);
  for (let round = 0; round < ROUNDS && known.inferred.length > 0; round++) {
    chosenEntries.set(sampledIn);
    variances.set(varianceIn);
    for (let i = 0; i < known.inferred.length; i++) {
      const edge = known.inferred[i]!, caller = edges.caller[edge]!;
      if (caller < 0 || part[caller] === 0) continue;
      const calls = slices.inferred[edge]! * part[caller]!, callee = edges.callee[edge]!;
      chosenEntries[callee]! += calls;
      variances[callee]! += calls * calls * spread[caller]!;
    }
    if (settle(chosenEntries, variances) < SETTLED) break;
  }
  const mostUnseen = isAny && samples > 0 ? MOST_UNSEEN_SAMPLES * known.total / samples : Infinity;
  const callsOf = new Array<number>(count), lowOf = new Array<number>(count), highOf = new Array<number>(count);
  let unplaced = 0, unseen = 0;
  const wholeCalls = edges.calls!;
  for (let edge = 0; edge < count; edge++) {
    const high = edges.high?.[edge] ?? wholeCalls[edge]!, inferred = slices.inferred[edge]!;
    let calls = chosen[edge]!, variance = squares[edge]!;
    if (inferred > 0) {
      const caller = edges.caller[edge]!;
      if (caller >= 0 && entries[caller]! > 0) {
        const more = inferred * Math.min(1, part[caller]!);
        calls += more;
        variance += more * more * spread[caller]!;
      } else {
        unplaced += inferred;
      }
    }
    if (calls > 0) {
      const chance = CHANCE_SQUARED * Math.log1p(variance / (calls * calls)); // squared
      const below = known.lowRatio[edge]!, above = known.highRatio[edge]!;
      callsOf[edge] = calls;
      lowOf[edge] = Math.floor(calls * Math.exp(-Math.sqrt(below * below + chance)));
      highOf[edge] = Math.ceil(Math.max(calls, Math.min(high, calls * Math.exp(Math.sqrt(above * above + chance)))));
    } else {
      unseen++;
      callsOf[edge] = lowOf[edge] = 0;
      highOf[edge] = Math.ceil(Math.min(high, mostUnseen));
    }
  }
  return { calls: callsOf, low: lowOf, high: highOf, unplaced, unseen, mostUnseen };
}
