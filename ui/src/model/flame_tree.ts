import type { ContextTree } from "../data/page_data";

// A tree of frames in which those of one method below the same frame are one, whatever call site
// they came from. Node 0 is the root, parents come before their children.
export interface FlameTree {
  parent: Int32Array;
  method: Int32Array; // of the root: -1
  self: Float64Array;
  total: Float64Array; // with all below
  // Of the code that executes it, by weight: -1 not known; null: not recorded.
  level: Int8Array | null;
  // How much of its weight was inlined into the frame above it, 0 to 1; null: not recorded.
  inlined: Float32Array | null;
  line: Int32Array; // of the call, in the method above; 0: not known, or of several
}

// Collects frames; the same method below the same frame is one node.
export class FlameBuilder {
  private readonly parent: number[] = [0];
  private readonly method: number[] = [-1];
  private readonly self: number[] = [0];
  private readonly line: number[] = [0];
  private readonly byLevel: number[] = []; // six a node: weights of levels -1 to 4
  private readonly inlined: number[] = [0];
  private readonly index = new Map<number, number>();

  constructor(private readonly methods: number, private readonly hasCode: boolean) {
    this.byLevel.push(0, 0, 0, 0, 0, 0);
  }

  child(parent: number, method: number, line = 0): number {
    const key = parent * (this.methods + 1) + method + 1;
    const known = this.index.get(key);
    if (known !== undefined) {
      if (this.line[known] !== line) this.line[known] = 0;
      return known;
    }
    const node = this.parent.length;
    this.index.set(key, node);
    this.parent.push(parent);
    this.method.push(method);
    this.self.push(0);
    this.line.push(line);
    this.inlined.push(0);
    this.byLevel.push(0, 0, 0, 0, 0, 0);
    return node;
  }
  addSelf(node: number, weight: number): void { this.self[node]! += weight; }
  // What kind of code so much of the node's whole weight is executed by.
  addCode(node: number, level: number, inlined: number, total: number): void {
    this.byLevel[6 * node + level + 1]! += total;
    this.inlined[node]! += inlined * total;
  }

  build(): FlameTree {
    const count = this.parent.length;
    const total = Float64Array.from(this.self);
    for (let node = count - 1; node > 0; node--) total[this.parent[node]!]! += total[node]!;
    let level: Int8Array | null = null, inlined: Float32Array | null = null;
    if (this.hasCode) {
      level = new Int8Array(count);
      inlined = new Float32Array(count);
      for (let node = 0; node < count; node++) {
        let best = -1, weight = 0;
        for (let l = -1; l <= 4; l++) {
          const w = this.byLevel[6 * node + l + 1]!;
          if (w > weight) { weight = w; best = l; }
        }
        level[node] = best;
        inlined[node] = total[node]! > 0 ? Math.min(1, this.inlined[node]! / total[node]!) : 0;
      }
    }
    return {
      parent: Int32Array.from(this.parent), method: Int32Array.from(this.method),
      self: Float64Array.from(this.self), total, level, inlined, line: Int32Array.from(this.line),
    };
  }
}

// Of a profile's contexts.
export function flameTree(contexts: ContextTree, methods: number): FlameTree {
  const count = contexts.parent.length;
  const total = Float64Array.from(contexts.weight);
  for (let node = count - 1; node > 0; node--) total[contexts.parent[node]!]! += total[node]!;
  const builder = new FlameBuilder(methods, contexts.level !== null);
  const place = new Int32Array(count);
  builder.addSelf(0, contexts.weight[0] ?? 0);
  for (let node = 1; node < count; node++) {
    if (!(total[node]! > 0)) { place[node] = -1; continue; }
    const at = place[node] = builder.child(place[contexts.parent[node]!]!, contexts.method[node]!, contexts.line[node]!);
    builder.addSelf(at, contexts.weight[node]!);
    if (contexts.level) builder.addCode(at, contexts.level[node]!, contexts.inlined?.[node] ?? 0, total[node]!);
  }
  return builder.build();
}

// Its frames from the root's first to the node.
export function pathOf(tree: FlameTree, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at > 0; at = tree.parent[at]!) path.push(at);
  return path.reverse();
}

// "a;b;c 12" a line, for other flame graphs; those without a weight of their own left out.
export function collapsed(tree: FlameTree, nameOf: (method: number) => string): string {
  const names: string[] = [""];
  const lines: string[] = [];
  for (let node = 1; node < tree.parent.length; node++) {
    const above = names[tree.parent[node]!]!;
    const name = nameOf(tree.method[node]!).replaceAll(";", ":");
    names.push(above ? `${above};${name}` : name);
    if (tree.self[node]! > 0) lines.push(`${names[node]} ${Number(tree.self[node]!.toPrecision(12))}`);
  }
  return lines.join("\n") + (lines.length > 0 ? "\n" : "");
}

// A method's weight in a tree: what ended in it, and what it is on the stack of, counted once.
export interface MethodWeight { method: number; self: number; total: number }

export function methodWeights(tree: FlameTree): MethodWeight[] {
  const found = new Map<number, MethodWeight>();
  const open = new Set<number>(); // methods on the way from the root
  const way: number[] = [];
  const children = childrenOf(tree);
  const pending: number[] = [...children.of(0)].reverse();
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (node < 0) {
      const method = way.pop()!;
      if (method >= 0) open.delete(method);
      continue;
    }
    const method = tree.method[node]!;
    let row = found.get(method);
    if (!row) found.set(method, row = { method, self: 0, total: 0 });
    row.self += tree.self[node]!;
    const isOutermost = !open.has(method);
    if (isOutermost) { row.total += tree.total[node]!; open.add(method); }
    way.push(isOutermost ? method : -1);
    pending.push(-1, ...children.of(node));
  }
  return [...found.values()];
}

// Children of each node, in the order of ids.
export interface Children { of(node: number): Int32Array }

export function childrenOf(tree: FlameTree): Children {
  const count = tree.parent.length;
  const start = new Int32Array(count + 1), order = new Int32Array(Math.max(0, count - 1));
  for (let node = 1; node < count; node++) start[tree.parent[node]! + 1]!++;
  for (let node = 0; node < count; node++) start[node + 1]! += start[node]!;
  const next = start.slice();
  for (let node = 1; node < count; node++) order[next[tree.parent[node]!]!++] = node;
  return { of: (node) => order.subarray(start[node]!, start[node + 1]!) };
}
