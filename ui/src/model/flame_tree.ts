// Contexts as they were recorded, or as transforms have left them: frames of one method below the
// same frame are told apart by call site and by code. A ContextTree of the page is one. Node 0 is
// the root, parents come before their children.
export interface Stacks {
  parent: ArrayLike<number>; // of the root: 0
  method: ArrayLike<number>; // of the root: -1
  line: ArrayLike<number>; // of the call; 0: not known
  weight: ArrayLike<number>; // of this context alone
  level: ArrayLike<number> | null; // -1 to 4; null: not recorded
  inlined: ArrayLike<number> | null;
}

// What is shown: frames of one method below the same frame are one. Order as above.
export interface FlameTree {
  parent: Int32Array;
  method: Int32Array;
  self: Float64Array;
  total: Float64Array; // with all below
  // Of each frame's total, so much was executed by code that is not known, interpreted, and of the
  // levels 1 to 4: CODE_KINDS numbers a frame. Null: not recorded.
  code: Float64Array | null;
  inlined: Float64Array | null; // so much of the total was inlined into the frame above; likewise
  line: Int32Array; // of the call; 0: not known, SEVERAL: there are several
}

export const CODE_KINDS = 6;
export const SEVERAL = -1;

// Collects at most `capacity` frames besides the root; the same method below the same frame is one.
export class FlameBuilder {
  count = 1;
  private readonly parent: Int32Array;
  private readonly method: Int32Array;
  private readonly self: Float64Array;
  private readonly line: Int32Array;
  private readonly code: Float64Array | null;
  private readonly inlined: Float64Array | null;
  private readonly slots: Int32Array; // a hash table with open addressing; 0: free

  constructor(capacity: number, hasCode: boolean) {
    const size = capacity + 1;
    this.parent = new Int32Array(size);
    this.method = new Int32Array(size).fill(-1);
    this.self = new Float64Array(size);
    this.line = new Int32Array(size);
    this.code = hasCode ? new Float64Array(CODE_KINDS * size) : null;
    this.inlined = hasCode ? new Float64Array(size) : null;
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * size)));
  }

  child(parent: number, method: number, line: number): number {
    const mask = this.slots.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(method + 1, 0x85ebca77);
    hash ^= hash >>> 15;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const node = this.slots[slot]!;
      if (node === 0) return this.slots[slot] = this.add(parent, method, line);
      if (this.parent[node] === parent && this.method[node] === method) {
        if (this.line[node] !== line) this.line[node] = SEVERAL;
        return node;
      }
    }
  }
  private add(parent: number, method: number, line: number): number {
    const node = this.count++;
    this.parent[node] = parent;
    this.method[node] = method;
    this.line[node] = line;
    return node;
  }
  addSelf(node: number, weight: number): void { this.self[node]! += weight; }
  // So much of the node's total was executed by this code. level: -1 to 4.
  addCode(node: number, level: number, isInlined: boolean, weight: number): void {
    if (!this.code || !this.inlined) return;
    this.code[CODE_KINDS * node + 1 + level]! += weight;
    if (isInlined) this.inlined[node]! += weight;
  }

  build(): FlameTree {
    const { count } = this;
    const parent = this.parent.slice(0, count), self = this.self.slice(0, count);
    return {
      parent, method: this.method.slice(0, count), self, total: totals(parent, self),
      code: this.code?.slice(0, CODE_KINDS * count) ?? null,
      inlined: this.inlined?.slice(0, count) ?? null, line: this.line.slice(0, count),
    };
  }
}

function totals(parent: ArrayLike<number>, self: ArrayLike<number>): Float64Array {
  const total = Float64Array.from(self);
  for (let node = total.length - 1; node > 0; node--) total[parent[node]!]! += total[node]!;
  return total;
}

// Those without any weight in and below them are left out.
export function flameTree(stacks: Stacks): FlameTree {
  const count = stacks.parent.length;
  const total = totals(stacks.parent, stacks.weight);
  const builder = new FlameBuilder(count, stacks.level !== null);
  const place = new Int32Array(count);
  builder.addSelf(0, stacks.weight[0]!);
  for (let node = 1; node < count; node++) {
    if (!(total[node]! > 0)) continue;
    const above = place[stacks.parent[node]!]!;
    const at = place[node] = builder.child(above, stacks.method[node]!, stacks.line[node]!);
    builder.addSelf(at, stacks.weight[node]!);
    builder.addCode(at, stacks.level?.[node] ?? -1, stacks.inlined?.[node] === 1, total[node]!);
  }
  return builder.build();
}

// The frames from the root's first to the node.
export function pathOf(tree: FlameTree, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at > 0; at = tree.parent[at]!) path.push(at);
  return path.reverse();
}

// Where the children of each node are in `order`: from start[node] to before start[node + 1].
export interface Children { start: Int32Array; order: Int32Array }

export function childrenOf(tree: FlameTree): Children {
  const count = tree.parent.length;
  const start = new Int32Array(count + 1), order = new Int32Array(count - 1);
  for (let node = 1; node < count; node++) start[tree.parent[node]! + 1]!++;
  for (let node = 0; node < count; node++) start[node + 1]! += start[node]!;
  const next = start.slice();
  for (let node = 1; node < count; node++) order[next[tree.parent[node]!]!++] = node;
  return { start, order };
}

// The level that executed most of a frame; -1: not known.
export function mainLevel(tree: FlameTree, node: number): number {
  if (!tree.code) return -1;
  let best = 0;
  for (let kind = 1; kind < CODE_KINDS; kind++) {
    if (tree.code[CODE_KINDS * node + kind]! > tree.code[CODE_KINDS * node + best]!) best = kind;
  }
  return best - 1;
}

// How much of a frame was inlined into the one above, 0 to 1.
export function inlinedShare(tree: FlameTree, node: number): number {
  return tree.inlined && tree.total[node]! > 0 ? tree.inlined[node]! / tree.total[node]! : 0;
}

// The frame of another tree that is reached by the same methods; where one is not there, as it was
// merged or collapsed, by those that are.
export function samePlace(from: FlameTree, node: number, to: FlameTree): number {
  const { start, order } = childrenOf(to);
  let at = 0;
  for (const frame of pathOf(from, node)) {
    for (let i = start[at]!; i < start[at + 1]!; i++) {
      if (to.method[order[i]!] === from.method[frame]) { at = order[i]!; break; }
    }
  }
  return at;
}
