// How many calls of each edge a part of the run has: format/profile's selection in the program, and
// core/graph/selected_calls.h, which has the equations.

import type { EdgeColumns, Interval, SliceData } from "../data/page_data";
import { grouped } from "./grouping";
import type { Selection } from "./selection";

const ROUNDS = 16; // where methods inline each other in circles; else the second changes nothing
const DEVIATIONS_OF_95 = 1.959964, INTERVAL_FACTOR = 1.3; // as format/profile/estimate.h
const CHANCE_SQUARED = (DEVIATIONS_OF_95 * INTERVAL_FACTOR) ** 2;
const SETTLED = 1e-4; // of a method's calls
const MOST_UNSEEN_SAMPLES = 3; // the rule of three

export interface SelectedCalls {
  calls: Float64Array;
  total: number;
  interval: (edge: number) => Interval;
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
  // Rows by part and group: those of a cell are next to each other.
  cellStart: Uint32Array; // of part * groups + group
  groups: number;
  edge: Uint32Array; // of each row
  callee: Int32Array; // of each edge
  calls: Float64Array; // as the edge's estimate has them
  squares: Float64Array; // likewise, of what the row's ticks brought each
  total: number; // calls of all rows
  inferred: Inferred;
  unplaced: number; // inferred calls of callers that nobody is known to call: in no selection
  counted: number; // calls of edges that the VM counted: in no selection, either
  entries: Float64Array; // of each method: its calls, without those that the VM counted
  called: Int32Array; // methods that have some
}
const cache = new WeakMap<object, Prepared>();

// Inferred calls of callers that somebody is known to call, by callee: callers' own come first, but
// where methods call each other in a circle.
interface Inferred {
  method: Int32Array; // each callee
  start: Uint32Array; // of its edges
  edge: Int32Array;
  caller: Int32Array;
  calls: Float64Array;
  // Of all methods: which of these callees they call.
  outStart: Uint32Array;
  out: Int32Array;
}

// Made when first asked for, and kept.
export function prepared(edges: EdgeColumns, slices: NonNullable<SliceData["calls"]>, methods: number): Prepared {
  let made = cache.get(slices);
  if (made) return made;
  const count = edges.callee.length, rows = slices.edge.length, all = new Float64Array(count);
  let total = 0, parts = 1, groups = 1;
  for (let i = 0; i < rows; i++) {
    all[slices.edge[i]!]! += slices.calls[i]!;
    total += slices.calls[i]!;
    parts = Math.max(parts, slices.part[i]! + 1);
    groups = Math.max(groups, slices.group[i]! + 1);
  }
  const entries = new Float64Array(methods);
  let counted = 0;
  for (let edge = 0; edge < count; edge++) {
    const known = slices.sampled[edge]! + slices.inferred[edge]!;
    entries[edges.callee[edge]!]! += known;
    counted += Math.max(0, edges.calls![edge]! - known);
  }
  const placed: number[] = [];
  let unplaced = 0;
  for (let edge = 0; edge < count; edge++) {
    if (!(slices.inferred[edge]! > 0)) continue;
    const caller = edges.caller[edge]!;
    if (caller >= 0 && entries[caller]! > 0) placed.push(edge);
    else unplaced += slices.inferred[edge]!;
  }
  const cellStart = new Uint32Array(parts * groups + 1);
  for (let i = 0; i < rows; i++) cellStart[slices.part[i]! * groups + slices.group[i]! + 1]!++;
  for (let cell = 0; cell < parts * groups; cell++) cellStart[cell + 1]! += cellStart[cell]!;
  const next = cellStart.slice(), edge = new Uint32Array(rows), calls = new Float64Array(rows), squares = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const at = next[slices.part[i]! * groups + slices.group[i]!]!++, of = slices.edge[i]!;
    edge[at] = of;
    calls[at] = all[of]! > 0 ? slices.calls[i]! * slices.sampled[of]! / all[of]! : 0;
    squares[at] = calls[at]! * calls[at]! / Math.max(1, slices.units[i]!);
  }
  const called: number[] = [];
  for (let method = 0; method < methods; method++) if (entries[method]! > 0) called.push(method);
  made = {
    cellStart, groups, edge, callee: Int32Array.from(edges.callee), calls, squares, total, unplaced, counted, entries, called: Int32Array.from(called),
    inferred: inferredOf(edges, slices.inferred, placed, methods),
  };
  cache.set(slices, made);
  return made;
}

