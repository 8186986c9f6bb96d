import { EdgeFlag } from "../data/page_data";
import type { CallGraph } from "./call_graph";

// A graph's edges with the call sites of a (caller, callee) pair merged. The interval of a pair is
// the sum of its sites' bounds: a sum's standard deviation is at most the sum of theirs, however
// they depend on each other, so it is rather too wide than too narrow.
export class CallPairs {
  readonly count: number;
  readonly caller: Int32Array;
  readonly callee: Int32Array;
  readonly calls: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly sites: Uint32Array;
  readonly inferredCalls: Float64Array; // of sites whose counts are inferred
  // Bits: some site has no interval; some site's calls were inlined; some site's not, or in part.
  readonly noInterval: Uint8Array;
  readonly inlined: Uint8Array;
  readonly notInlined: Uint8Array;
  readonly rootCalls: number; // with no caller that is known
  private readonly outStart: Uint32Array; // pairs of a caller are next to each other
  private readonly inStart: Uint32Array;
  private readonly inPairs: Uint32Array;

  constructor(graph: CallGraph, methods: number) {
    const { edges } = graph;
    const pairOf = new Int32Array(methods), seen = new Int32Array(methods).fill(-2);
    this.outStart = new Uint32Array(methods + 2);
    const caller = new Int32Array(graph.count), callee = new Int32Array(graph.count);
    this.calls = new Float64Array(graph.count);
    this.low = new Float64Array(graph.count);
    this.high = new Float64Array(graph.count);
    this.sites = new Uint32Array(graph.count);
    this.inferredCalls = new Float64Array(graph.count);
    this.noInterval = new Uint8Array(graph.count);
    this.inlined = new Uint8Array(graph.count);
    this.notInlined = new Uint8Array(graph.count);
    let count = 0;
    for (let from = -1; from < methods; from++) {
      this.outStart[from + 1] = count;
      for (const edge of graph.edgesFrom(from)) {
        const to = edges.callee[edge]!;
        if (seen[to] !== from) {
          seen[to] = from;
          pairOf[to] = count;
          caller[count] = from;
          callee[count++] = to;
        }
        const pair = pairOf[to]!;
        this.calls[pair]! += edges.calls[edge]!;
        this.low[pair]! += graph.low(edge);
        this.high[pair]! += graph.high(edge);
        this.sites[pair]!++;
        if (graph.isInferred(edge)) this.inferredCalls[pair]! += edges.calls[edge]!;
        if (edges.flags[edge]! & EdgeFlag.noInterval) this.noInterval[pair] = 1;
        if (edges.inlined[edge] !== 0) this.inlined[pair] = 1;
        if (edges.inlined[edge] !== 2) this.notInlined[pair] = 1;
      }
    }
    this.outStart[methods + 1] = count;
    this.count = count;
    this.caller = caller.subarray(0, count);
    this.callee = callee.subarray(0, count);
    this.rootCalls = this.calls.subarray(0, this.outStart[1]).reduce((sum, calls) => sum + calls, 0);

    this.inStart = new Uint32Array(methods + 1);
    this.inPairs = new Uint32Array(count);
    for (const to of this.callee) this.inStart[to + 1]!++;
    for (let m = 0; m < methods; m++) this.inStart[m + 1]! += this.inStart[m]!;
    const next = this.inStart.slice();
    for (let pair = 0; pair < count; pair++) this.inPairs[next[this.callee[pair]!]!++] = pair;
  }

  // Pairs are out .. end - 1.
  outOf(caller: number): { begin: number; end: number } {
    return { begin: this.outStart[caller + 1]!, end: this.outStart[caller + 2]! };
  }
  into(callee: number): Uint32Array {
    return callee < 0 ? new Uint32Array(0)
      : this.inPairs.subarray(this.inStart[callee]!, this.inStart[callee + 1]!);
  }
}

const cache = new WeakMap<CallGraph, CallPairs>();

// Made when first asked for, and kept with the graph.
export function callPairs(graph: CallGraph): CallPairs {
  let pairs = cache.get(graph);
  if (!pairs) cache.set(graph, pairs = new CallPairs(graph, graph.callsOf.length));
  return pairs;
}
