import type { CallGraph } from "./call_graph";
import { callPairs, type CallPairs } from "./call_pairs";

export interface NeighbourhoodOptions {
  callers: number; // how many steps up
  callees: number; // and down
  // Pairs with fewer calls are left out. Of "method": a share (0 to 1) of the calls of the focus
  // (upwards) or by it (downwards); of "all": of all calls. The focus keeps its BUSIEST callers and
  // callees all the same.
  threshold: number;
  of: "method" | "all";
  maxNodes: number;
  maxEdges: number;
}

export const BUSIEST = 5;

export const NEIGHBOURHOOD_DEFAULTS: NeighbourhoodOptions =
  { callers: 2, callees: 2, threshold: 0.01, of: "method", maxNodes: 150, maxEdges: 300 };

export interface NeighbourNode {
  method: number; // or ROOT
  distance: number; // steps from the focus; 0: it is the focus
  side: "focus" | "caller" | "callee";
  hiddenCallers: number; // methods that call it, or are called by it, without an edge shown
  hiddenCallees: number;
}

// All calls of a caller to a callee, call sites merged.
export interface NeighbourEdge {
  caller: number;
  callee: number;
  calls: number;
  low: number;
  high: number;
  sites: number;
  share: number; // of all calls, 0 to 1
  inferred: boolean; // more than half of the calls are at sites whose counts are inferred
  hasInterval: boolean;
  inlined: 0 | 1 | 2; // none (or not known), in part, all
}

export interface HiddenPairs { pairs: number; calls: number }

export interface Neighbourhood {
  nodes: NeighbourNode[]; // the focus first
  edges: NeighbourEdge[]; // most calls first
  shownCalls: number;
  totalCalls: number;
  // Caller-callee pairs that touch a method that is shown, without being shown themselves: as they
  // have few calls, as there is no room, or as they lead further than the steps allow or to
  // methods beside the ways from and to the focus.
  hidden: { threshold: HiddenPairs; limit: HiddenPairs; depth: HiddenPairs };
  methodsBeyondLimit: number; // within the steps and the threshold, but there was no room
}

// What is around a method. Of too many methods those are kept that the largest part of the calls
// leads to (or comes from): the product of the shares on the way, summed over ways of least length.
export function neighbourhood(graph: CallGraph, focus: number, options: NeighbourhoodOptions):
    Neighbourhood {
  const pairs = callPairs(graph);
  const least = leastCalls(graph, pairs, focus, options);
  const always = new Set([...busiest(pairs, [...pairs.into(focus)]), ...busiest(pairs, [...outPairs(pairs, focus)])]);
  const isMany = (pair: number, bound: number) => pairs.calls[pair]! >= bound || always.has(pair);
  const up = reach(pairs, focus, options.callers, "up", (pair) => isMany(pair, least.up));
  const down = reach(pairs, focus, options.callees, "down", (pair) => isMany(pair, least.down));
  const kept = mostImportant(focus, [up, down], options.maxNodes);
  const reached = new Set([...up.distance.keys(), ...down.distance.keys()]);

  const nodes = new Map<number, NeighbourNode>();
  for (const method of kept) {
    const above = up.distance.get(method) ?? Infinity, below = down.distance.get(method) ?? Infinity;
    nodes.set(method, {
      method, distance: Math.min(above, below), hiddenCallers: 0, hiddenCallees: 0,
      side: method === focus ? "focus" : above < below ? "caller" : "callee",
    });
  }

  const candidates: number[] = [], touching = new Set<number>();
  const limit = Math.min(least.up, least.down);
  for (const method of kept) {
    for (const pair of outPairs(pairs, method)) {
      touching.add(pair);
      if (nodes.has(pairs.callee[pair]!) && isDrawn(pair)) candidates.push(pair);
    }
    for (const pair of pairs.into(method)) touching.add(pair);
  }
  // A pair is held to the threshold of the side that it is on; one that is on both, or goes past
  // the focus, to the lower.
  function isDrawn(pair: number): boolean {
    const isUp = up.distance.has(pairs.callee[pair]!), isDown = down.distance.has(pairs.caller[pair]!);
    return isMany(pair, isUp === isDown ? limit : isUp ? least.up : least.down);
  }

  // Those by which methods were reached first, so that nothing shown hangs loose.
  const isWay = (pair: number) => Number(up.ways.has(pair) || down.ways.has(pair));
  candidates.sort((a, b) => isWay(b) - isWay(a) || pairs.calls[b]! - pairs.calls[a]! || a - b);
  const drawn = new Set(candidates.slice(0, options.maxEdges));

  const hidden = {
    threshold: { pairs: 0, calls: 0 }, limit: { pairs: 0, calls: 0 }, depth: { pairs: 0, calls: 0 },
  };
  let shownCalls = 0;
  for (const pair of touching) {
    const calls = pairs.calls[pair]!;
    if (drawn.has(pair)) { shownCalls += calls; continue; }
    const caller = nodes.get(pairs.caller[pair]!), callee = nodes.get(pairs.callee[pair]!);
    if (caller) caller.hiddenCallees++;
    if (callee) callee.hiddenCallers++;
    const isInReach = reached.has(pairs.caller[pair]!) && reached.has(pairs.callee[pair]!);
    const why = !isDrawn(pair) ? hidden.threshold : isInReach ? hidden.limit : hidden.depth;
    why.pairs++;
    why.calls += calls;
  }
  return {
    nodes: [...nodes.values()],
    edges: [...drawn].sort((a, b) => pairs.calls[b]! - pairs.calls[a]! || a - b)
      .map((pair) => edgeOf(graph, pairs, pair)),
    shownCalls, totalCalls: graph.total, hidden, methodsBeyondLimit: reached.size - nodes.size,
  };
}

