import { FlameBuilder, type FlameTree, type Stacks } from "./flame_tree";

export interface Inverted {
  tree: FlameTree;
  // Frames whose callers are left out, and the weight of the stacks that go on there.
  cut: number;
  cutWeight: number;
}

// From where stacks end outwards: below the root the methods in which they end, below each its
// callers; `self` is the weight of stacks that begin there. All callers of all stacks would be as
// many frames as the stacks have: the callers of the heaviest frames come first, until there are
// `atMost` frames (or a few more, as a frame has all its callers or none).
export function inverted(stacks: Stacks, methods: number, atMost = 200_000): Inverted {
  const { parent, method, weight, level, inlined } = stacks;
  const builder = new FlameBuilder(atMost + methods, level !== null);
  const total = new Float64Array(atMost + methods + 1);
  // Each stack is in the list of one inverted frame: the one that it has been followed to. Its
  // recorded frame there is `reached`.
  const first = new Int32Array(total.length).fill(-1);
  const next = new Int32Array(parent.length).fill(-1);
  const reached = new Int32Array(parent.length);
  const heaviest = new Heaviest(total);
  let callers: number[] = [];

  const move = (stack: number, from: number, to: number, line: number) => {
    const at = builder.child(from, method[to]!, line);
    if (first[at]! < 0) callers.push(at);
    builder.addCode(at, level?.[to] ?? -1, inlined?.[to] === 1, weight[stack]!);
    total[at]! += weight[stack]!;
    next[stack] = first[at]!;
    first[at] = stack;
    reached[stack] = to;
  };
  const enqueue = () => {
    for (const at of callers) heaviest.push(at);
    callers = [];
  };
  for (let stack = 1; stack < parent.length; stack++) {
    if (weight[stack]! > 0) move(stack, 0, stack, 0);
  }
  builder.addSelf(0, weight[0]!);
  enqueue();
  let cut = 0, cutWeight = 0;
  for (let at = heaviest.pop(); at !== undefined; at = heaviest.pop()) {
    const isCut = builder.count > atMost;
    let onward = 0;
    for (let stack = first[at]!, after = -1; stack >= 0; stack = after) {
      after = next[stack]!;
      const above = parent[reached[stack]!]!;
      if (above > 0 && !isCut) { move(stack, at, above, stacks.line[reached[stack]!]!); continue; }
      builder.addSelf(at, weight[stack]!);
      if (above > 0) onward += weight[stack]!;
    }
    if (onward > 0) { cut++; cutWeight += onward; }
    enqueue();
  }
  return { tree: builder.build(), cut, cutWeight };
}

// A binary heap of frames by their weight.
class Heaviest {
  private readonly heap: number[] = [];
  constructor(private readonly weight: Float64Array) {}

  push(node: number): void {
    const { heap, weight } = this;
    let at = heap.length;
    for (heap.push(node); at > 0;) {
      const above = (at - 1) >> 1;
      if (weight[heap[above]!]! >= weight[node]!) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = node;
  }
  pop(): number | undefined {
    const { heap, weight } = this;
    const top = heap[0], last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && weight[heap[below + 1]!]! > weight[heap[below]!]!) below++;
      if (weight[heap[below]!]! <= weight[last]!) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return top;
  }
}