function inferredOf(edges: EdgeColumns, calls: readonly number[], placed: readonly number[], methods: number): Inferred {
  const into = grouped(placed, (edge) => edges.callee[edge]!, methods), from = grouped(placed, (edge) => edges.caller[edge]!, methods);
  // A method comes before those that it calls: the reverse of the order in which a search leaves them.
  const left: number[] = [], isSeen = new Uint8Array(methods), at = from.start.slice();
  for (let first = 0; first < methods; first++) {
    if (isSeen[first]) continue;
    isSeen[first] = 1;
    for (const way = [first]; way.length > 0;) {
      const method = way[way.length - 1]!;
      if (at[method]! === from.start[method + 1]!) {
        left.push(method);
        way.pop();
        continue;
      }
      const next = edges.callee[from.order[at[method]!++]!]!;
      if (isSeen[next]) continue;
      isSeen[next] = 1;
      way.push(next);
    }
  }
  const method: number[] = [], start = [0], ordered: number[] = [];
  for (let i = left.length - 1; i >= 0; i--) {
    const each = left[i]!;
    if (into.start[each] === into.start[each + 1]) continue;
    for (let k = into.start[each]!; k < into.start[each + 1]!; k++) ordered.push(into.order[k]!);
    method.push(each);
    start.push(ordered.length);
  }
  const place = new Int32Array(methods);
  method.forEach((each, i) => { place[each] = i; });
  return {
    outStart: from.start, out: from.order.map((edge) => place[edges.callee[edge]!]!),
    method: Int32Array.from(method), start: Uint32Array.from(start), edge: Int32Array.from(ordered),
    caller: Int32Array.from(ordered, (edge) => edges.caller[edge]!), calls: Float64Array.from(ordered, (edge) => calls[edge]!),
  };
}

// The loops are functions of their own: each is compiled once, and for all selections.
export function selectedCalls(edges: EdgeColumns, slices: NonNullable<SliceData["calls"]>, partNs: number, methods: number,
                              samples: number, selection: Selection): SelectedCalls {
  const known = prepared(edges, slices, methods), { cellStart, groups, inferred } = known;
  const count = edges.callee.length, calls = new Float64Array(count), squares = new Float64Array(count);
  let isAny = false;
  for (let cell = 0; cell < cellStart.length - 1; cell++) {
    if (!selection.hasGroup(cell % groups) || !hasPart(selection, Math.floor(cell / groups), partNs)) continue;
    if (cellStart[cell]! < cellStart[cell + 1]!) isAny = true;
    addRows(known, cellStart[cell]!, cellStart[cell + 1]!, calls, squares);
  }
  const callsIn = new Float64Array(methods), varianceIn = new Float64Array(methods);
  addByMethod(known.callee, calls, squares, callsIn, varianceIn);
  // Of each method's calls: how many are in the selection, as a part, and their relative variance.
  const part = new Float64Array(methods), spread = new Float64Array(methods);
  setParts(known, callsIn, varianceIn, part, spread);
  const isOpen = new Uint8Array(inferred.method.length).fill(1); // some caller's part has changed
  for (let round = 0, isAnyOpen = isOpen.length > 0; round < ROUNDS && isAnyOpen; round++) {
    isAnyOpen = goRound(known, callsIn, varianceIn, part, spread, isOpen);
  }
  addInferred(inferred, part, spread, calls, squares);
  const { total, unseen } = totalOf(calls);
  const mostUnseen = isAny && samples > 0 ? MOST_UNSEEN_SAMPLES * known.total / samples : Infinity;
  return { calls, total, unseen, mostUnseen, interval: (edge) => intervalOf(edges, edge, calls[edge]!, squares[edge]!, mostUnseen) };
}