function edgeOf(graph: CallGraph, pairs: CallPairs, pair: number): NeighbourEdge {
  const calls = pairs.calls[pair]!;
  return {
    caller: pairs.caller[pair]!, callee: pairs.callee[pair]!, calls,
    low: pairs.low(pair), high: pairs.high(pair), sites: pairs.sites[pair]!,
    share: graph.total > 0 ? calls / graph.total : 0,
    inferred: pairs.inferredCalls(pair) > calls / 2,
    hasInterval: pairs.noInterval[pair] === 0,
    inlined: pairs.inlined[pair] === 0 ? 0 : pairs.notInlined[pair] === 0 ? 2 : 1,
  };
}

function leastCalls(graph: CallGraph, pairs: CallPairs, focus: number,
                    { threshold, of }: NeighbourhoodOptions): { up: number; down: number } {
  if (of === "all") return { up: threshold * graph.total, down: threshold * graph.total };
  const by = focus < 0 ? pairs.rootCalls : graph.callsBy[focus]!;
  return { up: threshold * (focus < 0 ? 0 : graph.callsOf[focus]!), down: threshold * by };
}

function busiest(pairs: CallPairs, list: number[]): number[] {
  return list.sort((a, b) => pairs.calls[b]! - pairs.calls[a]! || a - b).slice(0, BUSIEST);
}

interface Reach {
  distance: Map<number, number>;
  importance: Map<number, number>; // of the focus: 1
  next: Map<number, number[]>; // by method, those one step further
  ways: Set<number>; // pairs of a step
}

function* outPairs(pairs: CallPairs, method: number): Generator<number> {
  const { begin, end } = pairs.outOf(method);
  for (let pair = begin; pair < end; pair++) yield pair;
}

function reach(pairs: CallPairs, focus: number, steps: number, direction: "up" | "down",
               isMany: (pair: number) => boolean): Reach {
  const result: Reach = {
    distance: new Map([[focus, 0]]), importance: new Map([[focus, 1]]), next: new Map(), ways: new Set(),
  };
  let front = [focus];
  for (let step = 1; step <= steps && front.length > 0; step++) {
    const following: number[] = [];
    for (const method of front) {
      const around = direction === "up" ? [...pairs.into(method)] : [...outPairs(pairs, method)];
      const sum = around.reduce((calls, pair) => calls + pairs.calls[pair]!, 0);
      const further: number[] = [];
      for (const pair of around) {
        const other = direction === "up" ? pairs.caller[pair]! : pairs.callee[pair]!;
        if (!isMany(pair)) continue;
        const distance = result.distance.get(other);
        if (distance !== undefined && distance < step) continue;
        if (distance === undefined) {
          result.distance.set(other, step);
          following.push(other);
        }
        const part = result.importance.get(method)! * (sum > 0 ? pairs.calls[pair]! / sum : 0);
        result.importance.set(other, (result.importance.get(other) ?? 0) + part);
        result.ways.add(pair);
        further.push(other);
      }
      result.next.set(method, further);
    }
    front = following;
  }
  return result;
}

// The focus and what is most important, of all that is reached; every one is next to one that is
// kept, too.
function mostImportant(focus: number, reaches: Reach[], limit: number): number[] {
  const kept = new Set<number>([focus]);
  const rank = new Map<number, number>();
  for (const { importance } of reaches) {
    for (const [method, value] of importance) rank.set(method, Math.max(rank.get(method) ?? 0, value));
  }
  const order = [...rank.keys()].sort((a, b) => rank.get(b)! - rank.get(a)! || a - b);
  const place = new Map(order.map((method, i) => [method, i]));
  const queue = new MinHeap();
  const open = (method: number) => {
    for (const { next } of reaches) {
      for (const other of next.get(method) ?? []) if (!kept.has(other)) queue.push(place.get(other)!);
    }
  };
  open(focus);
  while (kept.size < limit) {
    const best = queue.pop();
    if (best === undefined) break;
    const method = order[best]!;
    if (kept.has(method)) continue;
    kept.add(method);
    open(method);
  }
  return [...kept];
}

class MinHeap {
  private readonly items: number[] = [];
  push(value: number): void {
    const { items } = this;
    let i = items.push(value) - 1;
    for (let up = (i - 1) >> 1; i > 0 && items[up]! > value; i = up, up = (i - 1) >> 1) {
      items[i] = items[up]!;
    }
    items[i] = value;
  }
  pop(): number | undefined {
    const { items } = this;
    const top = items[0], last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child++;
      if (child >= items.length || items[child]! >= last) break;
      items[i] = items[child]!;
      i = child;
    }
    items[i] = last;
    return top;
  }
}
