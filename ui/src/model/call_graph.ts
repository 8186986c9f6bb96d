import { EdgeFlag, type EdgeColumns } from "../data/page_data";

// A profile's edges by caller and by callee. Methods are indices; ROOT (-1) is a caller only.
export class CallGraph {
  // Of edges that were found, calls are 1 each: what is drawn by them is then by the number of edges.
  readonly edges: EdgeColumns & { calls: ArrayLike<number> };
  readonly count: number;
  readonly total: number; // calls
  // By method: calls of it, and calls that it makes.
  readonly callsOf: Float64Array;
  readonly callsBy: Float64Array;
  // How many methods call it, and are called by it, call sites not told apart.
  readonly callers: Uint32Array;
  readonly callees: Uint32Array;
  private readonly outStart: Uint32Array;
  private readonly outEdges: Uint32Array;
  private readonly inStart: Uint32Array;
  private readonly inEdges: Uint32Array;

  // `like`: a graph of the same edges with other numbers of calls.
  constructor(edges: EdgeColumns, methods: number, readonly like?: CallGraph) {
    this.count = edges.callee.length;
    const ofEdges = edges.calls ?? new Float64Array(this.count).fill(1);
    this.edges = { ...edges, calls: ofEdges };
    this.callsOf = new Float64Array(methods);
    this.callsBy = new Float64Array(methods);
    let total = 0;
    for (let e = 0; e < this.count; e++) {
      const calls = ofEdges[e]!, caller = edges.caller[e]!;
      total += calls;
      this.callsOf[edges.callee[e]!]! += calls;
      if (caller >= 0) this.callsBy[caller]! += calls;
    }
    this.total = total;
    if (like) {
      [this.outStart, this.outEdges, this.inStart, this.inEdges] = [like.outStart, like.outEdges, like.inStart, like.inEdges];
      [this.callers, this.callees] = [like.callers, like.callees];
      return;
    }
    // ROOT's edges come first: its slot is 0.
    [this.outStart, this.outEdges] = grouped(this.count, methods + 1, (e) => edges.caller[e]! + 1);
    [this.inStart, this.inEdges] = grouped(this.count, methods, (e) => edges.callee[e]!);
    this.callers = distinct(this.inStart, this.inEdges, methods, (e) => edges.caller[e]! + 1, methods + 1);
    this.callees = distinct(this.outStart.subarray(1), this.outEdges, methods,
      (e) => edges.callee[e]!, methods);
  }

  // Indices of edges.
  edgesFrom(caller: number): Uint32Array {
    return this.outEdges.subarray(this.outStart[caller + 1]!, this.outStart[caller + 2]!);
  }
  edgesTo(callee: number): Uint32Array {
    return callee < 0 ? new Uint32Array(0)
      : this.inEdges.subarray(this.inStart[callee]!, this.inStart[callee + 1]!);
  }
  // Of a place in a method's bytecode; 0 where no edge tells it.
  lineAt(caller: number, bci: number): number {
    if (caller < 0 || bci < 0) return 0;
    return this.edgesFrom(caller).reduce((line, edge) => this.edges.bci[edge] === bci ? Math.max(line, this.edges.line[edge]!) : line, 0);
  }
  low(edge: number): number { return this.edges.interval?.(edge).low ?? this.edges.low?.[edge] ?? this.edges.calls[edge]!; }
  high(edge: number): number { return this.edges.interval?.(edge).high ?? this.edges.high?.[edge] ?? this.edges.calls[edge]!; }
  isInferred(edge: number): boolean { return (this.edges.flags[edge]! & EdgeFlag.inferred) !== 0; }
  share(edge: number): number { return this.total > 0 ? this.edges.calls[edge]! / this.total : 0; }
}

// Counting sort of 0 .. count-1 by key: where each key's begin, and they themselves.
function grouped(count: number, keys: number, key: (index: number) => number):
    [Uint32Array, Uint32Array] {
  const start = new Uint32Array(keys + 1), order = new Uint32Array(count);
  for (let i = 0; i < count; i++) start[key(i) + 1]!++;
  for (let k = 0; k < keys; k++) start[k + 1]! += start[k]!;
  const next = start.slice();
  for (let i = 0; i < count; i++) order[next[key(i)]!++] = i;
  return [start, order];
}

function distinct(start: Uint32Array, order: Uint32Array, groups: number,
                  value: (index: number) => number, values: number): Uint32Array {
  const result = new Uint32Array(groups), seen = new Int32Array(values).fill(-1);
  for (let g = 0; g < groups; g++) {
    for (let i = start[g]!; i < start[g + 1]!; i++) {
      const v = value(order[i]!);
      if (seen[v] !== g) { seen[v] = g; result[g]!++; }
    }
  }
  return result;
}