function addRows(known: Prepared, begin: number, end: number, calls: Float64Array, squares: Float64Array): void {
  const { edge: edges, calls: more, squares: moreSquares } = known;
  for (let i = begin; i < end; i++) {
    const edge = edges[i]!;
    calls[edge]! += more[i]!;
    squares[edge]! += moreSquares[i]!;
  }
}

function addByMethod(callee: Int32Array, calls: Float64Array, squares: Float64Array, callsIn: Float64Array, varianceIn: Float64Array): void {
  for (let edge = 0; edge < callee.length; edge++) {
    if (calls[edge] === 0) continue;
    callsIn[callee[edge]!]! += calls[edge]!;
    varianceIn[callee[edge]!]! += squares[edge]!;
  }
}

function setParts(known: Prepared, callsIn: Float64Array, varianceIn: Float64Array, part: Float64Array, spread: Float64Array): void {
  const { called, entries } = known;
  for (let i = 0; i < called.length; i++) {
    const m = called[i]!, calls = callsIn[m]!;
    if (calls === 0) continue;
    part[m] = calls / entries[m]!;
    spread[m] = varianceIn[m]! / (calls * calls);
  }
}

// False: nothing changes any more.
function goRound(known: Prepared, callsIn: Float64Array, varianceIn: Float64Array, part: Float64Array, spread: Float64Array,
                 isOpen: Uint8Array): boolean {
  const { entries, inferred: { method: targets, start, caller: callers, calls: callsOf, outStart, out } } = known;
  let isAnyOpen = false;
  for (let t = 0; t < targets.length; t++) {
    if (isOpen[t] === 0) continue;
    isOpen[t] = 0;
    const m = targets[t]!, end = start[t + 1]!;
    let calls = callsIn[m]!, variance = varianceIn[m]!;
    for (let i = start[t]!; i < end; i++) {
      const caller = callers[i]!, more = callsOf[i]! * part[caller]!;
      calls += more;
      variance += more * more * spread[caller]!;
    }
    const now = calls / entries[m]!, change = Math.abs(now - part[m]!);
    part[m] = now;
    spread[m] = calls > 0 ? variance / (calls * calls) : 0;
    if (change < SETTLED) continue;
    for (let i = outStart[m]!; i < outStart[m + 1]!; i++) {
      isOpen[out[i]!] = 1;
      if (out[i]! <= t) isAnyOpen = true;
    }
  }
  return isAnyOpen;
}

function addInferred(inferred: Inferred, part: Float64Array, spread: Float64Array, calls: Float64Array, squares: Float64Array): void {
  const { edge: edges, caller: callers, calls: callsOf } = inferred;
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i]!, caller = callers[i]!, more = callsOf[i]! * Math.min(1, part[caller]!);
    calls[edge]! += more;
    squares[edge]! += more * more * spread[caller]!;
  }
}

function totalOf(calls: Float64Array): { total: number; unseen: number } {
  let total = 0, unseen = 0;
  for (let edge = 0; edge < calls.length; edge++) {
    total += calls[edge]!;
    if (calls[edge] === 0) unseen++;
  }
  return { total, unseen };
}

// That of the whole run, with the chance that there is in what was selected of it.
function intervalOf(edges: EdgeColumns, edge: number, calls: number, variance: number, mostUnseen: number): Interval {
  const whole = edges.calls![edge]!, wholeLow = edges.low?.[edge] ?? whole, wholeHigh = edges.high?.[edge] ?? whole;
  if (!(calls > 0)) return { low: 0, high: Math.ceil(Math.min(wholeHigh, mostUnseen)) };
  const chance = CHANCE_SQUARED * Math.log1p(variance / (calls * calls)); // squared
  const below = wholeLow > 0 ? Math.log(Math.max(1, whole / wholeLow)) : Infinity;
  const above = whole > 0 ? Math.log(Math.max(1, wholeHigh / whole)) : 0;
  return {
    low: Math.floor(calls * Math.exp(-Math.sqrt(below * below + chance))),
    high: Math.ceil(Math.max(calls, Math.min(wholeHigh, calls * Math.exp(Math.sqrt(above * above + chance))))),
  };
}
