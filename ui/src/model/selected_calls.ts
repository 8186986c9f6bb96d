// How many calls of each edge a part of the run has: format/profile's selection in the program, and
// core/graph/selected_calls.h, which has the equations.

import type { EdgeColumns, SliceData } from "../data/page_data";
import type { Selection } from "./selection";

const ROUNDS = 16; // deeper chains of inlined calls than compilers make
const DEVIATIONS_OF_95 = 1.959964, INTERVAL_FACTOR = 1.3; // as format/profile/estimate.h
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

export function selectedCalls(edges: EdgeColumns, slices: NonNullable<SliceData["calls"]>, partNs: number, methods: number,
                              samples: number, selection: Selection): SelectedCalls {
  const count = edges.callee.length;
  const all = new Float64Array(count), chosen = new Float64Array(count), squares = new Float64Array(count);
  let total = 0, isAny = false;
  for (let i = 0; i < slices.edge.length; i++) {
    const edge = slices.edge[i]!, calls = slices.calls[i]!;
    all[edge]! += calls;
    total += calls;
    if (!selection.hasGroup(slices.group[i]!) || !hasPart(selection, slices.part[i]!, partNs)) continue;
    isAny = true;
    chosen[edge]! += calls;
    squares[edge]! += calls * calls / Math.max(1, slices.units[i]!);
  }
  const inferredEdges: number[] = [];
  const entriesAll = new Float64Array(methods), sampledIn = new Float64Array(methods), varianceIn = new Float64Array(methods);
  for (let edge = 0; edge < count; edge++) {
    // As the edge's estimate has it.
    const scale = all[edge]! > 0 ? slices.sampled[edge]! / all[edge]! : 0;
    chosen[edge]! *= scale;
    squares[edge]! *= scale * scale;
    const callee = edges.callee[edge]!;
    entriesAll[callee]! += slices.sampled[edge]! + slices.inferred[edge]!;
    sampledIn[callee]! += chosen[edge]!;
    varianceIn[callee]! += squares[edge]!;
    if (slices.inferred[edge]! > 0) inferredEdges.push(edge);
  }
  let part = new Float64Array(methods), spread = new Float64Array(methods); // of its calls: how many, and their relative variance
  const settle = (entries: Float64Array, variances: Float64Array) => {
    for (let m = 0; m < methods; m++) {
      part[m] = entriesAll[m]! > 0 ? entries[m]! / entriesAll[m]! : 0;
      spread[m] = entries[m]! > 0 ? variances[m]! / (entries[m]! * entries[m]!) : 0;
    }
  };
  settle(sampledIn, varianceIn);
  for (let round = 0; round < ROUNDS && inferredEdges.length > 0; round++) {
    const entries = sampledIn.slice(), variances = varianceIn.slice();
    for (const edge of inferredEdges) {
      const caller = edges.caller[edge]!;
      if (caller < 0) continue;
      const calls = slices.inferred[edge]! * part[caller]!, callee = edges.callee[edge]!;
      entries[callee]! += calls;
      variances[callee]! += calls * calls * spread[caller]!;
    }
    settle(entries, variances);
  }
  const result: SelectedCalls = {
    calls: new Array(count), low: new Array(count), high: new Array(count), unplaced: 0, unseen: 0,
    mostUnseen: isAny && samples > 0 ? MOST_UNSEEN_SAMPLES * total / samples : Infinity,
  };
  for (let edge = 0; edge < count; edge++) {
    const whole = edges.calls![edge]!, low = edges.low?.[edge] ?? whole, high = edges.high?.[edge] ?? whole;
    const caller = edges.caller[edge]!, inferred = slices.inferred[edge]!;
    let calls = chosen[edge]!, variance = squares[edge]!;
    if (inferred > 0) {
      if (caller >= 0 && entriesAll[caller]! > 0) {
        const more = inferred * Math.min(1, part[caller]!);
        calls += more;
        variance += more * more * spread[caller]!;
      } else {
        result.unplaced += inferred;
      }
    }
    if (calls > 0) {
      const chance = DEVIATIONS_OF_95 * INTERVAL_FACTOR * Math.sqrt(Math.log1p(variance / (calls * calls)));
      const away = (ratio: number) => Math.exp(Math.hypot(Math.log(Math.max(1, ratio)), chance));
      result.calls[edge] = calls;
      result.low[edge] = low > 0 ? Math.floor(calls / away(whole / low)) : 0;
      result.high[edge] = Math.ceil(Math.max(calls, Math.min(high, calls * away(whole > 0 ? high / whole : 1))));
    } else {
      result.unseen++;
      result.calls[edge] = result.low[edge] = 0;
      result.high[edge] = Math.ceil(Math.min(high, result.mostUnseen));
    }
  }
  return result;
}
