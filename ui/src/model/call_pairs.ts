import { EdgeFlag } from "../data/page_data";
import type { CallGraph } from "./call_graph";

// Which call sites fall together as a (caller, callee) pair; it is the same whatever the numbers of
// calls are.
interface Shape {
  count: number;
  caller: Int32Array;
  callee: Int32Array;
  pairOf: Int32Array; // by edge
  sites: Uint32Array;
  // Bits: some site has no interval; some site's calls were inlined; some site's not, or in part.
  noInterval: Uint8Array;
  inlined: Uint8Array;
  notInlined: Uint8Array;
  outStart: Uint32Array; // pairs of a caller are next to each other
  inStart: Uint32Array;
  inPairs: Uint32Array;
}

// A graph's edges with the call sites of a (caller, callee) pair merged. The interval of a pair is
// the sum of its sites' bounds: a sum's standard deviation is at most the sum of theirs, however
// they depend on each other, so it is rather too wide than too narrow.
export class CallPairs {
  readonly calls: Float64Array;
  readonly rootCalls: number; // with no caller that is known

  constructor(private readonly graph: CallGraph, private readonly shape: Shape) {
    const { calls } = graph.edges, { pairOf } = shape;
    this.calls = new Float64Array(shape.count);
    for (let edge = 0; edge < pairOf.length; edge++) this.calls[pairOf[edge]!]! += calls[edge]!;
    this.rootCalls = this.calls.subarray(0, shape.outStart[1]).reduce((sum, each) => sum + each, 0);
  }

  get count(): number { return this.shape.count; }
  get caller(): Int32Array { return this.shape.caller; }
  get callee(): Int32Array { return this.shape.callee; }
  get sites(): Uint32Array { return this.shape.sites; }
  get noInterval(): Uint8Array { return this.shape.noInterval; }
  get inlined(): Uint8Array { return this.shape.inlined; }
  get notInlined(): Uint8Array { return this.shape.notInlined; }
  low(pair: number): number { return this.sum(pair, (edge) => this.graph.low(edge)); }
  high(pair: number): number { return this.sum(pair, (edge) => this.graph.high(edge)); }
  // Of sites whose counts are inferred.
  inferredCalls(pair: number): number {
    return this.sum(pair, (edge) => this.graph.isInferred(edge) ? this.graph.edges.calls[edge]! : 0);
  }

  // Pairs are out .. end - 1.
  outOf(caller: number): { begin: number; end: number } {
    return { begin: this.shape.outStart[caller + 1]!, end: this.shape.outStart[caller + 2]! };
  }
  into(callee: number): Uint32Array {
    return callee < 0 ? new Uint32Array(0)
      : this.shape.inPairs.subarray(this.shape.inStart[callee]!, this.shape.inStart[callee + 1]!);
  }

  private sum(pair: number, of: (edge: number) => number): number {
    let sum = 0;
    for (const edge of this.graph.edgesFrom(this.shape.caller[pair]!)) if (this.shape.pairOf[edge] === pair) sum += of(edge);
    return sum;
  }
}

function shapeOf(graph: CallGraph, methods: number): Shape {
  const { edges } = graph;
  const latest = new Int32Array(methods), seen = new Int32Array(methods).fill(-2);
  const outStart = new Uint32Array(methods + 2), pairOf = new Int32Array(graph.count);
  const caller = new Int32Array(graph.count), callee = new Int32Array(graph.count), sites = new Uint32Array(graph.count);
  const noInterval = new Uint8Array(graph.count), inlined = new Uint8Array(graph.count), notInlined = new Uint8Array(graph.count);
  let count = 0;
  for (let from = -1; from < methods; from++) {
    outStart[from + 1] = count;
    for (const edge of graph.edgesFrom(from)) {
      const to = edges.callee[edge]!;
      if (seen[to] !== from) {
        seen[to] = from;
        latest[to] = count;
        caller[count] = from;
        callee[count++] = to;
      }
      const pair = latest[to]!;
      pairOf[edge] = pair;
      sites[pair]!++;
      if (edges.flags[edge]! & EdgeFlag.noInterval) noInterval[pair] = 1;
      if (edges.inlined[edge] !== 0) inlined[pair] = 1;
      if (edges.inlined[edge] !== 2) notInlined[pair] = 1;
    }
  }
  outStart[methods + 1] = count;
  const inStart = new Uint32Array(methods + 1), inPairs = new Uint32Array(count);
  for (let pair = 0; pair < count; pair++) inStart[callee[pair]! + 1]!++;
  for (let m = 0; m < methods; m++) inStart[m + 1]! += inStart[m]!;
  const next = inStart.slice();
  for (let pair = 0; pair < count; pair++) inPairs[next[callee[pair]!]!++] = pair;
  return {
    count, caller: caller.subarray(0, count), callee: callee.subarray(0, count), pairOf, sites, noInterval, inlined, notInlined,
    outStart, inStart, inPairs,
  };
}

const shapes = new WeakMap<CallGraph, Shape>(), cache = new WeakMap<CallGraph, CallPairs>();

// Made when first asked for, and kept with the graph; of a graph like another only the sums are.
export function callPairs(graph: CallGraph): CallPairs {
  let pairs = cache.get(graph);
  if (pairs) return pairs;
  const whole = graph.like ?? graph;
  let shape = shapes.get(whole);
  if (!shape) shapes.set(whole, shape = shapeOf(whole, whole.callsOf.length));
  cache.set(graph, pairs = new CallPairs(graph, shape));
  return pairs;
}
